"""What must not work at the console: forms of other sessions, keys that have ended, scopes that are not there, other
sites' pages, and forms beyond their bounds."""
import html
import unittest
import urllib.parse
import uuid

import admin
import client
import v1_case
from console import FORM, Session
from server import Server
from v1_case import V1Case


def setUpModule():
    v1_case.start("consoleattacks")


class Sessions(V1Case):
    def setUp(self):
        self.place = self.server.admin()
        self.key = admin.make_key(self.server)
        self.session = Session(self.place, self.key)

    def test_the_cookie_is_for_this_site_alone_and_tells_nothing_of_the_key(self):
        answer = Session(self.place).post("/admin/sign-in", {"key": self.key, "to": "/admin/log"}, token=False)
        cookie = answer["set-cookie"]
        self.assertEqual((answer.status, answer["location"]), (303, "/admin/log"))
        self.assertTrue(cookie.startswith("causeboard="), "without encryption on the machine itself")
        for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"):
            self.assertIn(part, cookie)
        self.assertNotIn(self.key[4:20], cookie)
        self.assertNotEqual(cookie, self.key)

    def test_elsewhere_the_cookie_is_of_this_host_and_encrypted(self):
        body = urllib.parse.urlencode({"key": self.key}).encode()
        head = (f"POST /admin/sign-in HTTP/1.1\r\nHost: 10.1.2.3:8081\r\nContent-Type: {FORM}\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()
        cookie = next(value for name, value in client.raw(self.place, head + body).headers
                      if name.lower() == "set-cookie")
        self.assertTrue(cookie.startswith("__Host-causeboard="))
        self.assertIn("; Secure", cookie)

    def test_the_sign_in_says_when_a_key_would_travel_in_the_clear(self):
        warning = "This page came without encryption"

        def page(path, host, *headers):
            lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Accept: text/html", "Connection: close", *headers]
            return client.raw(self.place, ("\r\n".join(lines) + "\r\n\r\n").encode())
        for path, status in (("/admin/sign-in", 200), ("/admin/log", 401)):
            for host in ("10.1.2.3:8081", "192.168.7.9", "[2001:db8::7]:8081"):
                answer = page(path, host)
                self.assertEqual(answer.status, status)
                self.assertIn(warning, answer.text, host)
                self.assertLess(answer.text.index(warning), answer.text.index('type="password"'), "before the key")
            for host in ("127.0.0.1:8081", "localhost:8081", "[::1]:8081"):
                self.assertNotIn(warning, page(path, host).text, host)
        # A proxy that nobody trusts cannot take the warning away.
        self.assertIn(warning, page("/admin/sign-in", "10.1.2.3", "X-Forwarded-Proto: https").text)
        body = urllib.parse.urlencode({"key": "cba_wrong"}).encode()
        head = (f"POST /admin/sign-in HTTP/1.1\r\nHost: 10.1.2.3\r\nContent-Type: {FORM}\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()
        self.assertIn(warning, client.raw(self.place, head + body).text)

    def test_a_session_is_never_the_one_that_a_browser_brought(self):
        """Session fixation: what was there before the sign-in is not gone on with."""
        first, second = Session(self.place), Session(self.place)
        first.cookie = self.session.cookie
        answer = first.post("/admin/sign-in", {"key": self.key}, token=False)
        self.assertNotEqual(answer["set-cookie"].split(";")[0], self.session.cookie)
        for planted in ("causeboard=planted", "causeboard=", "causeboard=" + "A" * 100, "__Host-causeboard=x"):
            second.cookie = planted
            self.assertEqual(second.get("/admin").status, 401, planted)

    def test_nobody_is_led_to_another_site_after_the_sign_in(self):
        for path in ("//evil.example", "https://evil.example/admin", "/\\evil.example", "/admin/../x\r\nX: y", "/adminx",
                     "javascript:alert(1)"):
            answer = Session(self.place).post("/admin/sign-in", {"key": self.key, "to": path}, token=False)
            self.assertEqual(answer["location"], "/admin", path)

    def test_a_session_ends_with_its_key_at_once_and_its_cookie_is_good_for_nothing_afterwards(self):
        id = str(uuid.uuid4())
        token = admin.token()
        root = admin.Operator(self.place, self.key)
        self.assertEqual(root.add_key(id, ["read", "operate"], key=token).status, 201)
        session = Session(self.place, token)
        self.assertEqual(session.get("/admin/log").status, 200)
        form = session.fields("/admin/new/game")
        self.assertEqual(root.call("DELETE", f"keys/{id}").status, 200)
        for path in ("/admin", "/admin/log", "/admin/log.csv", "/admin/keys"):
            self.assertEqual(session.get(path).status, 401, path)
        body = urllib.parse.urlencode({**form, "slug": "late"}).encode()
        self.assertEqual(session.request("POST", "/admin/new/game", body).status, 401)
        self.assertNotIn("late", [row["slug"] for row in root.get("games").json()["rows"]])

    def test_wrong_keys_count_as_failed_credentials_and_the_good_one_passes(self):
        server = self.server
        for n in range(60):
            answer = Session(self.place).post("/admin/sign-in", {"key": admin.token()}, token=False)
            if answer.status == 429:
                break
            self.assertEqual(answer.status, 401)
        self.assertIn(answer.status, (401, 429))
        Session(self.place, self.key)
        self.assertNotIn(self.key, server.log())

    def test_a_cookie_opens_the_console_alone(self):
        """The admin API takes keys and no cookies, so no page of another site can use it."""
        for path in ("/v1/admin/keys", "/v1/admin/log"):
            self.assertEqual(self.session.get(path).status, 401, path)


class Forms(V1Case):
    def setUp(self):
        self.place = self.server.admin()
        self.key = admin.make_key(self.server)
        self.session = Session(self.place, self.key)
        self.ada = self.player("Ada" + uuid.uuid4().hex[:6])
        self.path = f"/admin/acts?do=hide&player={self.ada.id}"
        self.fields = {"do": "hide", "player": str(self.ada.id), "reason": "A test", "step": "act"}

    def send(self, fields, session=None, **headers):
        body = urllib.parse.urlencode(fields).encode()
        return (session or self.session).request("POST", "/admin/acts", body, **headers)

    def is_hidden(self):
        return admin.Operator(self.place, self.key).get(f"players/{self.ada.id}").json()["hidden"]

    def test_a_form_without_its_token_or_of_another_session_does_nothing(self):
        own = self.session.fields(self.path, "/admin/acts")
        other = Session(self.place, self.key).fields(self.path, "/admin/acts")
        for wrong in ({}, {"id": own["id"]}, {"token": own["token"]}, other, {**own, "id": other["id"]},
                      {**own, "token": other["token"]}, {**own, "id": "x"}, {**own, "token": own["token"][:-1]},
                      {**own, "token": own["token"].upper() + "é"}):
            self.assertEqual(self.send({**self.fields, **wrong}).status, 403, wrong)
        self.assertEqual(self.send({**self.fields, **own}, Session(self.place)).status, 401)
        self.assertFalse(self.is_hidden())
        self.assertEqual(self.send({**self.fields, **own}).status, 303)
        self.assertTrue(self.is_hidden())

    def test_a_form_from_another_sites_page_does_nothing(self):
        own = self.session.fields(self.path, "/admin/acts")
        for headers in ({"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
                        {"Origin": "http://evil.example"}):
            self.assertEqual(self.send({**self.fields, **own}, **headers).status, 403, headers)
        self.assertFalse(self.is_hidden())

    def test_a_form_that_is_sent_twice_is_one_action(self):
        own = self.session.fields(self.path, "/admin/acts")
        answers = [self.send({**self.fields, **own}) for _ in range(3)]
        self.assertEqual([(a.status, a["location"]) for a in answers],
                         [(303, f"/admin/players/{self.ada.id}?done=")] * 3)
        actions = admin.Operator(self.place, self.key).get(f"players/{self.ada.id}/acts").json()["rows"]
        self.assertEqual([(action["do"], action["act"]) for action in actions], [("hide", own["id"])])
        changed = self.send({**self.fields, **own, "reason": "Another"})
        self.assertEqual(changed.status, 409)
        self.assertIn("Another", changed.text, "what was typed stays")

    def test_forms_have_bounds_and_types(self):
        own = self.session.fields(self.path, "/admin/acts")
        self.assertEqual(self.send({**self.fields, **own, "reason": "x" * 70_000}).status, 413)
        self.assertEqual(self.send({**self.fields, **own, "reason": "x" * 501}).status, 422)
        many = urllib.parse.urlencode({**own, **{f"f{n}": "" for n in range(200)}}).encode()
        self.assertEqual(self.session.request("POST", "/admin/acts", many).status, 400)
        self.assertEqual(self.session.request("POST", "/admin/acts", b"reason=%ff&do=%fe").status, 400)
        headers = [("Content-Type", "application/json"), ("Cookie", self.session.cookie), ("Accept", "text/html")]
        self.assertEqual(client.request(self.place, "POST", "/admin/acts", headers, b"{}").status, 415)
        self.assertEqual(self.send({**self.fields, **own, "do": "vanish"}).status, 422)
        self.assertEqual(self.send({**self.fields, **own, "player": "1"}).status, 404)
        self.assertFalse(self.is_hidden())

    def test_pages_may_not_be_framed_nor_kept_nor_load_from_elsewhere(self):
        for path in ("/admin", "/admin/keys", "/admin/sign-in", "/admin/none", self.path):
            answer = self.session.get(path)
            policy = answer["content-security-policy"]
            for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
                self.assertIn(part, policy, path)
            self.assertNotIn("unsafe", policy)
            self.assertIn("no-store", answer["cache-control"], path)
            self.assertIsNone(answer["access-control-allow-origin"])
            self.assertNotIn("<script", answer.text)
            self.assertNotIn(" style=", answer.text)


class Scopes(V1Case):
    """A key is offered what it may do, and is refused the rest."""

    def test_each_page_and_form_needs_its_scope(self):
        place = self.server.admin()
        ada = self.player("Scoped")
        self.assertEqual(ada.post("solo", 5).status, 201)
        hide, player = f"/admin/acts?do=hide&player={ada.id}", f"/admin/players/{ada.id}"
        pages = {
            "read": ["/admin/games", "/admin/charities", "/admin/keys", "/admin/players", player, "/admin/log",
                     "/admin/queue", "/admin/log.csv", "/admin/keys.csv", player + "/ledger.csv", "/admin/stats.csv"],
            "personal": ["/admin/subscribers", "/admin/subscribers.csv"],
            "moderate": [hide],
            "operate": ["/admin/new/game", "/admin/new/charity", "/admin/new/key", "/admin/audits"],
        }
        writes = {
            "moderate": ["/admin/acts"],
            "operate": ["/admin/new/game", "/admin/new/charity", "/admin/new/key", "/admin/audits",
                        f"/admin/keys/{uuid.uuid4()}/end", "/admin/games/quiz",
                        "/admin/games/quiz/boards/solo", "/admin/charities/none", "/admin/games/quiz/new"],
            "personal": ["/admin/players"],
        }
        for scope in pages:
            session = Session(place, admin.make_key(self.server, scope))
            for needed, paths in pages.items():
                for path in paths:
                    with self.subTest(key=scope, path=path):
                        self.assertEqual(session.get(path).status, 200 if needed == scope else 403)
            for needed, paths in writes.items():
                for path in paths:
                    with self.subTest(key=scope, form=path):
                        # Who may is refused for the form that has no token.
                        answer = session.request("POST", path, b"")
                        self.assertEqual(answer.status, 403)
                        self.assertEqual("not of your session" in html.unescape(answer.text), needed == scope)
        moderator = Session(place, admin.make_key(self.server, "read,moderate"))
        text = moderator.get(player).text
        self.assertIn("do=hide", text)
        merge = f"/admin/acts?do=merge&player={ada.id}"
        for word in (player + "/codes", "do=merge", "do=erase"):
            self.assertNotIn(word, text, "what shows all that the player sees takes personal too")
            self.assertIn(word, Session(place, admin.make_key(self.server, "read,moderate,personal")).get(player).text)
        own = moderator.fields(hide, "/admin/acts")
        asked = {**own, "do": "merge", "player": ada.id, "into": ada.id + 1, "reason": "r"}
        for path, fields in (("/admin/acts", {**asked, "step": "preview"}), ("/admin/acts", {**asked, "step": "act"}),
                             (player + "/codes", own)):
            answer = moderator.request("POST", path, urllib.parse.urlencode(fields).encode())
            self.assertEqual(answer.status, 403, path)
            self.assertIn("lacks the scope personal", html.unescape(answer.text), path)
        self.assertEqual(moderator.get(merge + f"&into={ada.id + 1}").status, 403, "nor is it tried")
        reader = Session(place, admin.make_key(self.server, "read"))
        text = reader.get(player).text
        for word in (">Ban<", ">Void<", "E-mail", "/admin/acts?"):
            self.assertNotIn(word, text, "what a key may not do is not offered")
        self.assertNotIn("/admin/new/", reader.get("/admin/games").text)
        self.assertEqual(reader.get("/admin/charities/none").status, 404)

    def test_a_charitys_key_sees_its_charity_alone(self):
        self.server.verb("charity", "add", "own-fund")
        session = Session(self.server.admin(), admin.make_key(self.server, "charity:own-fund"))
        self.assertIn("/admin/charities/own-fund", session.get("/admin").text)
        self.assertEqual(session.get("/admin/charities/own-fund").status, 200)
        self.assertEqual(session.get("/admin/charities/own-fund/donations.csv").status, 200)
        for path in ("/admin/charities", "/admin/log", "/admin/charities/red-cross"):
            self.assertEqual(session.get(path).status, 403, path)


class Listeners(V1Case):
    def test_without_admin_public_nothing_tells_that_there_is_a_console(self):
        for path in ("/admin", "/admin/", "/admin/sign-in", "/admin/keys", "/admin/log.csv", "/admin/acts"):
            for method in ("GET", "POST", "OPTIONS"):
                seen = client.request(self.server, method, path, [("Accept", "text/html")])
                none = client.request(self.server, method, "/nobody" + path[6:], [("Accept", "text/html")])
                self.assertEqual((seen.status, "Sign in" in seen.text), (none.status, False), (method, path))

    def test_with_admin_public_the_console_is_beside_the_clients_addresses(self):
        public = Server("consolepublic", start=False)
        self.addCleanup(public.stop)
        public.start("--admin-public")
        session = Session(public, admin.make_key(public))
        self.assertEqual(session.get("/admin/log").status, 200)
        self.assertIn("Sign in", client.request(public, "GET", "/admin", [("Accept", "text/html")]).text)
        foreign = session.post("/admin/sign-out", {}, page="/admin", Sec_Fetch_Site="cross-site")
        self.assertEqual(foreign.status, 403)
        self.assertEqual(session.post("/admin/sign-out", {}, page="/admin").status, 303)
