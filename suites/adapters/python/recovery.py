"""A recovery in Python's standard library: submit, track, buy, and never do anything twice. Put your own in its place.

Its four rules: what is sent is on disk before its first byte leaves, under one identifier for ever; whether it may be
sent is asked before each write; an answer that did not come is a doubt, which a replay that the service still recognises
or a record found by a query ends, and nothing else; what is in doubt at the period's end goes to a person.
"""
import fcntl
import http.client
import json
import os
import random
import socket
import threading
import time
import urllib.parse
import uuid

TIMEOUT, BROKEN, NOT_SENT = 0, -1, -2  # in place of an HTTP status
UNKNOWN = {"approval.submit": "acceptance", "purchase.buy": "purchase", "approval.notify": "notification", "approval.withdraw": "withdrawal"}


def call(method, url, body=None, timeout=60.0, **headers):
    """Makes one attempt: its status, the JSON object of its reply, and the seconds that the reply asks to wait."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()} | {"Content-Type": "application/json", "Connection": "close"}
    address, ends, guard = urllib.parse.urlsplit(url), time.monotonic() + timeout, None
    connection = http.client.HTTPConnection(address.netloc, timeout=timeout)
    try:
        connection.connect()
        # A socket's timeout begins again with each byte; an attempt's does not.
        guard = threading.Timer(timeout, connection.sock.shutdown, [socket.SHUT_RDWR])
        guard.start()
        path = address.path + ("?" + address.query if address.query else "")
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = connection.getresponse()
        text, wait = reply.read(), reply.headers.get("Retry-After-Ms")
        wait = float(wait) / 1000 if wait else float(reply.headers.get("Retry-After") or 0)
    except ConnectionRefusedError:
        return NOT_SENT, {}, 0
    except (OSError, ValueError, http.client.HTTPException):
        return (TIMEOUT if time.monotonic() >= ends else BROKEN), {}, 0
    finally:
        if guard:
            guard.cancel()
        connection.close()
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    return reply.status, answer if isinstance(answer, dict) else {}, wait


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".%03dZ" % (seconds % 1 * 1000) if seconds else None


def recover(task, platform):
    """Does a task, or goes on with it after a restart."""
    with open(os.path.join(task["state_dir"], "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may have the task; the kernel lets go when it dies
        Task(task, platform).run()


class Task:
    def __init__(self, task, platform):
        self.platform = platform
        self.task, self.limits, self.guarantees = task, task["limits"], task["guarantees"]
        self.approvals, self.purchases = task["endpoints"]["approval"] + "/v1/approvals", task["endpoints"]["purchase"] + "/v1/purchases"
        self.file = os.path.join(task["state_dir"], "state.json")
        # The confirmation is the one that was sent; after a restart the task may name a newer one.
        self.state = {"confirmation": task["confirmation"], "intents": {}, "queries": {}, "record": None, "error": ""}
        if os.path.exists(self.file):
            with open(self.file) as f:
                self.state = json.load(f)
        self.confirmation = self.state["confirmation"]
        self.heard = 0
        self.version = {name: self.confirmation[name] for name in ("id", "version")}

    def save(self):
        with open(self.file + ".new", "w") as f:
            json.dump(self.state, f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(self.file + ".new", self.file)
        folder = os.open(self.task["state_dir"], os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def run(self):
        submit = self.guarantees.get("approval.submit", {})
        if "result" in self.state:
            return self.finish(**self.state["result"])
        if "escalation" in self.state:
            return self.escalate()
        if not submit.get("idempotency", {}).get("supported") and not submit.get("query", {}).get("by_key"):
            self.claim("preview_ready")
            return self.finish("preview")
        content = {name: self.confirmation[name] for name in ("content", "digest")}
        content |= {"confirmation": self.version, "tenant": self.task["tenant"], "object": self.task["object"]}
        standing = self.write("approval.submit", "submit", self.approvals, content, self.keep, self.find)
        if standing == "refused" or standing == "unsent" and (self.now["cancelled"] or self.now["stopped"]) and not self.sent():
            word = "refused" if standing == "refused" else "cancelled"
            self.claim(word)
            return self.finish(word)
        if standing != "done":
            return self.escalate()
        if self.state["record"]["status"] == "pending":
            self.claim("tracking")
        tries = 0
        while self.state["record"]["status"] == "pending" and not self.halted() and self.notify() == "done":
            self.listen(tries)
            self.track()
            tries += 1
        self.halted()
        cancelled, pending = self.now["cancelled"], self.state["record"]["status"] == "pending"
        if cancelled and pending and self.task["on_cancel"] == "withdraw" and "pending" in submit.get("withdraw_states", []):
            self.write("approval.withdraw", "withdraw", self.task["endpoints"]["approval"] + "/v1/withdrawals",
                       {"ref": self.state["record"]["ref"]}, lambda r: self.keep(r) and r["status"] == "withdrawn",
                       lambda: self.track() and self.state["record"]["status"] != "pending")
            self.track()
        status = self.state["record"]["status"]
        if status == "withdrawn" or status == "declined" and ("approval.notify" not in self.state["intents"] or self.notify() == "done"):
            self.claim(status)
            return self.finish("cancelled" if cancelled and status == "withdrawn" else "declined")
        if status != "approved" or self.buy() != "done" or self.notify() != "done":
            return self.escalate()
        self.claim("completed")
        self.finish("completed")

    def buy(self):
        order = {"approval": self.state["record"]["ref"], "content": self.confirmation["content"]}

        def bought(r):
            return bool(r.get("ref")) and r.get("status") == "done" and r.get("key") == self.key("purchase.buy") and all(r.get(n) == order[n] for n in order)

        def find():
            return any([bought(r) for r in self.query("purchase.query", self.purchases + "?key=" + self.key("purchase.buy"))])

        return self.write("purchase.buy", "purchase", self.purchases, order, bought, find)

    def notify(self):
        """Sends the notification again when it is known to be missing, and only then; of a pending request before its decision."""
        if self.state["record"]["consequences"]["notification"] != "failed":
            return "done"

        def sent(r):
            return self.keep(r) and r["consequences"]["notification"] == "sent"

        return self.write("approval.notify", "notify", f"{self.approvals}/{self.state['record']['ref']}/notifications", {}, sent,
                          lambda: self.track() and sent(self.state["record"]))

    def write(self, operation, permission, url, body, settles, find):
        """Carries one write to its end: done, refused, conflict; or doubt or unsent, where nothing more may be tried."""
        intent = self.state["intents"].setdefault(operation, {
            "key": str(uuid.uuid4()), "body": body, "standing": "unsent", "attempts": 0, "began": 0, "first_sent": 0, "not_before": 0})
        promise, tries = self.guarantees.get(operation, {}), 0
        findable = operation in ("approval.withdraw", "approval.notify") or promise.get("query", {}).get("by_key")
        # A little longer than the period, for it runs from the first byte, which leaves after this clock is read.
        period = (self.limits["verification_period_ms"] + self.limits["attempt_timeout_ms"] / 8) / 1000
        while intent["standing"] in ("unsent", "doubt"):
            doubt, left = intent["standing"] == "doubt", intent["attempts"] < self.limits["max_attempts"]
            if doubt:
                self.claim("pending_verification")
            sending = left and time.time() >= intent["not_before"] and (not doubt or self.protected(promise, intent))
            if sending and permission == "submit":
                self.claim("submitting")
            allowed = self.may(permission)  # last, before the send
            ends = (intent["began"] or time.time()) + period
            if time.time() >= ends and doubt and findable and not tries and find():  # after a long restart: one look
                intent["standing"] = "done"
                break
            if time.time() >= ends or self.now["stopped"] or not doubt and not (left and allowed and intent["not_before"] < ends):
                break
            if not allowed and not self.now["cancelled"] and self.now["current_version"] == self.version["version"]:
                break  # the authorization is gone: a person has to know, now
            if not allowed and permission == "notify" and self.state["record"]["status"] == "pending":
                break  # nobody has to be told of what is to be withdrawn
            if sending and allowed:
                self.send(url, intent, promise, doubt, settles)
            elif doubt and findable and find():
                intent["standing"] = "done"
            self.save()
            if intent["standing"] in ("unsent", "doubt"):
                self.pause(tries, ends)
            tries += 1
        return intent["standing"]

    def send(self, url, intent, promise, doubt, settles):
        first, now = not intent["began"], time.time()
        intent["attempts"], intent["standing"] = intent["attempts"] + 1, "doubt"
        intent["began"], intent["first_sent"] = intent["began"] or now, intent["first_sent"] or now
        self.save()
        if first:
            intent["began"] = time.time()
        status, reply, wait = call("POST", url, intent["body"], self.limits["attempt_timeout_ms"] / 1000, Idempotency_Key=intent["key"])
        intent["not_before"] = time.time() + max(wait, self.backoff(intent["attempts"]))
        if status in (200, 201) and settles(reply):
            intent["standing"] = "done"
            return
        self.state["error"] = f"status {status} {reply.get('code', '')}"
        if status == NOT_SENT:
            intent["attempts"], intent["standing"] = intent["attempts"] - 1, "doubt" if doubt else "unsent"
            intent["first_sent"] = intent["first_sent"] if intent["attempts"] else 0
        elif status == 409 and reply.get("code") == "identifier_conflict":
            intent["standing"] = "conflict"
        elif status in promise.get("no_effect_statuses", []):  # of this attempt; an earlier one may still be open
            if not doubt:
                intent["standing"] = "unsent" if status == 429 else "refused"
            elif status != 429:
                intent["attempts"] = self.limits["max_attempts"]

    def protected(self, promise, intent):
        """Whether the service still recognises the identifier when a replay reaches it."""
        idempotency = promise.get("idempotency", {})
        late = time.time() + self.limits["attempt_timeout_ms"] / 1000
        return idempotency.get("supported", False) and late < intent["first_sent"] + idempotency["retention_ms"] / 1000

    def may(self, permission):
        """Asks whether a write is still authorized; a withdrawal is what a cancellation wants."""
        self.now = self.platform.confirmation(self.version["id"])
        self.state["checked"] = time.time()
        current = self.now["valid"] and self.now["current_version"] == self.version["version"] and not self.now["cancelled"]
        return not self.now["stopped"] and permission in self.now["permissions"] and (current or permission == "withdraw")

    def halted(self):
        """Whether an accepted request is not to be followed to its end; it is where only its authorization is gone."""
        self.may("submit")
        return self.now["stopped"] or self.now["cancelled"] or self.now["current_version"] != self.version["version"]

    def keep(self, r):
        """Takes in a record of the submission if it is this one and no other, and newer than what is known."""
        mine = {"key": self.key("approval.submit"), "tenant": self.task["tenant"], "object": self.task["object"], "confirmation": self.version,
                "content": self.confirmation["content"], "digest": self.confirmation["digest"]}
        if not r.get("ref") or any(r.get(name) != mine[name] for name in mine):
            return False
        if not self.state["record"] or r["seq"] >= self.state["record"]["seq"]:
            self.state["record"] = r
        notice = self.state["intents"].get("approval.notify")
        if notice and r["consequences"]["notification"] == "sent":
            notice["standing"] = "done"
        return True

    def find(self):
        return any([self.keep(r) for r in self.query("approval.query", self.approvals + "?key=" + self.key("approval.submit"))])

    def track(self):
        """Looks at the approval, by the ways that the service promises."""
        ways = self.guarantees["approval.submit"].get("query", {})
        if not ways.get("by_ref"):
            return ways.get("by_key", False) and self.find()
        return any([self.keep(r) for r in self.query("approval.track", self.approvals + "/" + self.state["record"]["ref"])])

    def listen(self, tries):
        """Waits, and takes in the events that come meanwhile; after a restart they come again."""
        inbox = self.platform.inbox(self.heard, self.backoff(tries))
        self.heard = inbox["next"]
        for item in inbox["items"]:
            self.keep(item.get("record") or {})

    def query(self, operation, url):
        """Asks once. That nothing is found proves nothing."""
        status, answer, _ = call("GET", url, None, self.limits["attempt_timeout_ms"] / 1000)
        records = answer.get("items", [answer]) if status == 200 else []
        outcome = "timeout" if status == TIMEOUT else "error" if status not in (200, 404) else "found" if records else "empty"
        self.state["queries"][f"{operation} {outcome}"] = self.state["queries"].get(f"{operation} {outcome}", 0) + 1
        self.save()
        return [r for r in records if isinstance(r, dict)]

    def escalate(self):
        """Hands over to a person, once, with all that is known."""
        if "escalation" not in self.state:
            self.may("submit")
            original = self.state["intents"]["approval.submit"]
            unknowns = [UNKNOWN[op] for op, intent in self.state["intents"].items() if intent["standing"] in ("doubt", "conflict")]
            self.state["escalation"] = {"key": str(uuid.uuid4()), "body": {
                "task": self.task["id"],
                "original": {"confirmation": self.version, "content": self.confirmation["content"], "key": original["key"], "first_sent_at": stamp(original["first_sent"])},
                "basis": {"confirmation": self.version, "checked": stamp(self.state["checked"])},
                "queries": [dict(zip(("operation", "outcome"), what.split()), count=n) for what, n in self.state["queries"].items()],
                "unknowns": unknowns, "last_error": self.state["error"],
                "entry_points": ["query"] if self.guarantees["approval.submit"].get("query", {}).get("by_key") else [],
                "trace": [f"{op}: {intent['attempts']} attempts, {intent['standing']}" for op, intent in self.state["intents"].items()]}}
            self.save()
        escalation = self.state["escalation"]
        for tries in range(self.limits["max_attempts"]):
            status, _, wait = call("POST", self.task["endpoints"]["desk"] + "/v1/escalations", escalation["body"], self.limits["attempt_timeout_ms"] / 1000, Idempotency_Key=escalation["key"])
            if status == 201:
                break
            time.sleep(max(wait, self.backoff(tries)))
        self.claim("escalated")
        self.finish("escalated", [{"confirmation": self.version["id"], "unknown": word} for word in escalation["body"]["unknowns"]])

    def finish(self, status, unverified=()):
        self.state["result"] = {"status": status, "unverified": list(unverified)}
        self.save()
        self.platform.result(self.state["result"])

    def claim(self, state):
        ref = (self.state["record"] or {}).get("ref")
        self.platform.claim({"confirmation": self.version, "state": state} | ({"ref": ref} if ref else {}))

    def sent(self):
        return any(intent["attempts"] for intent in self.state["intents"].values())

    def key(self, operation):
        return self.state["intents"][operation]["key"]

    def backoff(self, tries):
        wait = min(self.limits["backoff_base_ms"] * 2**tries, self.limits["backoff_max_ms"]) / 1000
        return wait * (1 + self.limits["backoff_jitter"] * random.random())

    def pause(self, tries, ends=float("inf")):
        time.sleep(max(0.001, min(self.backoff(tries), ends - time.time())))
