"""Calls of the admin API, with keys of any scopes."""
import base64
import secrets

import v1

ALL = "read,personal,moderate,operate"


def token(kind="admin"):
    """A token as whoever makes a key makes it."""
    prefix = {"admin": "cba_", "game": "cbk_"}[kind]
    return prefix + base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


def make_key(server, scopes=ALL, *arguments):
    return server.verb("key", "add", "--admin", "--scopes", scopes, "--name", scopes.split(",")[0], *arguments).strip()


class Operator:
    """Someone with a key, at a listener."""

    def __init__(self, place, key):
        self.place = place
        self.key = key

    def call(self, method, path, body=None, **headers):
        """A header such as `If-Match` is given as `if_match`."""
        named = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return v1.call(self.place, method, "/v1/admin/" + path, body, who=self.key, headers=named)

    def get(self, path):
        return self.call("GET", path)

    def add(self, path, body=None):
        return self.call("PUT", path, body or {}, if_none_match="*")

    def change(self, path, body, etag):
        return self.call("PATCH", path, body, if_match=etag)

    def add_key(self, id, scopes, kind="admin", key=None, **fields):
        body = {"token": key or token(kind), "kind": kind, "name": "made", "scopes": scopes, **fields}
        return self.call("PUT", f"keys/{id}", body)
