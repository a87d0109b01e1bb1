"""Signing in with an issuer of the tests' own: second devices, linking, and what an attacker or a bad issuer sends."""
import shutil
import time
import unittest

import client
import issuer
import promtool
import v1
from server import Server, until

WAITS = True
REFUSED_TOKENS = 1000
server = provider = folder = None


def setUpModule():
    global server, provider, folder
    folder, certificate, key = issuer.separate_network()
    provider = issuer.Issuer(folder, certificate, key)
    server = Server("sign-in", start=False, environment={"CAUSEBOARD_OUTGOING_ALLOW": issuer.NETWORK})
    unittest.addModuleCleanup(end)
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap")
    server.verb("charity", "add", "water", "--name", "Water")
    add("shop", "https://issuer.test", "--jwks", "https://issuer.test/keys")
    add("configured", "https://issuer.test")
    for name in ("slow", "large", "moved", "private", "own", "both", "other"):
        add(name, f"https://{name}.test")
    server.start("--limits", "off")


def end():
    try:
        server.audit()
    finally:
        server.stop()


def add(slug, address, *more):
    server.verb("provider", "add", "--game", "maze", slug, "--kind", "oidc", "--audiences", "game,game.web",
                "--issuer", address, *more)


class Device:
    """A device with a token, which need not have a player."""

    def __init__(self):
        self.id, self.token = client.device(), v1.token()

    def call(self, method, path, body=None):
        return v1.call(server, method, path, body, who=self.token)

    def nonce(self):
        answer = self.call("POST", "/v1/games/maze/sign-ins")
        assert answer.status == 200, answer
        return answer.json()["nonce"]

    def register(self, identity=None, **more):
        body = {"name": "Ada", **({"identity": identity} if identity else {}), **more}
        return self.call("PUT", f"/v1/games/maze/devices/{self.id}", body)

    def sign_in(self, subject, slug="shop", **more):
        return self.register(self.identity(subject, slug, **more))

    def identity(self, subject, slug="shop", key=None, **more):
        nonce = self.nonce()
        signed = issuer.token(key or provider.key, issuer.claims(nonce, subject, **more))
        return {"provider": slug, "nonce": nonce, "token": signed}

    def identities(self):
        return [(each["provider"], each["used_on"]) for each in
                self.call("GET", "/v1/players/me/identities").json()["identities"]]


