"""Plugs a recovery into Lost Receipt: lostreceipt run -- python3 adapter.py

This is all of the agent protocol. What decides stands in recovery.py: put your own in its place.
"""
import json
import os
import urllib.error
import urllib.request

from recovery import recover


def ask(method, path, body=None):
    """Speaks with the control plane, which is never broken on purpose: the status and the JSON of its reply."""
    headers = {"Authorization": "Bearer " + os.environ["LOSTRECEIPT_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["LOSTRECEIPT_URL"] + path, body and json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.status, json.loads(reply.read() or "null")


class Platform:
    def __init__(self, task):
        self.task = "/v1/tasks/" + task["id"]

    def confirmation(self, name):
        """Whether it still holds: to be asked before every write."""
        return ask("GET", "/v1/confirmations/" + name)[1]

    def inbox(self, after, seconds):
        return ask("GET", f"{self.task}/inbox?after={after}&wait={int(1000 * seconds) + 1}ms")[1]

    def claim(self, state):
        ask("POST", self.task + "/states", state)

    def result(self, result):
        ask("POST", self.task + "/result", result)


def main():
    while True:
        try:
            status, work = ask("GET", "/v1/work?wait=20s")
        except urllib.error.HTTPError as gone:
            if gone.code == 410:  # there is no more work
                return
            raise
        if status == 200:
            recover(work["task"], Platform(work["task"]))


if __name__ == "__main__":
    main()
