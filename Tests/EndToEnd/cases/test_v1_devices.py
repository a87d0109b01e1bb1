"""Devices of v1: how a device comes by its token, and which tokens are refused."""
import unicodedata

import client
import v1
import v1_case
from v1_case import V1Case


def setUpModule():
    v1_case.start("v1devices")


class Devices(V1Case):
    def put(self, device, who=None, game="quiz", **fields):
        return self.call("PUT", f"/v1/games/{game}/devices/{device}", {"name": "Ada", **fields}, who=who)

    def test_the_first_token_binds(self):
        device, token = client.device(), v1.token()
        answer = self.put(device, token, country="nz")
        made = self.private(answer, 201)
        self.assertEqual(set(made), {"player", "sign_key"}, "a token that was sent is not sent back")
        self.assertRegex(made["sign_key"], r"^cbs_[A-Za-z0-9_-]{43}$")
        self.assertEqual(made["player"], {"id": made["player"]["id"], "name": "Ada"})
        self.assertEqual(answer["location"], f"/v1/players/{made['player']['id']}")
        again = self.put(device, token, name="Ada L")
        self.assertEqual(
            self.private(again, 200), {
                "player": {"id": made["player"]["id"], "name": "Ada L"}, "sign_key": made["sign_key"]
            })
        for stranger in (None, v1.token()):
            self.problem(self.put(device, stranger, name="Eve"), 409, "label-taken")
        self.problem(self.put(device, self.key, name="Eve"), 403, "forbidden")
        for scheme in ("Basic eA==", "Bearer", "Bearer x", token, f"Bearer {token}x", f"Bearer {token[:-1]}",
                       "Bearer cbd_" + "!" * 43):
            answer = self.call("PUT",
                               f"/v1/games/quiz/devices/{device}", {"name": "Eve"},
                               headers=[("Authorization", scheme)])
            self.problem(answer, 401, "unauthorized")
        self.assertEqual(
            self.call("GET", "/v1/players/me", who=token).json()["name"], "Ada L", "a refusal changes nothing")
        answer = self.call("PUT",
                           f"/v1/games/quiz/devices/{device}", {},
                           headers=[("Authorization", "bearer   " + token)])
        self.assertEqual(answer.status, 200, "the scheme's case does not matter, and a known player needs no name")

    def test_a_token_made_by_the_server_is_in_the_201_only(self):
        device = client.device()
        made = self.private(self.put(device), 201)
        self.assertRegex(made["token"], r"^cbd_[A-Za-z0-9_-]{43}$")
        again = self.private(self.put(device, made["token"]), 200)
        self.assertNotIn("token", again)
        self.assertEqual(again["player"]["id"], made["player"]["id"])
        self.assertEqual(again["sign_key"], made["sign_key"])
        self.problem(self.put(device), 409, "label-taken")

    def test_a_token_is_of_one_device_only(self):
        token, first = v1.token(), client.device()
        made = self.put(first, token, name="Uma").json()
        other = client.device()
        # A restored phone has its token and another label: it is the same device.
        self.assertEqual(self.private(self.put(other, token, name="Uma"), 200), made)
        self.assertEqual(self.call("GET", "/v1/players/me", who=token).json()["devices"], 1)
        self.problem(self.put(other, token, game="chess"), 401, "unauthorized")
        # The former label is free, and the new one is taken.
        self.assertEqual(self.put(first, v1.token()).status, 201)
        said = self.problem(self.put(other, v1.token()), 409, "label-taken")
        self.assertIn("Choose a random UUID", said["detail"])
        self.problem(self.put(first, token), 409, "label-taken")
        self.assertEqual(self.call("GET", "/v1/players/me", who=token).status, 200, "the token is as good as before")

    def test_a_device_is_of_one_game(self):
        device = client.device()
        here, there = self.put(device), self.put(device, game="chess")
        self.assertEqual((here.status, there.status), (201, 201))
        self.assertNotEqual(here.json()["player"]["id"], there.json()["player"]["id"])

    def test_of_twenty_first_puts_exactly_one_binds(self):
        for shape in ("own tokens", "no tokens", "one token"):
            with self.subTest(shape=shape):
                device = client.device()
                tokens = [v1.token()] * 20 if shape == "one token" else [v1.token() for _ in range(20)]
                answers = [None] * 20

                def first(n):
                    answers[n] = self.put(device, None if shape == "no tokens" else tokens[n], name=f"n{n}")
                client.in_threads(20, first)
                made = [a for a in answers if a.status == 201]
                self.assertEqual(len(made), 1, [a.status for a in answers])
                others = {a.status for a in answers} - {201}
                self.assertEqual(others, {200} if shape == "one token" else {409})
                winner = made[0].json().get("token") or tokens[answers.index(made[0])]
                self.assertEqual(self.call("GET", "/v1/players/me", who=winner).status, 200)
                for n, token in enumerate(tokens):
                    if token != winner:
                        self.problem(self.call("GET", "/v1/players/me", who=token), 401)

    def test_a_classic_device_takes_up_a_token(self):
        phone = client.Phone(self.server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        self.assertEqual(phone.post(50).status, 201)
        token = v1.token()
        bound = self.put(phone.udid, token, game="default", name="New")
        self.assertEqual(bound.status, 200, bound)
        mine = self.call("GET", "/v1/players/me", who=token).json()
        self.assertEqual((mine["name"], mine["earned"]), ("New", 50))
        for answer in (phone.register("Thief"), phone.post(60), phone.donate("red-cross", 1),
                       phone.write("PUT", f"/customers/{mine['id']}", {"name": "x", "phone": phone.udid})):
            self.assertEqual(answer.status, 403, answer)
        self.problem(self.put(phone.udid, v1.token(), game="default"), 409, "label-taken")
        self.problem(self.put(phone.udid, game="default"), 409, "label-taken")
        self.assertEqual(self.call("GET", "/v1/players/me", who=token).json(), mine)
        self.assertLessEqual(mine["id"], 2**31 - 1, "2009 clients keep an int")

    def test_a_classic_device_is_given_no_token(self):
        """Only a new device gets one made: else whoever knows a device id could lock its player out."""
        phone = client.Phone(self.server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        self.problem(self.put(phone.udid, game="default"), 409, "label-taken")
        self.assertEqual(phone.post(5).status, 201)

    def test_a_classic_device_is_not_taken_up_while_classic_is_not_open(self):
        phone = client.Phone(self.server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        for mode in ("token", "off"):
            self.server.verb("game", "set", "default", "--classic", mode)
            try:
                self.problem(self.put(phone.udid, v1.token(), game="default"), 409, "label-taken")
                self.problem(self.put(phone.udid, game="default"), 409, "label-taken")
            finally:
                self.server.verb("game", "set", "default", "--classic", "open")
        self.assertEqual(phone.post(5).status, 201)
        self.assertEqual(self.put(phone.udid, v1.token(), game="default").status, 200)

    def test_refusals(self):
        self.problem(self.put(client.device(), game="nope"), 404, "not-found")
        for label in ("a" * 65, "a%20b", "%C3%A9", "a%2Fb", "%00"):
            self.problem(self.put(label), 400)
        for label in ("a" * 64, "A.z_0-9:{}", "%41b%7Bc%7D", client.device()):
            self.assertEqual(self.put(label).status, 201, label)
        self.assertEqual(self.put("%61bc").status, 201)
        self.problem(self.put("abc"), 409, "label-taken")
        device = client.device()
        for fields in (
            {"name": None},
            {"name": ""},
            {"name": 5},
            {"name": "a\nb"},
            {"name": "x" * 33},
            {"name": ["a"]},
            {"name": "a\u202eb"},
            {"name": "\u200b"},
            {"image": "nonsense"},
            {"image": "aGVsbG8="},
            {"email": "x" * 300},
            {"country": "Germany"},
            {"country": "1"},
            {"image": 7},
            {"email": {"a": 1}},
        ):
            with self.subTest(fields=fields):
                body = self.problem(self.put(device, **fields), 422)
                self.assertIn(body["type"], ("/problems/field", "/problems/name-refused"))
                self.assertEqual(body.get("field"), list(fields)[0], body)
        for name in ("Anonymous", "ANONYMOUS", "A former player", "Red Cross"):
            self.problem(self.put(device, name=name), 422, "name-refused")
        self.problem(self.call("PUT", f"/v1/games/quiz/devices/{device}", {}), 422, "field")
        self.assertEqual(self.put(device).status, 201, "a refusal takes no device")

    def test_fields(self):
        device, token = client.device(), v1.token()
        picture = client.base64_text(client.png())
        made = self.put(device,
                        token,
                        name="e\u0301",
                        image=picture,
                        email="ada@example.org",
                        send_updates=True,
                        country="nz",
                        unknown=[1]).json()["player"]
        self.assertEqual(made["name"], unicodedata.normalize("NFC", "e\u0301"))
        face = client.get(self.server, made["avatar"])
        self.assertEqual((face.status, face.media), (200, "image/png"))
        self.assertEqual(client.png_size(face.body), (40, 40))
        self.assertIn("max-age=86400", face["cache-control"])
        mine = self.call("GET", "/v1/players/me", who=token).json()
        self.assertEqual((mine["country"], mine["send_updates"], mine["avatar"]), ("NZ", True, made["avatar"]))
        self.assertEqual(self.put(device, token).json()["player"]["avatar"], made["avatar"], "absent keeps")
        url = "data:image/jpeg;base64," + client.base64_text(client.JPEG)
        changed = self.put(device, token, image=url).json()["player"]
        self.assertNotEqual(changed["avatar"], made["avatar"])
        self.assertEqual(client.get(self.server, made["avatar"]).status, 410, "when no visible player uses it")
        for clear in (None, ""):
            self.put(device, token, image=url, country="DE")
            self.assertNotIn("avatar",
                             self.put(device, token, image=clear, country=clear, email=clear).json()["player"])
            self.assertNotIn("country", self.call("GET", "/v1/players/me", who=token).json())
        self.assertEqual(client.get(self.server, f"/v1/avatars/{'0' * 64}.png").status, 404)
