# SPDX-License-Identifier: MIT
"""How much memory of the GPU is in use, by whomever, as nvidia-smi tells it: what a process held
that was killed must be free again. FA2BENCH_GPU is the index of the GPU (0)."""
import os
import shutil
import subprocess
import time

SLACK_MIB = 64  # the driver's own share wanders a little
GIVEN_BACK_WITHIN_S = 10.0


def used_mib():
    """None where there is no nvidia-smi or no GPU."""
    if shutil.which("nvidia-smi") is None:
        return None
    told = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits",
                           "--id=" + os.environ.get("FA2BENCH_GPU", "0")],
                          capture_output=True, text=True, timeout=60, check=False)
    return int(told.stdout) if told.returncode == 0 and told.stdout.strip().isdigit() else None


def used_once_settled_mib(before_mib):
    """What is in use now; after a while if that is more than it was before."""
    give_up = time.monotonic() + GIVEN_BACK_WITHIN_S
    while True:
        now_mib = used_mib()
        if now_mib is None or now_mib <= before_mib + SLACK_MIB or time.monotonic() > give_up:
            return now_mib
        time.sleep(0.1)
