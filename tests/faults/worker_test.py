# SPDX-License-Identifier: MIT
"""The hidden command `worker`, spoken to as the session does, and as nobody should."""
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from marked import SECONDS, SOURCE, TOOL, Marked, strict_json

WORKER_SOCKET = 3
SOCKET_LOST_EXIT = 113


def frame(message):
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"fa2m" + struct.pack("<I", len(text)) + text


OPEN = {"type": "open", "device": "cpu", "shims": [], "index": 0, "measure_ceilings": False, "again": False,
        "measure_launch": False}
CONFIG = {"schema": "ferrum-fa2-bench/config/v1",
          "workloads": [{"name": "tiny", "batch": "q1", "num_heads": 2, "num_kv_heads": 1}]}
RUN = {"type": "run", "config": json.dumps(CONFIG), "modes": ["cold"],
       "limits": {"time_limit_s": 0.001, "least_time_s": 0, "precision": 0.005, "min_trials": 5, "max_trials": 9,
                  "min_samples": 3, "max_samples": 100, "trial_time_s": 0.01, "duty": 1, "processes": 1},
       "check_graph": True, "trace_kernels": False, "profile": False, "in_turns": False,
       "reference_budget": 8e9}


class Worker(unittest.TestCase):
    def setUp(self, **env):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-worker-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.marked = Marked(folder, **env)
        self.ours, theirs = socket.socketpair()
        self.addCleanup(self.ours.close)
        self.ours.settimeout(SECONDS)
        number = theirs.fileno()
        # The shell gives it the number that a worker looks for.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" worker {WORKER_SOCKET}<&{number}', TOOL],
            env=self.marked.env, pass_fds=[number], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        theirs.close()
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)

    def send(self, message):
        self.ours.sendall(frame(message))

    def receive(self):
        def exactly(count):
            data = b""
            while len(data) < count:
                part = self.ours.recv(count - len(data))
                self.assertTrue(part, f"the worker hung up after {data!r}")
                data += part
            return data
        head = exactly(8)
        self.assertEqual(head[:4], b"fa2m")
        return strict_json(exactly(struct.unpack("<I", head[4:])[0]).decode())

    def ending(self):
        """Exit code and stderr."""
        _, stderr = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, stderr.decode()

    def test_opens_runs_and_ends_when_the_session_hangs_up(self):
        self.send(OPEN)
        opened = self.receive()
        self.assertEqual(opened["type"], "opened")
        self.assertEqual(opened["device"]["kind"], "cpu")
        for _ in range(2):
            self.send(RUN)
            replies = [self.receive()]
            while replies[-1]["type"] == "phase":
                replies.append(self.receive())
            phases = [reply["name"] for reply in replies[:-1]]
            self.assertEqual([phases[0], phases[-1]],
                             ["filling and reference", "checking after timing"])
            self.assertIn("timing cold", phases)
            self.assertEqual(replies[-1]["type"], "ran")
            self.assertEqual(replies[-1]["run"]["status"], "ok")
            self.assertFalse(replies[-1]["device_lost"])
        self.ours.close()
        self.assertEqual(self.ending(), (0, ""))

    def test_takes_requests_that_come_in_pieces(self):
        for byte in frame(OPEN):
            self.ours.sendall(bytes([byte]))
        self.assertEqual(self.receive()["type"], "opened")

    def test_refuses_a_shim_that_is_not_there(self):
        self.send({**OPEN, "shims": ["/no/such.so"]})
        refused = self.receive()
        self.assertEqual(refused["type"], "refused")
        self.assertIn("/no/such.so: no such file", refused["text"])
        self.assertEqual(self.ending()[0], 0)

    def test_has_an_exit_code_for_a_socket_that_its_shim_closed(self):
        self.setUp(FA2BENCH_FAULT="close_fds")
        self.send({**OPEN, "shims": [os.environ["FA2BENCH_BAD_SHIM"]]})
        self.assertEqual(self.receive()["type"], "opened")
        self.send(RUN)
        self.assertEqual(self.ending(), (SOCKET_LOST_EXIT, ""))

    def test_ends_when_nobody_asks_anything(self):
        self.ours.close()
        self.assertEqual(self.ending(), (1, ""))

    def test_ends_when_a_request_is_cut_short(self):
        self.ours.sendall(frame(OPEN)[:20])
        self.ours.close()
        self.assertEqual(self.ending()[0], 1)

    def test_ends_at_garbage(self):
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"fa2m\xff\xff\xff\xff"):
            with self.subTest(garbage=garbage):
                self.setUp()
                self.ours.sendall(garbage)
                self.assertEqual(self.ending()[0], 1)

    def test_says_what_is_wrong_with_a_message(self):
        self.send({**OPEN, "device": 7})
        self.ours.shutdown(socket.SHUT_WR)
        code, stderr = self.ending()
        self.assertEqual(code, 2)
        self.assertRegex(stderr, r"\Aferrum-fa2-bench: a worker's message:1: device: found 7; ")

    def test_ends_at_a_run_before_an_open(self):
        self.send(RUN)
        self.assertEqual(self.ending(), (1, ""))

    def test_is_not_for_people(self):
        for command, instead in (("worker", "run"), ("memory", "run"), ("peer", "selftest")):
            with self.subTest(command=command):
                closed = subprocess.run([TOOL, command], stdin=subprocess.DEVNULL, capture_output=True,
                                        timeout=SECONDS, check=False, cwd=SOURCE)
                self.assertEqual(closed.returncode, 2)
                self.assertIn(f"{command}: is started by the tool itself; use {instead}".encode(), closed.stderr)


