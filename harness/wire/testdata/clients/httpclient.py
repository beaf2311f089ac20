"""Python's http.client, with one connection that is kept alive."""
import http.client
from urllib.parse import urlsplit

from outcome import serve, word

kept = None


def call(order):
    global kept
    url = urlsplit(order["url"])
    if kept is None or (kept.host, kept.port) != (url.hostname, url.port):
        kept = http.client.HTTPConnection(url.hostname, url.port)
    kept.timeout = order["timeout"]
    if kept.sock is not None:
        kept.sock.settimeout(order["timeout"])
    body = order["body"].encode()
    headers = {"Content-Type": "application/json"}
    if order.get("key"):
        headers["Idempotency-Key"] = order["key"]
    chunked = order.get("chunked", False)
    status = 0
    try:
        kept.request("POST", url.path, iter([body]) if chunked else body, headers, encode_chunked=chunked)
        reply = kept.getresponse()
        status = reply.status
        return {"status": status, "body": reply.read().decode(errors="replace"), "error": ""}
    except Exception as err:
        kept.close()
        kept = None
        return {"status": status, "body": "", "error": word(err)}


serve(call)
