"""Many clients at once and one wallet: what was donated never exceeds what was earned, and twins are one."""
import collections
import threading
import unittest
import uuid

import client
from server import Server

server = None


def setUpModule():
    global server
    server = Server("wallet")
    server.verb("game", "set", "default", "--salt", client.SALT)
    for slug in ("a", "b", "c"):
        server.verb("charity", "add", slug, "--name", f"Charity {slug}")


def tearDownModule():
    server.stop()


def is_taken(answer, is_again):
    """Whether a write was recorded that has an id of its own."""
    return answer.status == 201 or is_again and answer.status == 200


class Wallet(unittest.TestCase):
    def test_64_clients_spend_one_wallet(self):
        owner = client.Phone(server)
        self.assertEqual(owner.register("rich").status, 201)
        self.assertEqual(owner.post(1_000).status, 201)
        accepted, refused, lock, gate = [], collections.Counter(), threading.Lock(), threading.Barrier(64)

        def spend(n):
            with client.Connection(server) as connection:
                phone = client.Phone(server, owner.udid, connection.open())
                gate.wait(30)
                for k in range(8):
                    points, id = 1 + (n * 7 + k * 13) % 40, uuid.uuid4()
                    answer, is_again = client.until_taken(lambda: phone.donate("abc"[(n + k) % 3], points, id=id))
                    with lock:
                        if is_taken(answer, is_again):
                            accepted.append(points)
                        else:
                            refused[answer.status] += 1
        client.in_threads(64, spend)
        self.assertEqual(set(refused), {422}, refused)
        self.assertLessEqual(sum(accepted), 1_000)
        rest = 1_000 - sum(accepted)
        if rest:
            self.assertEqual(owner.donate("a", rest).number("balance"), 0)
        self.assertEqual(owner.donate("a", 1, id=uuid.uuid4()).status, 422)
        self.assertEqual(server.psql("select sum(points) from donation"), [["1000"]])
        self.assertEqual(client.get(server, "/TopScores.xml").xml().find("customer/points").text, "1000")
        server.audit()

    def test_earning_and_spending_at_once(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("both").status, 201)
        donated, lock = [], threading.Lock()

        def play(n):
            with client.Connection(server) as connection:
                mine = client.Phone(server, phone.udid, connection)
                for k in range(10):
                    id = uuid.uuid4()
                    if n % 2:
                        answer, is_again = client.until_taken(lambda: mine.post(1_000 + n * 10 + k, id=id))
                        assert is_taken(answer, is_again), answer
                    else:
                        answer, is_again = client.until_taken(lambda: mine.donate("b", 700, id=id))
                        if is_taken(answer, is_again):
                            assert answer.number("balance") >= 0
                            with lock:
                                donated.append(700)
                        else:
                            assert answer.status == 422, answer
        client.in_threads(16, play)
        earned = sum(1_000 + n * 10 + k for n in range(1, 16, 2) for k in range(10))
        rest = earned - sum(donated)
        self.assertGreaterEqual(rest, 0)
        self.assertEqual(phone.donate("b", rest + 1).status, 422)
        if rest:
            self.assertEqual(phone.donate("b", rest).number("balance"), 0)
        server.audit()

    def test_of_concurrent_twins_one_is_201_and_the_others_200(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("twins").status, 201)
        self.assertEqual(phone.post(5_000).status, 201)
        for what in range(6):
            id, statuses, gate = str(uuid.uuid4()), [], threading.Barrier(12)

            def send(_):
                with client.Connection(server) as connection:
                    twin = client.Phone(server, phone.udid, connection.open())
                    gate.wait(30)
                    answer, _ = client.until_taken(
                        lambda: twin.post(100 + what, id=id) if what % 2 else twin.donate("c", 10 + what, id=id))
                    statuses.append(answer.status)
            client.in_threads(12, send)
            self.assertEqual(dict(collections.Counter(statuses)), {201: 1, 200: 11})

    def test_one_device_registers_many_times_at_once(self):
        udid, statuses, ids, gate = client.device(), [], set(), threading.Barrier(12)

        def send(n):
            with client.Connection(server) as connection:
                phone = client.Phone(server, udid, connection.open())
                gate.wait(30)
                answer = phone.register(f"name {n}") if n % 3 else phone.high_score("posted", 900 + n)
                statuses.append(answer.status)
                if n % 3:
                    ids.add(answer.number("id"))
        client.in_threads(12, send)
        self.assertLessEqual(set(statuses), {200, 201})
        self.assertLessEqual(statuses.count(201), 1)
        self.assertEqual(len(ids), 1, "one device became several players")
