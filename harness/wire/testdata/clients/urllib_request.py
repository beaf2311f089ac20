"""Python's urllib.request, which makes a connection for each call."""
import http.client
import json
import socket
import sys
import urllib.error
import urllib.request


def call(order):
    body = order["body"].encode()
    request = urllib.request.Request(order["url"], iter([body]) if order.get("chunked") else body, method="POST")
    request.add_header("Content-Type", "application/json")
    if order.get("key"):
        request.add_header("Idempotency-Key", order["key"])
    status = 0
    try:
        try:
            reply = urllib.request.urlopen(request, timeout=order["timeout"])
        except urllib.error.HTTPError as refusal:
            reply = refusal
        with reply:
            status = reply.status
            return {"status": status, "body": reply.read().decode(errors="replace"), "error": ""}
    except Exception as err:
        return {"status": status, "body": "", "error": word(err)}


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


for line in sys.stdin:
    print(json.dumps(call(json.loads(line))), flush=True)