class SignIn(unittest.TestCase):
    def problem(self, answer, status, type):
        self.assertEqual((answer.status, answer.json().get("type")), (status, f"/problems/{type}"), answer)
        self.assertIn("no-store", answer["cache-control"])
        return answer.json()

    def test_a_second_device_comes_to_the_player(self):
        phone, pad = Device(), Device()
        first = phone.sign_in("ada")
        self.assertEqual(first.status, 201, first)
        player = first.json()["player"]["id"]
        posted = phone.call("PUT", f"/v1/games/maze/boards/lap/scores/{v1.new_id()}", {"points": 700})
        self.assertEqual(posted.status, 201, posted)
        second = pad.sign_in("ada")
        self.assertEqual((second.status, second.json()["player"]["id"]), (201, player), second)
        again = pad.sign_in("ada")
        self.assertEqual((again.status, again.json()["player"]["id"], again["idempotent-replayed"]),
                         (200, player, "true"))
        self.assertEqual(pad.call("GET", "/v1/players/me").json()["earned"], posted.json()["earned"])
        today = time.strftime("%Y-%m-%d", time.gmtime())
        self.assertEqual(pad.identities(), [("shop", today)])

    def test_a_player_links_and_unlinks_and_each_identity_is_of_one_player(self):
        ada, bob = Device(), Device()
        for device in (ada, bob):
            self.assertEqual(device.register().status, 201)
        path = "/v1/players/me/identities/shop"

        def link(device, subject):
            identity = device.identity(subject)
            del identity["provider"]
            return device.call("PUT", path, identity)
        self.assertEqual([link(ada, "links").status, link(ada, "links").status], [201, 200])
        self.problem(link(bob, "links"), 409, "identity-taken")
        self.problem(link(ada, "another"), 409, "identity-taken")
        self.assertEqual([ada.call("DELETE", path).status, ada.call("DELETE", path).status], [204, 204])
        self.assertEqual(ada.identities(), [])
        self.assertEqual(link(bob, "links").status, 201)
        # With the address in place of the keys, it is the same issuer, and the same player there.
        phone = Device()
        joined = phone.sign_in("links", "configured")
        self.assertEqual(joined.json()["player"]["id"], bob.call("GET", "/v1/players/me").json()["id"], joined)

    def test_no_forged_stolen_or_foreign_token_signs_in(self):
        owner = Device()
        self.assertEqual(owner.sign_in("victim").status, 201)
        thief, other = Device(), issuer.Key(folder, "other")
        nonce = thief.nonce()
        good = issuer.claims(nonce, "victim")
        key = provider.key
        stolen = owner.nonce()
        forged = issuer.Key(folder, "forged")
        forged.name = key.name
        tried = {
            "unsigned": issuer.unsigned(good), "unsigned, in capitals": issuer.unsigned(good, alg="NONE"),
            "signed with the public key": issuer.shared(key, good),
            "signed by another key of that name": issuer.token(forged, good),
            "with a key of its own": issuer.token(other, good, jwk=other.web, jku="https://issuer.test/keys"),
            "of another audience": issuer.token(key, {**good, "aud": "other"}),
            "of a foreign audience beside": issuer.token(key, {**good, "aud": ["game", "other"], "azp": "game"}),
            "of two audiences without azp": issuer.token(key, {**good, "aud": ["game", "game.web"]}),
            "for another client": issuer.token(key, {**good, "azp": "other"}),
            "of another issuer": issuer.token(key, {**good, "iss": "https://issuer.test/"}),
            "expired": issuer.token(key, {**good, "exp": int(time.time()) - 61}),
            "of the future": issuer.token(key, {**good, "iat": int(time.time()) + 90}),
            "not valid yet": issuer.token(key, {**good, "nbf": int(time.time()) + 90}),
            "without nonce": issuer.token(key, {**good, "nonce": None}),
            "with the owner's nonce": issuer.token(key, {**good, "nonce": stolen}),
            "without subject": issuer.token(key, {**good, "sub": ""}),
            "with a long subject": issuer.token(key, {**good, "sub": "s" * 256}),
            "critical": issuer.token(key, good, crit=["b64"]), "an access token": issuer.token(key, good, typ="at+jwt"),
            "too long": issuer.token(key, {**good, "pad": "x" * 8_192}), "no token": "a.b.c",
        }
        details = set()
        for what, text in tried.items():
            with self.subTest(what):
                answer = thief.register({"provider": "shop", "nonce": nonce, "token": text})
                if what in ("no token", "too long") and answer.status == 422:
                    continue
                details.add(self.problem(answer, 401, "identity-refused")["detail"])
        with self.subTest("the owner's nonce as well"):
            text = issuer.token(key, issuer.claims(stolen, "victim"))
            details.add(self.problem(thief.register({"provider": "shop", "nonce": stolen, "token": text}), 401,
                                     "identity-refused")["detail"])
        self.assertEqual(len(details), 1, "one text for all reasons")
        with open(server.log_path) as log:
            log = log.read()
        self.assertRegex(log, r"reason=signature .*an ID token was refused")
        for text in tried.values():
            self.assertNotIn(text, log)
        self.assertEqual(thief.call("GET", "/v1/players/me").status, 401)

    def test_a_thousand_invented_keys_ask_the_issuer_once_and_new_keys_are_found(self):
        device = Device()
        self.assertEqual(device.sign_in("rotation").status, 201)
        nonce = device.nonce()
        invented = issuer.Key(folder, "invented")
        begin, asked = time.monotonic(), provider.times_asked("issuer.test/keys")
        signed = issuer.token(invented, issuer.claims(nonce, "rotation"))
        with client.Connection(server) as connection:
            for number in range(REFUSED_TOKENS):
                head, _, rest = signed.partition(".")
                named = issuer.text({"alg": "RS256", "kid": f"k{number}"})
                answer = v1.call(connection, "PUT", f"/v1/games/maze/devices/{device.id}", {"identity": {
                    "provider": "shop", "nonce": nonce, "token": f"{named}.{rest}"}}, who=device.token)
                self.problem(answer, 401, "identity-refused")
        minutes = int((time.monotonic() - begin) // 60) + 1
        self.assertLessEqual(provider.times_asked("issuer.test/keys") - asked, minutes)

        provider.rotate(folder, "second")
        fresh = Device()
        until(lambda: fresh.sign_in("rotation").status in (200, 201), 90, "the new key is fetched within a minute")
        self.assertEqual(fresh.call("GET", "/v1/players/me").json()["id"],
                         device.call("GET", "/v1/players/me").json()["id"])

    def test_an_issuer_that_cannot_be_trusted_or_reached_signs_nobody_in(self):
        before = len(provider.asked)
        for name in ("slow", "large", "moved", "private", "own", "both", "other"):
            with self.subTest(name):
                device = Device()
                answer = device.sign_in("x", name, issuer=f"https://{name}.test")
                self.problem(answer, 503, "issuer-away")
                self.assertLessEqual(int(answer["retry-after"]), 60)
        asked = provider.asked[before:]
        # Where one address is not public, none is asked; a redirect is not followed.
        self.assertEqual([where for where in asked if where.startswith(("private", "own", "both", "other"))], [])
        self.assertEqual([where for where in asked if where.startswith("moved")],
                         ["moved.test/.well-known/openid-configuration"])
        fetches = {series: float(value) for series, value in promtool.scrape(server).items()
                   if "identity_key_fetches_total" in series}
        failures = {series: count for series, count in fetches.items() if 'result="ok"' not in series}
        self.assertGreaterEqual(sum(failures.values()), 7, fetches)
        # On a busy machine the other reasons may be `late`.
        self.assertGreaterEqual(failures['causeboard_identity_key_fetches_total{result="not-public"}'], 3, fetches)
        scrape = promtool.scrape(server)
        self.assertEqual(scrape['causeboard_identity_keys_failing{issuer="https://moved.test/.well-known/'
                                'openid-configuration"}'], "1")
        if shutil.which("promtool"):
            self.assertIn("CauseboardSignInFails", promtool.firing(server.home, [scrape, scrape, scrape]))
        checked = server.run_verb("check")
        self.assertEqual(checked.returncode, 1, checked.stdout)
        self.assertRegex(checked.stdout, r"(?m)^keys of https://issuer\.test +good$")
        self.assertRegex(checked.stdout, r"(?m)^keys of https://both\.test +cannot be fetched: not-public$")
