"""What the Python clients have in common: how an attempt ended in one word, and a call a line."""
import http.client
import json
import socket
import sys
import urllib.error


def word(err):
    if isinstance(err, urllib.error.URLError):
        err = err.reason
    if isinstance(err, (socket.timeout, TimeoutError)):
        return "gave up"
    if isinstance(err, http.client.IncompleteRead):
        return "cut short"
    if isinstance(err, http.client.RemoteDisconnected):
        return "closed"
    if isinstance(err, ConnectionRefusedError):
        return "refused"
    if isinstance(err, (ConnectionResetError, BrokenPipeError)):
        return "reset"
    if isinstance(err, (http.client.BadStatusLine, http.client.UnknownProtocol)):
        return "bad reply"
    return repr(err)


def serve(call):
    for line in sys.stdin:
        print(json.dumps(call(json.loads(line))), flush=True)
