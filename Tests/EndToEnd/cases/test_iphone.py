"""The seeds' iPhone client, its Objective-C read line by line: the bodies are built as its format strings build
them."""
import os
import plistlib
import unittest

import client
import feeds
from repository import GOLDEN
from server import Server

AVATAR_PATH = os.path.join(GOLDEN, "avatar40.png")
server = None


def setUpModule():
    global server
    server = Server("iphone")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")


def tearDownModule():
    server.stop()


def register(udid, name, email, updates, image, fb_uid="(null)"):
    """[NSString stringWithFormat:@"name=%@&email=%@&send_updates=%@&image=%s&fb_uid=%@&phone=%@"]: nothing is
    escaped."""
    body = f"name={name}&email={email}&send_updates={updates}&image={image}&fb_uid={fb_uid}&phone={udid}".encode()
    return client.request(server, "PUT", "/customers", body=body)


def high_score(udid, name, score, auth):
    """addRemoteHighScore: Content-Length is set by hand from [params length]."""
    params = (f"high_score[auth_token]={auth}&high_score[player_name]={name}"
              f"&high_score[total_score]={score}&high_score[iphone_udid]={udid}")
    return client.request(server, "POST", "/high_scores", [("Content-Length", str(len(params)))], params.encode())


class IPhone(unittest.TestCase):
    def test_1_without_a_salt_every_high_score_is_refused(self):
        udid = client.device()
        for salt in (client.SALT, "", "nil", "None", "(null)"):
            answer = high_score(udid, "early", 5, client.token(5, udid, salt))
            self.assertEqual((answer.status, answer.body), (422, b""), f"salt {salt!r}")

    def test_2_registers_posts_donates_and_reads(self):
        with open(AVATAR_PATH, "rb") as f:
            avatar = f.read()
        image = client.base64_text(avatar)
        self.assertTrue("+" in image and "/" in image and image.endswith("="))
        udid = client.device()
        answer = register(udid, "yarri", "yarri@example.org", "1", image)
        self.assertEqual(answer.status, 201, answer)
        number = answer.number("id")
        self.assertTrue(1 <= number < 2**31)
        self.assertEqual(answer.field("name"), "yarri")
        self.assertEqual(answer["location"], f"/customers/{number}")

        answer = client.request(server, "PUT", "/scores", body=f"phone={udid}&points=1234".encode())
        self.assertEqual(answer.status, 201, answer)
        self.assertEqual([answer.number(n) for n in ("points", "best", "rank")], [1234, 1234, 1])

        answer = client.request(server,
                                "PUT",
                                "/donations",
                                body=f"phone={udid}&charity=Red Cross&donated_points=34".encode())
        self.assertEqual(answer.status, 201, answer)
        self.assertEqual([answer.number(n) for n in ("donated-points", "balance")], [34, 1200])

        feed = client.get(server, "/TopScores.xml")
        self.assertEqual(feed.status, 200)
        customers = feeds.sax(feed.body)
        self.assertEqual([(c["name"], c["points"]) for c in customers], [("yarri", "34")])
        import base64
        picture = base64.b64decode(customers[0]["image"], validate=True)
        self.assertEqual(client.png_size(picture), (40, 40))
        self.assertEqual(
            feed.text,
            '<?xml version="1.0" encoding="UTF-8"?>\n<customers type="array">\n  <customer>\n    <name>yarri</name>\n'
            f'    <image>{client.base64_text(picture)}</image>\n    <points type="integer">34</points>\n  '
            f'</customer>\n</customers>\n'
        )

        answer = client.get(server, f"/customers/{number}")
        self.assertEqual(answer.status, 200)
        self.assertEqual((answer.number("id"), answer.field("name")), (number, "yarri"))
        self.assertEqual(answer.field("image"), client.base64_text(picture))
        self.assertEqual({c.tag for c in answer.xml()}, {"id", "name", "image"})

    def test_3_posts_with_the_token_in_both_cases_and_reads_the_plist(self):
        server.verb("game", "set", "default", "--salt", client.SALT)
        upper, lower = client.device(), client.device()
        answer = high_score(upper, "player X", 5050, client.token(5050, upper).upper())
        self.assertEqual((answer.status, answer.body), (200, b""))
        answer = high_score(lower, "player Y", 5051, client.token(5051, lower))
        self.assertEqual((answer.status, answer.body), (200, b""))
        feed = client.get(server, "/high_scores.xml")
        self.assertEqual(feed.status, 200)
        rows = plistlib.loads(feed.body)
        self.assertIsInstance(rows, list)
        self.assertEqual(
            [(r["player_name"], r["total_score"]) for r in rows[:2]], [("player Y", 5051), ("player X", 5050)]
        )
        self.assertTrue(all(set(r) == {"created_at", "player_name", "total_score"} for r in rows))

    def test_4_is_refused_with_a_bad_token_and_nothing_is_stored(self):
        server.verb("game", "set", "default", "--salt", client.SALT)
        udid = client.device()
        before = client.get(server, "/high_scores.xml").body
        good = client.token(7777, udid)
        for auth in ("0" * 32, good[:-1], good + "0", "", "(null)", client.token(7778, udid),
                     client.token(7777, client.device()), good[1:] + "g", client.token("07777", udid)):
            answer = high_score(udid, "cheat", 7777, auth)
            self.assertEqual((answer.status, answer.body), (422, b""), f"token {auth!r}")
        self.assertEqual(client.get(server, "/high_scores.xml").body, before)
        self.assertEqual(
            register(udid, "not yet known", "(null)", "0", "").status, 201, "a refused post registered its device")

    def test_5_the_suffix_and_a_missing_field(self):
        server.verb("game", "set", "default", "--salt", client.SALT)
        phone = client.Phone(server)
        answer = phone.high_score("dot xml", 31, path="/high_scores.xml", encode=client.unescaped)
        self.assertEqual((answer.status, answer.body), (200, b""))
        for missing in range(4):
            fields = [("high_score[auth_token]", client.token(32, phone.udid)), ("high_score[player_name]", "x"),
                      ("high_score[total_score]", 32), ("high_score[iphone_udid]", phone.udid)]
            answer = phone.write("POST", "/high_scores", fields[:missing] + fields[missing + 1:])
            self.assertEqual((answer.status, answer.body), (422, b""), f"without {fields[missing][0]}")

    def test_6_a_post_never_renames_and_registers_who_is_unknown(self):
        server.verb("game", "set", "default", "--salt", client.SALT)
        phone = client.Phone(server)
        self.assertEqual(phone.register("Registered").status, 201)
        self.assertEqual(phone.high_score("Alias", 60_001).status, 200)
        entry = plistlib.loads(client.get(server, "/high_scores.xml").body)[0]
        self.assertEqual((entry["player_name"], entry["total_score"]), ("Alias", 60_001))
        self.assertEqual(phone.donate("red-cross", 60_001).status, 201, "a posted high score did not earn")
        self.assertEqual(feeds.sax(client.get(server, "/TopScores.xml").body)[0]["name"], "Registered")
        new = client.Phone(server)
        self.assertEqual(new.high_score("Newcomer", 50).status, 200)
        answer = new.register("(null)")
        self.assertEqual((answer.status, answer.field("name")), (200, "Newcomer"))
