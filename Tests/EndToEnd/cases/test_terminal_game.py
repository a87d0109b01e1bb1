"""The game in a terminal, which the library's documentation explains, over a pseudo-terminal against a real server."""
import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import threading
import unittest

import client
import v1
from relay import Relay
from server import Server, binary, free_port, scratch, until

WAITS = True

GAME = os.path.join(os.path.dirname(binary() or ""), "TerminalGame")
SECONDS_MAX = 60
QUIET = {"SWIFT_BACKTRACE": "enable=no"}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PLATE = re.compile(r"[│║](\w) +\d+[ ↓] [│║]")
HOOKS = "1234qwerasdfzxcv"
SHOWN, HIDDEN = "\x1b[?1049h", "\x1b[?25h\x1b[?1049l"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"


def setUpModule():
    if not os.access(GAME, os.X_OK):
        raise unittest.SkipTest("there is no TerminalGame beside the server: build all products")


class Player:
    """Somebody who plays in a terminal of 80 columns and 24 rows, and keeps what the device keeps in `home`."""

    def __init__(self, port, home, *arguments, rows=24):
        self.master, self.terminal = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        self.settings = termios.tcgetattr(self.terminal)
        environment = {k: v for k, v in os.environ.items() if k != "XDG_DATA_HOME"} | QUIET | {"HOME": home}
        self.process = subprocess.Popen(
            [GAME, "--server", f"http://127.0.0.1:{port}", "--game", "maze", "--board", "lap", *arguments],
            stdin=self.terminal, stdout=self.terminal, stderr=self.terminal, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.output = ""
        self.read = 0
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        text = b""
        while True:
            try:
                text += os.read(self.master, 65536)
            except OSError:
                return
            self.output = text.decode(errors="replace")

    def type(self, text):
        os.write(self.master, text.encode())

    def sees(self, pattern, seconds=SECONDS_MAX):
        """Waits for a text after what was seen last; returns what of it stands in brackets."""
        def found():
            return re.compile(pattern).search(self.output, self.read)
        try:
            match = until(found, seconds, f"the game shows {pattern}")
        except AssertionError as e:
            raise AssertionError(f"{e}\n{CONTROL.sub('', self.output[-3000:])}") from None
        self.read = match.end()
        return match[1] if match.groups() else match[0]

    def field(self):
        """The last field that was drawn whole, without colours."""
        frames = reversed(self.output.split("\x1b[H"))
        return next((CONTROL.sub("", frame) for frame in frames if "\x1b[J" in frame), "")

    def plates(self):
        """The keys of the hooks on which plates hang."""
        return PLATE.findall(self.field())

    def is_over(self):
        return self.output.find("Time is up.", self.read) >= 0

    def play(self):
        """Plays a game by the keys of the hooks; returns the score."""
        while not self.is_over():
            before = self.field()
            for key in self.plates():
                self.type(key)
            until(lambda: self.field() != before or self.is_over(), SECONDS_MAX, "the field moves")
        return int(self.sees(r"Time is up\. Score: (\d+)\."))

    def walk_to_a_plate(self):
        """Takes the first plate by arrows and space."""
        at = HOOKS.index("w")
        while "score 0" in (field := self.field()) or not field:
            if plates := self.plates():
                to = HOOKS.index(plates[0])
                down, right = to // 4 - at // 4, to % 4 - at % 4
                self.type(DOWN * down + UP * -down + RIGHT * right + LEFT * -right + " ")
                at = to
            until(lambda: self.field() != field or self.is_over(), SECONDS_MAX, "the field moves")
            if self.is_over():
                raise AssertionError("no plate was taken by arrows and space")

    def ends(self):
        """Its exit status, once it has ended; the terminal has to be as it was before."""
        status = self.process.wait(SECONDS_MAX)
        if termios.tcgetattr(self.terminal) != self.settings:
            raise AssertionError("the terminal is not as it was before")
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        os.close(self.terminal)
        self.reader.join(10)
        os.close(self.master)


class ClientCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(f"terminal-{cls.__name__.lower()}")
        cls.addClassCleanup(cls.server.stop)
        cls.server.verb("game", "add", "maze", "--name", "Maze", "--friends", "codes")
        cls.server.verb("board", "add", "--game", "maze", "lap")
        cls.server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")
        for name, points in (("Bob", 10), ("Cy", 1_000_000)):
            if v1.Player(cls.server, "maze", name).post("lap", points).status != 201:
                raise AssertionError(f"{name} could not post")

    def player(self, port, home, *arguments, **how):
        player = Player(port, home, *arguments, **how)
        self.addCleanup(player.close)
        return player

    def ranked(self):
        rows = client.get(self.server, "/v1/games/maze/boards/lap/top.json").json()["rows"]
        return [(row["name"], row["points"]) for row in rows]

    def donated(self):
        return client.get(self.server, "/v1/charities/tree-fund").json()["points"]


class Playing(ClientCase):
    def test_by_keys_from_the_first_plate_to_a_donation_and_the_next_game(self):
        ada = self.player(self.server.port, scratch("home-of-ada"))
        ada.sees("Enter begins")
        ada.type("\n")
        ada.sees(re.escape(SHOWN))
        ada.walk_to_a_plate()
        score = ada.play()
        self.assertGreaterEqual(score, 20)
        self.assertEqual(termios.tcgetattr(ada.terminal), ada.settings)
        ada.sees("That would be rank 2")
        # The server refuses this name, and the game asks for another.
        ada.type("Anonymous\n")
        ada.sees(r"Choose another name\..*")
        ada.sees("Your name on the board")
        ada.type("Ada\n")
        # The own row climbs over Bob's.
        ada.sees(r"▶ +3 +\d+  Ada")
        self.assertEqual(int(ada.sees(r"▶ +2 +(\d+)  Ada")), score)
        ada.sees("Posted: rank 2 of 3")
        self.assertEqual(self.ranked(), [("Cy", 1_000_000), ("Ada", score), ("Bob", 10)])

        ada.sees(f"You have {score} to donate")
        ada.sees("1  Tree Fund")
        ada.sees("Which charity")
        ada.type("7\n")
        ada.sees("A number from 1 to 1, please")
        ada.type("1\n")
        ada.sees("How many points")
        ada.type(f"{score + 1}\n")
        ada.sees(f"A number from 1 to {score}, please")
        ada.type("15\n")
        ada.sees(f"15 donated to Tree Fund. Thank you. You have {score - 15} left")
        self.assertEqual(self.donated(), 15)

        ada.sees("Enter plays again")
        ada.type("n\n")
        self.assertEqual(ada.ends(), 0)
        self.server.audit()

    def test_two_players_become_friends_by_a_code_and_see_the_board_among_them(self):
        eve, fay = (self.player(self.server.port, scratch(f"home-of-{name}")) for name in ("eve", "fay"))
        eve.sees("Enter begins, f shows friends")
        eve.type("f\n")
        eve.sees("Post a score first")
        scores = {}
        for name, player in (("Eve", eve), ("Fay", fay)):
            player.sees("Enter begins")
            player.type("\n")
            scores[name] = player.play()
            player.sees("Your name on the board")
            player.type(f"{name}\n")
            player.sees("Which charity")
            player.type("\n")
            player.sees("Enter plays again, f shows friends")
            player.type("f\n")
            player.sees("You and your friends:")
            player.sees(rf"▶ +1 +{scores[name]}  {name}")
            player.sees("A friend's code")
        eve.type("c\n")
        code = eve.sees(r"Your friend code is (\w{8})\.")
        fay.type("00000000\n")
        fay.sees("This friend code does not work")
        fay.sees("A friend's code")
        fay.type(f" {code[:4].lower()}-{code[4:].lower()}\n")
        fay.sees("You and Eve are friends now")
        places = sorted(scores, key=scores.get, reverse=True)
        for place, name in enumerate(places, 1):
            fay.sees(rf"{'▶' if name == 'Fay' else ' '} +{place} +{scores[name]}  {name}")
        # Bob and Cy are on the board, and no friends.
        self.assertNotIn("Cy", fay.output.rpartition("You and your friends:")[2])
        for player in (eve, fay):
            player.sees("A friend's code")
            player.type("\n")
            player.sees("Enter plays again")
            player.type("n\n")
            self.assertEqual(player.ends(), 0)

    def test_a_signal_ends_it_at_any_moment_and_the_terminal_is_as_before(self):
        for number, typed in ((signal.SIGINT, "\x03"), (signal.SIGTERM, None), (signal.SIGHUP, None)):
            with self.subTest(signal=number.name):
                player = self.player(self.server.port, scratch(f"home-of-{number.name}"))
                player.sees("Enter begins")
                player.type("\n")
                until(player.plates, SECONDS_MAX, "a plate hangs")
                self.assertNotEqual(termios.tcgetattr(player.terminal), player.settings)
                if typed:
                    player.type(typed)
                else:
                    player.process.send_signal(number)
                self.assertEqual(player.ends(), 128 + number)
                player.sees(re.escape(HIDDEN))

    def test_one_game_at_a_time_keeps_a_devices_files(self):
        home = scratch("home-of-two")
        self.player(self.server.port, home).sees("Enter begins")
        second = self.player(self.server.port, home)
        second.sees("is open already")
        self.assertEqual(second.ends(), 1)


class Offline(ClientCase):
    def test_a_score_waits_on_the_device_and_is_sent_by_the_next_start(self):
        home = scratch("home-of-dee")
        with Relay(free_port()) as relay:
            dee = self.player(relay.port, home)
            dee.sees("Enter begins")
            dee.type("\n")
            score = dee.play()
            self.assertGreaterEqual(score, 20)
            dee.sees("Your name on the board")
            dee.type("Dee\n")
            dee.sees("The server cannot be reached now")
            dee.sees("Your score waits on this device")
            dee.sees(rf"{score}  Dee \(not sent yet\)")
            dee.sees("Enter plays again")
            dee.type("n\n")
            self.assertEqual(dee.ends(), 0)
            self.assertEqual(self.ranked(), [("Cy", 1_000_000), ("Bob", 10)])

            relay.target = self.server.port
            dee = self.player(relay.port, home)
            dee.sees("Waiting from the last time: 1")
            dee.sees("Now it is sent")
            self.assertEqual(self.ranked(), [("Cy", 1_000_000), ("Dee", score), ("Bob", 10)])
            # The server knows the player by now: Enter takes the name.
            dee.sees("Enter begins")
            dee.type("\n")
            score = max(score, dee.play())
            dee.sees(r"Enter for Dee")
            dee.type("\n")
            dee.sees("Posted: rank 2 of 3")
            self.assertEqual(self.ranked()[1], ("Dee", score))
            dee.type("\n\x04")      # gives nothing, and has no more to say
            self.assertEqual(dee.ends(), 0)
        self.server.audit()


class Words(unittest.TestCase):
    """What the command line says, without a terminal."""

    def run_game(self, *arguments):
        return subprocess.run([GAME, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=SECONDS_MAX, env=os.environ | QUIET | {"HOME": scratch("home-of-nobody")})

    def test_help_needs_no_terminal_and_all_else_does(self):
        helped = self.run_game("--help")
        self.assertEqual((helped.returncode, helped.stderr), (0, ""))
        for word in ("--server URL", "--game SLUG", "--board SLUG"):
            self.assertIn(word, helped.stdout)
        played = self.run_game()
        self.assertEqual((played.returncode, played.stdout), (2, ""))
        self.assertIn("needs a terminal", played.stderr)

    def test_mistakes_are_said(self):
        for arguments, said in ((("--fast",), "--fast is unknown"), (("--game",), "--game needs a value"),
                                (("--server", "nowhere"), "nowhere is no address")):
            with self.subTest(arguments=arguments):
                told = self.run_game(*arguments)
                self.assertEqual((told.returncode, told.stdout), (2, ""))
                self.assertIn(said, told.stderr)

    def test_what_no_board_can_be_called_and_a_terminal_that_is_too_small_are_said_before_the_game(self):
        for arguments, rows, status, said in ((("--board", "No Board"), 24, 1, "is no slug"), ((), 12, 2, "16 rows")):
            with self.subTest(said=said):
                player = Player(free_port(), scratch("home-of-nobody"), *arguments, rows=rows)
                self.addCleanup(player.close)
                player.sees(said)
                self.assertEqual(player.ends(), status)