class Orphans(unittest.TestCase):
    """The session ends without a word while its worker is deep in a shim."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-orphan-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        many = [{**CONFIG["workloads"][0], "name": "n {n}", "seed": "{n}",
                 "sweep": {"n": list(range(200))}}]
        (self.folder / "config.json").write_text(json.dumps({**CONFIG, "workloads": many}),
                                                 encoding="utf-8")

    def check(self, number, fault, processes):
        """Signals the tool once it has so many processes, itself and the guard included."""
        marked = Marked(self.folder, FA2BENCH_FAULT=fault)
        process = marked.start("--config", "config.json", "--device", "cpu", "--shim",
                               os.environ["FA2BENCH_BAD_SHIM"], "--output", "out.json",
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        give_up = time.monotonic() + SECONDS
        while len(marked.alive()) < processes or not self.begun():
            self.assertIsNone(process.poll(), "the tool ended too early")
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.01)
        process.send_signal(number)
        process.wait(timeout=SECONDS)
        left = marked.leftovers()
        marked.kill_leftovers()
        self.assertEqual(left, [])

    def begun(self):
        """Whether the shim is loaded."""
        return (self.folder / "out.json").exists()

    def test_a_worker_that_hangs_dies_with_a_tool_that_is_killed(self):
        self.check(signal.SIGKILL, "ignore_sigterm_and_spin", 3)

    def test_what_a_shim_started_dies_with_a_tool_that_is_killed(self):
        self.check(signal.SIGKILL, "fork_child", 4)

    def test_a_worker_that_hangs_dies_with_a_tool_that_is_interrupted(self):
        self.check(signal.SIGINT, "ignore_sigterm_and_spin", 3)
        self.check(signal.SIGTERM, "host_deadlock", 3)


class FirstProcess(unittest.TestCase):
    """In a container without an init the tool is process 1, and its worker's parent."""

    def test_runs_as_process_1(self):
        alone = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("this user may not start a process 1")
        with tempfile.TemporaryDirectory(prefix="fa2bench-first-") as folder:
            path = pathlib.Path(folder, "config.json")
            path.write_text(json.dumps(CONFIG), encoding="utf-8")
            run = subprocess.run([*alone, TOOL, "--config", path, "--device", "cpu", "--time-limit",
                                  "0.001", "--output", "-"], cwd=folder, env=Marked(folder).env,
                                 capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(strict_json(run.stdout.decode())["workloads"][0]["runs"][0]["status"],
                         "ok")


if __name__ == "__main__":
    unittest.main()
