"""Calls of the v1 protocol: JSON in and out, with a player's token, a game's key or nobody's."""
import base64
import json
import secrets
import uuid

import client

PRIVATE = "private, no-store"
PUBLIC = "public, max-age=0, must-revalidate"


def token():
    """A token as a device makes its own."""
    return "cbd_" + base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


def call(place, method, path, body=None, who=None, type="application/json", headers=()):
    """`place` is a server (a connection for this call only) or a connection; `body` is bytes as they are, else made
    JSON."""
    headers = list(headers)
    if who is not None:
        headers.append(("Authorization", "Bearer " + who))
    if body is not None:
        headers.append(("Content-Type", type))
        if not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False).encode()
    if isinstance(place, client.Connection):
        return place.request(method, path, headers, body)
    return client.request(place, method, path, headers, body)


def new_id():
    return str(uuid.uuid4())


class Player:
    """A registered player with a token of the device's own making."""

    def __init__(self, place, game, name, device=None, **fields):
        self.place = place
        self.game = game
        self.name = name
        self.device = device or client.device()
        self.token = token()
        answer = self.call("PUT", f"/v1/games/{game}/devices/{self.device}", {"name": name, **fields})
        assert answer.status == 201, f"{name!r}: {answer!r}"
        self.id = answer.json()["player"]["id"]

    def call(self, method, path, body=None, **more):
        return call(self.place, method, path, body, who=self.token, **more)

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, board, points, id=None, **fields):
        return self.call("PUT", f"/v1/games/{self.game}/boards/{board}/scores/{id or new_id()}",
                         {"points": points, **fields})

    def donate(self, charity, points, id=None, **fields):
        return self.call("PUT", f"/v1/charities/{charity}/donations/{id or new_id()}", {"points": points, **fields})

    def left(self):
        return self.get("/v1/players/me").json()["left"]


def make_key(server, game, name="key"):
    return server.verb("key", "add", "--game", game, "--name", name).strip()
