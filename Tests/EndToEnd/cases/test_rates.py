"""Limits by caller, with low rates that are set as an operator would: who is over one waits, everybody else goes on.
Rates are an hour's or a day's, so that nothing passes again while a test runs."""
import contextlib
import re
import unittest

import admin
import client
import promtool
import server as servers
import v1
from admin import Operator
from console import Session
from server import Server, until

READS = "/v1/games"


class Rates(unittest.TestCase):
    server = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server("rates")
        cls.addClassCleanup(cls.server.stop)
        for command in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "solo"),
                        ("game", "set", "default", "--salt", client.SALT),
                        ("charity", "add", "red-cross", "--name", "Red Cross")):
            cls.server.verb(*command)
        cls.key = v1.make_key(cls.server, "quiz")

    @contextlib.contextmanager
    def limited(self, *arguments, **limits):
        """The server, started again with these limits alone lowered: its buckets are full again."""
        self.server.terminate()
        limits = [f"--limit={name.replace('_', '-')}={rate}" for name, rate in limits.items()]
        self.server.start("--limits", "on", *limits, *arguments)
        yield self.server

    def get(self, path=READS, address="127.0.0.1", **headers):
        with client.Connection(self.server, address=address) as connection:
            return connection.get(path, **headers)

    def post(self, who, address="127.0.0.1", **fields):
        with client.Connection(self.server, address=address) as connection:
            return v1.call(connection, "PUT", f"/v1/games/quiz/boards/solo/scores/{v1.new_id()}",
                           {"points": 5, **fields}, who=who)

    def over(self, answer, limit):
        self.assertEqual(answer.status, 429, answer)
        self.assertEqual(answer.media, "application/problem+json")
        problem = answer.json()
        self.assertEqual((problem["type"], problem["limit"]), ("/problems/rate-limited", limit))
        self.assertGreaterEqual(int(answer["retry-after"]), 1)
        self.assertIn(f"{answer['retry-after']} s", problem["detail"])
        self.assertEqual([name for name, _ in answer.headers if "ratelimit" in name.lower()], [])

    def test_one_address_waits_and_another_one_is_served(self):
        with self.limited(address_reads="3/h", address_writes="2/h"):
            for _ in range(3):
                self.assertEqual(self.get().status, 200)
            self.over(self.get(), "address-reads")
            self.over(self.get("/v1/games/quiz/boards/solo/top.json"), "address-reads")
            self.assertEqual(self.get(address="127.0.0.2").status, 200)
            for _ in range(2):
                self.assertEqual(self.post(v1.token(), player=1).status, 401)
            self.over(self.post(v1.token()), "address-writes")
            for path in ("/healthz", "/readyz"):
                for _ in range(5):
                    self.assertEqual(self.get(path).status, 200)
            counted = dict(re.findall(r'^causeboard_rate_limited_total\{limit="([a-z-]+)"\} (\d+)$',
                                      client.get(self.server.admin(), "/metrics").text, re.M))
            self.assertEqual((counted["address-reads"], counted["address-writes"], counted["player-posts"]),
                             ("2", "1", "0"))

    def test_a_header_is_believed_from_trusted_proxies_alone(self):
        with self.limited(address_reads="2/h"):
            for n in range(2):
                self.assertEqual(self.get(X_Forwarded_For=f"203.0.113.{n}", Forwarded=f"for=203.0.113.{n}").status, 200)
            self.over(self.get(X_Forwarded_For="203.0.113.9", Forwarded="for=203.0.113.9"), "address-reads")
        with self.limited("--trusted-proxies", "127.0.0.0/8,::1", address_reads="2/h"):
            for address in ("127.0.0.1", "127.0.0.2"):
                self.assertEqual(
                    self.get(address=address, X_Forwarded_For=f"6.6.6.6, 203.0.113.1, {address}").status, 200)
            self.over(self.get(X_Forwarded_For="7.7.7.7, 203.0.113.1"), "address-reads")
            self.over(self.get(X_Forwarded_For="203.0.113.1", Forwarded="for=203.0.113.77"), "address-reads")
            self.assertEqual(self.get(X_Forwarded_For="203.0.113.2").status, 200)
        with self.limited("--trusted-proxies=127.0.0.1", "--proxy-header=forwarded", address_reads="1/h"):
            self.assertEqual(self.get(Forwarded='for="[2001:db8::1]:4711";proto=https').status, 200)
            self.over(self.get(Forwarded='for="[2001:db8::2]"', X_Forwarded_For="203.0.113.3"), "address-reads")
            self.assertEqual(self.get(Forwarded='for="[2001:db8:0:1::1]"').status, 200)

    def test_an_event_is_not_limited_by_its_address(self):
        with self.limited("--event-network", "127.0.0.2", "--event-network", "127.0.1.0/24", address_reads="1/h"):
            for address in ("127.0.0.2", "127.0.1.9"):
                for _ in range(3):
                    self.assertEqual(self.get(address=address).status, 200)
            self.assertEqual(self.get(address="127.0.0.3").status, 200)
            self.over(self.get(address="127.0.0.3"), "address-reads")

    def test_good_tokens_pass_where_wrong_ones_have_used_up_the_limit(self):
        ada = v1.Player(self.server, "quiz", "Ada")
        with self.limited(failed_credentials="3/h"):
            for _ in range(3):
                self.assertEqual(self.post(v1.token()).status, 401)
            for wrong in (v1.token(), "cbk_" + v1.token()[4:]):
                self.over(self.post(wrong, player=ada.id), "failed-credentials")
            self.assertEqual(self.post(ada.token).status, 201)
            self.assertEqual(self.post(self.key, player=ada.id).status, 201)
            self.assertEqual(self.post(v1.token(), address="127.0.0.2").status, 401)

    def test_a_player_over_a_limit_waits_and_nothing_is_recorded(self):
        ada, bob = (v1.Player(self.server, "quiz", name) for name in ("Ada", "Bob"))
        with self.limited(player_posts="2/h", player_donations="1/h", player_renames="1/day"):
            for _ in range(2):
                self.assertEqual(self.post(ada.token).status, 201)
            self.over(self.post(ada.token, address="127.0.0.2"), "player-posts")
            self.assertEqual(self.post(bob.token).status, 201)
            self.assertEqual(len(ada.get("/v1/players/me/scores").json()["rows"]), 2)
            self.assertEqual(ada.donate("red-cross", 1).status, 201)
            self.over(ada.donate("red-cross", 1), "player-donations")
            self.assertEqual(ada.left(), 9)
            device = f"/v1/games/quiz/devices/{ada.device}"
            for name in ("Ada", "Ada", "Zoe", "Zoe"):
                self.assertEqual(ada.call("PUT", device, {"name": name}).status, 200, name)
            self.over(ada.call("PUT", device, {"name": "Eve"}), "player-renames")
            self.over(ada.call("PATCH", "/v1/players/me", {"name": "Eve"}), "player-renames")
            self.assertEqual(ada.get("/v1/players/me").json()["name"], "Zoe")

    def joined(self, player):
        """The token of another device of the player."""
        token = v1.token()
        code = player.call("POST", "/v1/players/me/codes").json()["code"]
        answer = v1.call(self.server, "PUT", f"/v1/games/quiz/devices/{client.device()}", {"code": code}, who=token)
        self.assertEqual(answer.status, 201, answer)
        return token

    def is_current(self):
        return (promtool.metric(self.server, "stream_seconds_since_heartbeat") or 60) < 1

    def test_another_device_or_token_gives_a_player_no_other_limit(self):
        ada, bob = (v1.Player(self.server, "quiz", name) for name in ("Ada", "Bob"))
        with self.limited(player_posts="20/h", player_donations="20/h", player_renames="1/day", player_codes="10/h"):
            for _ in range(20):
                self.assertEqual(self.post(ada.token).status, 201)
            self.over(self.post(ada.token), "player-posts")
            for _ in range(20):
                self.assertEqual(ada.donate("red-cross", 1).status, 201)
            self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Zoe"}).status, 200)
            other = self.joined(ada)
            # All new devices of a player share a limit, so that they take nothing from the owner's.
            renames = [v1.call(self.server, "PATCH", "/v1/players/me", {"name": name}, who=token)
                       for name, token in (("Eve", other), ("Zoe", self.joined(ada)))]
            self.assertEqual(renames[0].status, 200, renames[0])
            self.over(renames[1], "player-renames")
            self.over(ada.call("PATCH", "/v1/players/me", {"name": "Zoe"}), "player-renames")
            rotated = v1.token()
            answer = v1.call(self.server, "PUT", "/v1/players/me/token", {"token": rotated}, who=ada.token)
            self.assertEqual(answer.status, 200, answer)
            for token in (other, rotated):
                # A token is known to be the player's with its second write at the latest, while nobody changes devices
                # and the stream has brought what was acknowledged. Its own bucket would let 20 pass.
                posts, donations = [], []
                while len(posts) < 15 and posts[-1:] + donations[-1:] != [429, 429]:
                    until(self.is_current, 60, "the stream has brought everything")
                    posts.append(self.post(token).status)
                    donations.append(v1.call(self.server, "PUT", f"/v1/charities/red-cross/donations/{v1.new_id()}",
                                         {"points": 1}, who=token).status)
                self.assertEqual(posts[-1], 429, posts)
                self.assertEqual(donations[-1], 429, donations)
            self.assertEqual(self.post(bob.token).status, 201)

    def test_operators_are_limited_where_clients_may_call_them(self):
        key = admin.make_key(self.server, "read")
        with self.limited("--admin-public", address_reads="3/h", address_writes="2/h", failed_credentials="20/h"):
            invented = admin.token()
            for _ in range(3):
                self.assertEqual(Operator(self.server, invented).get("games").status, 401)
            self.over(Operator(self.server, invented).get("games"), "address-reads")
            for _ in range(2):
                answer = Session(self.server).post("/admin/sign-in", {"key": invented}, token=False)
                self.assertEqual(answer.status, 401, answer)
            self.assertEqual(Session(self.server).post("/admin/sign-in", {"key": invented}, token=False).status, 429)
            for _ in range(5):
                self.assertEqual(Operator(self.server, key).get("games").status, 200, "a good key passes")
                self.assertEqual(Operator(self.server.admin(), invented).get("games").status, 401, "counts nowhere")

    def test_a_good_key_counts_for_itself_alone(self):
        with self.limited(address_writes="2/h", address_reads="1/h", key_requests="8/h"):
            made = v1.call(self.server, "PUT", "/v1/games/quiz/players/u-1", {"name": "Cid"}, who=self.key)
            self.assertIn(made.status, (200, 201), made)
            for n in range(6):
                self.assertEqual(self.post(self.key, external="u-1", address=f"127.0.0.{n + 1}").status, 201)
            self.assertEqual(self.get(Authorization="Bearer " + self.key).status, 200)
            self.over(self.post(self.key, external="u-1", address="127.0.0.9"), "key-requests")
            invented = "cbk_" + v1.token()[4:]
            for _ in range(2):
                self.assertEqual(self.post(invented, external="u-1").status, 401)
            self.over(self.post(invented, external="u-1"), "address-writes")

    def test_a_revoked_key_counts_for_its_address(self):
        key = v1.make_key(self.server, "quiz", "short-lived")
        v1.call(self.server, "PUT", "/v1/games/quiz/players/u-2", {"name": "Dora"}, who=key)
        with self.limited(address_writes="2/h"):
            for _ in range(3):
                self.assertEqual(self.post(key, external="u-2").status, 201)
            number = next(line.split()[0] for line in self.server.verb("key", "list", "--game", "quiz").splitlines()
                          if "short-lived" in line)
            self.server.verb("key", "revoke", "--game", "quiz", number)
            statuses = []

            def has_ended():
                statuses[:] = [self.post(key, external="u-2").status]
                return statuses != [201]
            until(has_ended, 30, "the key has ended")
            statuses += [self.post(key, external="u-2").status for _ in range(3)]
            self.assertEqual(statuses, [401, 401, 401, 429], "the first one told that it is good no longer")

    def test_a_strangers_posts_use_up_nothing_of_a_classic_device(self):
        phone = client.Phone(self.server, connection=client.Connection(self.server, address="127.0.0.1"))
        elsewhere = client.Connection(self.server, address="127.0.0.2")
        stranger = client.Phone(self.server, udid=phone.udid, connection=elsewhere)
        with self.limited(player_posts="2/h", address_registrations="2/h"):
            self.assertEqual(phone.register("Yarri").status, 201)
            for _ in range(2):
                self.assertLess(stranger.post(5).status, 300)
            refused = stranger.post(5)
            self.assertEqual((refused.status, refused.xml().tag), (429, "errors"), refused)
            self.assertGreaterEqual(int(refused["retry-after"]), 1)
            self.assertEqual(stranger.high_score("Yarri", 7).status, 429)
            self.assertEqual(phone.high_score("Yarri", 7).status, 200)
            self.assertLess(phone.register("Yarri").status, 300)
            self.assertEqual(phone.register("Yarri").status, 429)
            phone.close()
            stranger.close()

    def test_with_limits_off_nothing_is_limited(self):
        with self.limited("--limits", "off", address_reads="1/h"):
            for _ in range(3):
                self.assertEqual(self.get().status, 200)


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("rate-settings")
        cls.addClassCleanup(cls.server.stop)

    def checked(self, **settings):
        env = servers.clean_environment(**{f"CAUSEBOARD_{name}": value for name, value in settings.items()})
        done = self.server.run_verb("check", env=env)
        return done.returncode, done.stdout + done.stderr

    def test_good_settings(self):
        for settings in ({"LIMIT": "address-reads=10/s:20, player-renames=1/day"}, {"LIMITS": "on"}, {"LIMITS": "off"},
                         {"TRUSTED_PROXIES": "10.0.0.0/8, ::1"}, {"PROXY_HEADER": "Forwarded"},
                         {"EVENT_NETWORK": ",".join(f"192.0.2.{n}" for n in range(8))}):
            with self.subTest(settings):
                status, told = self.checked(**settings)
                self.assertEqual(status, 0, told)

    def test_a_bad_setting_is_refused_with_what_to_change(self):
        for settings, words in (({"LIMIT": "address-reeds=1/s"}, ["address-reeds", "address-reads", "key-requests"]),
                                ({"LIMIT": "address-reads"}, ["address-reads=6000/min:12000", "day"]),
                                ({"LIMIT": "address-reads=0/s"}, ["address-reads=0/s"]),
                                ({"LIMIT": "address-reads=1/day:1000"}, ["366 days"]),
                                ({"LIMIT": "address-reads=1/s,address-reads=2/s"}, ["twice"]),
                                ({"LIMITS": "maybe"}, ["on or off"]),
                                ({"TRUSTED_PROXIES": "10.0.0.1/8"}, ['"10.0.0.1/8"', "10.0.0.0/8"]),
                                ({"TRUSTED_PROXIES": "10.0.0.0/8,,::1"}, ['""']),
                                ({"PROXY_HEADER": "via"}, ["x-forwarded-for or forwarded"]),
                                ({"EVENT_NETWORK": ",".join(f"192.0.2.{n}" for n in range(9))}, ["at most 8"])):
            with self.subTest(settings):
                status, told = self.checked(**settings)
                self.assertNotEqual(status, 0, told)
                for word in words:
                    self.assertIn(word, " ".join(told.split()))
