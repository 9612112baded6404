#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends a signal to a run that is at kernel KERNEL: KERNEL SIGNAL FAKE COMMAND..."""

import os
import pathlib
import signal
import subprocess
import sys
import time

kernel, number, fake, *command = sys.argv[1:]
environment = dict(os.environ, PTXLAB_LIBCUDA=fake, FAKE_ONLY=kernel,
                   FAKE_PAUSE_MS="900")
run = subprocess.Popen(command, env=environment, start_new_session=True,
                       stdout=subprocess.DEVNULL,
                       # lit ignores it, and its children would.
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
# Other kernels take half a second at most, to warm up; this one takes a second for each launch.
time.sleep(1.5)
run.send_signal(int(number))
status = run.wait(timeout=10)


def left():
    """Living processes of the run's session."""
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == run.pid and fields[0] != "Z":
            yield entry


time.sleep(0.2)
ending = f"signal {-status}" if status < 0 else f"exit code {status}"
print(f"ended by {ending}, {len(list(left())) or 'no'} process left")
