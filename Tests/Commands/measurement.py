# SPDX-License-Identifier: MIT
"""Runs of the program to their end, with the time and the memory that they took."""

import os
import signal
import subprocess
import sys
import tempfile
import time

from live import ROUNDEL

# Runs a program and prints its exit code, processor seconds and largest resident size in bytes to a pipe.
# `exec` keeps the largest resident size of the process that forked: a program that these tests start
# directly counts as large as they are.
MEASURED = """
import os, sys
os.set_inheritable(int(sys.argv[1]), False)
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
os.write(int(sys.argv[1]), b"%d %f %d" % (
    os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10))
"""


class Outcome:
    """Output, exit code and resources of a program that has ended."""

    def __init__(self, arguments, timeout=60, **options):
        report, sink = os.pipe()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, \
                open(report, "rb") as report:
            start = time.monotonic()
            process = subprocess.Popen(
                [sys.executable, "-ISB", "-c", MEASURED, str(sink), ROUNDEL, *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True,
                pass_fds=[sink], **options)
            os.close(sink)
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise
            self.seconds = time.monotonic() - start
            code, seconds, resident = report.read().split()
            self.code, self.resident = int(code), int(resident)
            self.processor_seconds = float(seconds)
            output.seek(0)
            errors.seek(0)
            self.stdout, self.stderr = output.read(), errors.read()
