# SPDX-License-Identifier: MIT
"""Shims and devices that cannot be used: exit code 3 and one line; and what doctor says of them."""
import pathlib
import platform
import shutil
import struct
import unittest

from tool import MOCK, SHIM_VARIABLE, ToolTest

ENTRY = b"ferrum_fa2_paged_varlen_fwd"
DESCRIBE = b"ferrum_fa2_shim_describe"


def elf_header(machine):
    """Of a 64-bit little-endian shared object for another machine."""
    ident = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    return ident + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0)


class BadShim(ToolTest):
    def refuse(self, shim, *patterns):
        run = self.measure(self.config(), "--shim", shim)
        self.assert_refused(run, 3, *patterns)
        self.assertFalse((self.folder / "out.json").exists())

    def test_of_the_variable_is_one_line_with_the_path_and_why(self):
        for device in ([], ["--device", "auto"], ["--device", "cpu"]):
            run = self.run_tool("--config", self.config(), "--output", "out.json", *device,
                                env={SHIM_VARIABLE: "/no/such.so"})
            self.assert_refused(run, 3, r"/no/such.so: no such file.*"
                                        rf"\(\${SHIM_VARIABLE} names it\)")

    def test_missing(self):
        self.refuse("gone.so", rf"{self.folder}/gone.so: no such file")

    def test_directory(self):
        self.refuse(self.folder, "is a directory")

    def test_empty_file(self):
        self.refuse(self.write("empty.so", ""), "empty.so: ")

    def test_text_file(self):
        self.refuse(self.write("text.so", "INPUT(other.so)\n"), "text.so: ", "ELF")

    def test_for_another_machine(self):
        x86_64, aarch64 = 62, 183
        machine = x86_64 if platform.machine() == "aarch64" else aarch64
        self.refuse(self.write("other.so", elf_header(machine)), "other.so: is built for")

    def test_library_without_the_entry_point(self):
        data = pathlib.Path(MOCK).read_bytes().replace(ENTRY, b"x" * len(ENTRY))
        self.refuse(self.write("liblost.so", data), "liblost.so: .*" + ENTRY.decode())

    def test_one_that_does_not_load_leaves_the_other_to_run(self):
        run = self.measure(self.config(), "--shim", MOCK, "--shim", "gone.so")
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stderr, "gone.so: no such file")
        result = self.result()
        self.assertTrue(result["complete"])
        self.assertEqual([shim["error"] is None for shim in result["shims"]], [True, False])
        mock, gone = result["workloads"][0]["runs"]
        self.assertIsNotNone(mock["verify"])
        self.assertEqual(gone["status"], "failed")
        self.assertRegex(gone["reason"], "no such file")


class GoodShim(ToolTest):
    def test_a_bare_name_in_the_current_folder_is_found(self):
        shutil.copy(MOCK, self.folder / "libshim.so")
        run = self.measure(self.config(), "--shim", "libshim.so", env={"MOCK_FA2": "unsupported"})
        self.assert_code(run, 0)
        shim = self.result()["shims"][0]
        self.assertEqual((shim["label"], shim["path"]), ("shim", str(self.folder / "libshim.so")))

    def test_a_file_on_device_memory_is_refused_on_the_cpu(self):
        # The same mock without its description: then it works on device memory.
        data = pathlib.Path(MOCK).read_bytes().replace(DESCRIBE, b"x" * len(DESCRIBE))
        path = self.write("libdevice.so", data)
        run = self.measure(self.config(), "--shim", path)
        self.assert_refused(run, 3, "taken to work on device memory", "--device cuda")


class Device(ToolTest):
    def test_cuda_where_there_is_none_is_one_line(self):
        if self.run_tool("doctor", "--device", "cuda").returncode == 0:
            self.skipTest("there is a GPU")
        run = self.run_tool("--config", self.config(), "--device", "cuda", "--output", "out.json")
        self.assert_refused(run, 3, "no CUDA device|CUDA")
        self.assertFalse((self.folder / "out.json").exists())


class Doctor(ToolTest):
    def test_is_ready_on_a_cpu(self):
        run = self.run_tool("doctor", "--device", "cpu")
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        for what in ("tool", "CPU", "bundled cpu", "device", "shim to use"):
            self.assertRegex(run.stdout, rf"(?m)^ok  {what} ")
        self.assertRegex(run.stdout, r"(?m)^(ok|--)  GPU ")
        self.assertTrue(run.stdout.endswith("\nready\n"))

    def test_says_which_shim_would_be_used_and_why(self):
        run = self.run_tool("doctor", "--device", "cpu", env={SHIM_VARIABLE: MOCK})
        self.assertRegex(run.stdout, rf"shim to use +\S+: {MOCK} \(from {SHIM_VARIABLE}\)")
        run = self.run_tool("doctor", "--device", "cpu", "--shim", f"mine={MOCK}")
        self.assertRegex(run.stdout, rf"shim to use +mine: {MOCK} \(from --shim\)")

    def test_ends_with_3_if_the_shim_cannot_be_used(self):
        for arguments, env in ((["--shim", "/no/such.so"], None),
                               ([], {SHIM_VARIABLE: "/no/such.so"})):
            run = self.run_tool("doctor", "--device", "cpu", *arguments, env=env)
            self.assert_code(run, 3)
            self.assertRegex(run.stdout, r"(?m)^!!  shim to use +.*/no/such.so: no such file")
            self.assertTrue(run.stdout.endswith("\nnot ready: see the lines marked !!\n"))

    def test_refuses_an_unknown_device(self):
        self.assert_refused(self.run_tool("doctor", "--device", "tpu"), 2, "--device tpu: expected")


if __name__ == "__main__":
    unittest.main()
