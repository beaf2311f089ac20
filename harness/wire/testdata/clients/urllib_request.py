"""Python's urllib.request, which makes a connection for each call."""
import urllib.error
import urllib.request

from outcome import serve, word


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


serve(call)
