#!/usr/bin/python3
"""drain.py BUILD ROUNDS - stop a daemon that is busy, and see it end well.

Clients with connections that they keep ask one after the other, moves among
it.  The daemon is told to stop.  It must end with status 0, and every request
that was sent on a connection which the daemon had not closed must have been
answered.  A connection that is refused, or was told "Connection: close", is
fine.  To be run under deploy/local/with-cluster.sh, after gangctl migrate.
Ends with "N passed, N failed".
"""
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time

CLIENTS = 24
BUSY_SECONDS = 0.5


class Client(threading.Thread):
    def __init__(self, address, game, token):
        super().__init__(daemon=True)
        self.address, self.game, self.token = address, game, token
        self.cut = []
        self.answered = 0

    def ask(self, connection, number):
        headers = {"Authorization": "Bearer " + self.token}
        if number % 3:
            connection.request("GET", self.game, headers=headers)
        else:
            path = f"{self.game}/chips/white/{1 + number % 2}/take"
            connection.request("POST", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        self.answered += 1
        return answer.getheader("Connection") != "close"

    def run(self):
        number = 0
        while True:
            connection = http.client.HTTPConnection(self.address, timeout=10)
            asked = 0
            try:
                while True:
                    number += 1
                    keeps = self.ask(connection, number)
                    asked += 1
                    if not keeps:
                        break
            except ConnectionRefusedError:
                return
            except (OSError, http.client.HTTPException) as error:
                # A connection of which nothing was answered yet may have
                # waited to be accepted when the listening ended.
                if asked:
                    self.cut.append(repr(error))
                return


def start(build):
    environment = dict(os.environ, GANGD_LISTEN="127.0.0.1:0",
                       GANGD_DRAIN_MS="200")
    daemon = subprocess.Popen([build + "/bin/gangd"], env=environment,
                              stderr=subprocess.PIPE, text=True)
    seen = []
    for line in daemon.stderr:
        seen.append(line)
        found = re.search(r'"address":"([^"]*)"', line)
        if found:
            threading.Thread(target=lambda: seen.extend(daemon.stderr),
                             daemon=True).start()
            return daemon, found.group(1), seen
    raise SystemExit("".join(seen))


def post(address, path, body):
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("POST", path, json.dumps(body),
                       {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def create(address):
    for _ in range(100):
        made = post(address, "/v1/games", {"name": "A", "seats": 3})
        if "token" in made:
            break
        time.sleep(0.05)
    code = made["invite_code"]
    tokens = [made["token"]]
    for name in "BC":
        path = f"/v1/invitations/{code}/players"
        tokens.append(post(address, path, {"name": name})["token"])
    return "/v1/games/" + made["game"]["id"], tokens


def stop_once(build):
    """Return what went wrong, as texts."""
    daemon, address, seen = start(build)
    game, tokens = create(address)
    clients = [Client(address, game, tokens[i % 3]) for i in range(CLIENTS)]
    for client in clients:
        client.start()
    time.sleep(BUSY_SECONDS)
    daemon.terminate()
    status = daemon.wait(20)
    for client in clients:
        client.join(10)
    wrong = [error for client in clients for error in client.cut]
    if status != 0:
        wrong.append(f"exit status {status}")
    if any("Sanitizer" in line for line in seen):
        wrong += seen[-40:]
    if sum(client.answered for client in clients) < CLIENTS:
        wrong.append("nothing was asked")
    return wrong


def main():
    build, rounds = sys.argv[1], int(sys.argv[2])
    failed = 0
    for number in range(rounds):
        wrong = stop_once(build)
        if wrong:
            failed += 1
            print(f"stop {number + 1}:", *wrong, sep="\n  ")
    print(f"{rounds - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
