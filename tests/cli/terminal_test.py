# SPDX-License-Identifier: MIT
"""What a terminal sees: the bar, colour, and neither where they are not wanted."""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import unittest

from tool import MOCK, ToolTest

RED = "\x1b[31m"
CLEAR_LINE = "\r\x1b[K"


class Terminal(ToolTest):
    def on_terminal(self, *arguments, env=None, columns=100, stdout="terminal", config=None):
        """Runs with stderr, and stdout unless it says otherwise, on a terminal; what that shows."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        shown = []

        def read():
            try:
                while chunk := os.read(master, 65536):
                    shown.append(chunk)
            except OSError:
                pass  # Linux says EIO when the last writer is gone
        reader = threading.Thread(target=read)
        reader.start()
        try:
            run = self.measure(config or self.config(), "--shim", MOCK, *arguments, stderr=slave,
                               stdout=slave if stdout == "terminal" else subprocess.PIPE,
                               env={"MOCK_FA2": "unsupported", **(env or {})})
        finally:
            os.close(slave)
            reader.join()
            os.close(master)
        self.assertEqual(run.returncode, 0)
        return b"".join(shown).decode(), run.stdout

    def test_shows_the_bar_and_colour(self):
        shown, _ = self.on_terminal()
        self.assertIn(CLEAR_LINE + "[--------------------]   0/1  tiny", shown)
        self.assertIn(f"{RED}unsupported\x1b[0m: code 3", shown)

    def test_removes_the_bar_before_the_table(self):
        shown, _ = self.on_terminal()
        last_bar = shown.rindex(CLEAR_LINE)
        self.assertNotIn("[-----", shown[last_bar:])
        self.assertIn("workload", shown[last_bar:])

    def test_keeps_the_bar_shorter_than_a_line(self):
        config = self.config({"name": "long " * 30, "batch": "q1"})
        shown, _ = self.on_terminal(columns=50, config=config)
        bars = [part.split("\r")[0] for part in shown.split(CLEAR_LINE)[1:]]
        bars = [bar for bar in bars if bar.startswith("[-")]
        self.assertTrue(bars)
        self.assertLess(max(map(len, bars)), 50)

    def test_no_color_turns_colour_off_and_leaves_the_bar(self):
        shown, _ = self.on_terminal(env={"NO_COLOR": "1"})
        self.assertNotIn(RED, shown)
        self.assertIn("unsupported: code 3", shown)
        self.assertIn("[--------------------]", shown)

    def test_an_empty_no_color_counts_as_unset(self):
        shown, _ = self.on_terminal(env={"NO_COLOR": ""})
        self.assertIn(RED, shown)

    def test_a_table_that_goes_to_a_file_has_no_colour(self):
        shown, stdout = self.on_terminal(stdout="pipe")
        self.assertIn("[--------------------]", shown)
        self.assertIn("unsupported: code 3", stdout)
        self.assertNotIn("\x1b", stdout)

    def test_quiet_and_no_progress_draw_no_bar(self):
        for option in ("--quiet", "--no-progress"):
            shown, _ = self.on_terminal(option)
            self.assertNotIn("[--------------------]", shown)
            self.assertNotIn("\x1b[K", shown)


if __name__ == "__main__":
    unittest.main()
