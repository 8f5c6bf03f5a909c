# SPDX-License-Identifier: MIT
"""Where results and messages go."""
import os
import pathlib
import subprocess
import threading
import unittest

from tool import MOCK, ToolTest, strict_json


class ResultFile(ToolTest):
    def test_without_a_name_goes_to_bench_results(self):
        config = self.config(name="my config.json")
        run = self.run_tool("--config", config, "--device", "cpu", "--time-limit", "0.001")
        self.assert_code(run, 0)
        files = list((self.folder / "bench_results").iterdir())
        self.assertEqual(len(files), 1)
        self.assertRegex(files[0].name, r"\Amy config-cpu-\d{8}T\d{6}Z\.json\Z")
        self.assertIn(f"result: bench_results/{files[0].name}\n", run.stdout)
        self.assertTrue(strict_json(files[0].read_text())["complete"])

    def test_replaces_what_an_older_run_left(self):
        self.write("out.json", '{"old": true}')
        run = self.measure(self.config(), "--shim", MOCK, env={"MOCK_FA2": "not text"})
        self.assert_code(run, 4)
        self.assertEqual(self.result()["workloads"][0]["runs"][0]["status"], "failed")

    def test_is_no_older_one_where_no_shim_could_be_loaded(self):
        self.write("out.json", '{"old": true}')
        self.assert_refused(self.measure(self.config(), "--shim", "gone.so"), 3, "no such file")
        self.assertFalse((self.folder / "out.json").exists())

    def test_of_an_older_run_is_removed_behind_its_link_which_stays(self):
        self.write("real/old.json", "{}")
        (self.folder / "link.json").symlink_to("real/old.json")
        run = self.measure(self.config(), "--shim", "gone.so", output="link.json")
        self.assert_refused(run, 3, "no such file")
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertFalse((self.folder / "real/old.json").exists())

    def test_of_an_older_run_stays_where_this_one_was_refused(self):
        self.write("out.json", '{"old": true}')
        self.write("bad.json", "{")
        self.assert_refused(self.measure("bad.json"), 2, "bad.json:1")
        self.assert_refused(self.measure(self.config(), "--mode", "hot"), 2, "hot")
        self.assertEqual(self.result(), {"old": True})

    def test_leaves_no_temporary_file(self):
        self.measure(self.config())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["config.json", "out.json"])

    def test_follows_a_symbolic_link_and_leaves_it_in_place(self):
        self.write("real/old.json", "{}")
        (self.folder / "link.json").symlink_to("real/old.json")
        self.assert_code(self.measure(self.config(), output="link.json"), 0)
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertTrue(self.result("real/old.json")["complete"])

    def test_into_a_pipe_is_written_once(self):
        os.mkfifo(self.folder / "pipe")
        received = []
        reader = threading.Thread(
            target=lambda: received.append((self.folder / "pipe").read_text(encoding="utf-8")))
        reader.start()
        config = self.config({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q1"})
        self.assert_code(self.measure(config, output="pipe"), 0)
        reader.join()
        self.assertTrue(strict_json(received[0])["complete"])


class Unwritable(ToolTest):
    """Found before anything runs: a mock that hangs would never let go."""

    def refuse(self, output, *patterns):
        run = self.measure(self.config(), "--shim", MOCK, output=output, env={"MOCK_FA2": "hang"})
        self.assert_refused(run, 3, *patterns)

    def test_a_missing_folder(self):
        self.refuse("gone/out.json", "cannot write gone/out.json: the folder gone does not exist; "
                                     "create it or choose another")

    def test_a_directory(self):
        self.refuse(self.folder, "it is a directory; name a file in it")

    def test_a_file_for_a_folder(self):
        self.write("file", "")
        self.refuse("file/out.json", "cannot write file/out.json: Not a directory")

    def test_a_read_only_folder(self):
        (self.folder / "closed").mkdir(mode=0o555)
        if os.access(self.folder / "closed", os.W_OK):
            self.skipTest("this user may write everywhere")
        self.refuse("closed/out.json", "cannot write closed/out.json: Permission denied")

    def test_a_folder_that_takes_no_files(self):
        self.refuse("/proc/out.json", "cannot write /proc/out.json: ")

    def test_a_full_device(self):
        self.refuse("/dev/full", "cannot write /dev/full: No space left on device")

    def test_a_config_of_the_run(self):
        config = self.config()
        before = pathlib.Path(config).read_bytes()
        run = self.measure(config, output=config)
        self.assert_refused(run, 2, "is a config or a shim of this run")
        self.assertEqual(pathlib.Path(config).read_bytes(), before)

    def test_a_shim_of_the_run(self):
        shim = self.write("mine.so", pathlib.Path(MOCK).read_bytes())
        run = self.measure(self.config(), "--shim", shim, output=shim)
        self.assert_refused(run, 2, "is a config or a shim of this run")
        self.assertEqual(pathlib.Path(shim).read_bytes(), pathlib.Path(MOCK).read_bytes())


class Streams(ToolTest):
    def test_a_dash_puts_json_alone_on_stdout_and_the_table_on_stderr(self):
        run = self.measure(self.config(), output="-")
        self.assert_code(run, 0)
        self.assertTrue(strict_json(run.stdout)["complete"])
        self.assertRegex(run.stderr, r"(?m)^tiny +cold +ok ")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["config.json"])

    def test_a_dash_and_quiet_leave_stderr_empty(self):
        run = self.measure(self.config(), "--quiet", output="-")
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        strict_json(run.stdout)

    def test_quiet_leaves_stderr_empty_and_keeps_the_table(self):
        run = self.measure(self.config(), "--quiet")
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        self.assertRegex(run.stdout, r"(?m)^tiny +cold +ok ")

    def test_progress_is_plain_lines_where_there_is_no_terminal(self):
        run = self.measure(self.config())
        self.assertIn("[0/1] tiny\n", run.stderr)
        self.assertNotIn("\r", run.stderr)
        self.assertNotIn("\x1b", run.stdout + run.stderr)

    def test_no_progress_leaves_the_notes(self):
        run = self.measure(self.config(), "--no-progress")
        self.assertRegex(run.stderr, r"\Ashim: .*libferrum_fa2_shim_cpu\.so \(bundled\)\n\Z")

    def test_errors_are_printed_in_spite_of_quiet(self):
        run = self.measure(self.config(), "--quiet", "--shim", "/no/such.so")
        self.assert_refused(run, 3, "/no/such.so: no such file")

    def test_a_full_disk_behind_stdout_ends_with_3(self):
        for output, arguments in (("-", ["--quiet"]), ("out.json", ["--quiet"])):
            with open("/dev/full", "wb") as full:
                run = self.measure(self.config(), *arguments, output=output, stdout=full,
                                   env={"TMPDIR": str(self.folder)})
            self.assertEqual(run.returncode, 3)
            self.assertRegex(run.stderr, r"\Aferrum-fa2-bench: [^\n]*No space left on device\n\Z")

    def test_a_stderr_that_takes_nothing_ends_no_run(self):
        with open("/dev/full", "wb") as full:
            run = self.measure(self.config(), stderr=full)
        self.assertEqual(run.returncode, 0)
        self.assertTrue(self.result()["complete"])

    def test_a_closed_stderr_ends_no_run(self):
        run = self.measure(self.config(), stderr=subprocess.DEVNULL,
                           preexec_fn=lambda: os.close(2))
        self.assertEqual(run.returncode, 0)
        self.assertTrue(self.result()["complete"])


if __name__ == "__main__":
    unittest.main()
