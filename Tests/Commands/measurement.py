# SPDX-License-Identifier: MIT
"""Runs the program until it exits, and measures time and memory."""

import os
import signal
import subprocess
import sys
import tempfile
import time

from live import ROUNDEL

# Runs a program and writes its exit code, processor seconds and maximum resident size in bytes to a pipe. `exec`
# keeps the maximum resident size of the process that forked, so a direct child of these tests would seem as large
# as the tests.
MEASURED = """
import os, sys
os.set_inheritable(int(sys.argv[1]), False)
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
os.write(int(sys.argv[1]), b"%d %f %d" % (
    os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10))
"""


class Outcome:
    """The output, exit code and resources of a finished program."""

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
