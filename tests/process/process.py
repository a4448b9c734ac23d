# SPDX-License-Identifier: Apache-2.0
"""Runs applications on the real runtime under the preloaded profiler and reads what it leaves."""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ.get("STILLFRAME_BUILD") or sys.exit("set STILLFRAME_BUILD to the build folder")
# Another CPU: Debian's name of it, and the build for it; art-run, the jars and the host tool are the release build's.
CPU = os.environ.get("STILLFRAME_CPU", "amd64")
TARGET_BUILD = os.environ.get("STILLFRAME_TARGET_BUILD", BUILD)
LIBRARY = os.path.join(TARGET_BUILD, "lib", "libstillframe.so")
ART_RUN = os.path.join(BUILD, "bin", "art-run")
HOST_TOOL = os.path.join(BUILD, "bin", "stillframe")
ART_RELEASE = os.environ.get("STILLFRAME_ART", "11")
APPS = os.path.join(BUILD, "art", "process_apps.jar")


def art_command(main, *args, options=(), preload=True, release=ART_RELEASE):
    command = [ART_RUN, "--art", release]
    if preload:
        command += ["--preload", LIBRARY]
    return command + list(options) + ["-cp", APPS, main, *map(str, args)]


def inspect(dump):
    """A dump as the host tool describes it."""
    done = subprocess.run([HOST_TOOL, "inspect", "--json", dump], capture_output=True, check=True)
    return json.loads(done.stdout)


def collapsed(dump, token=None):
    """Collapsed stacks as a list of (frames, outermost first; samples)."""
    command = [HOST_TOOL, "export", dump, "--format", "collapsed"]
    command += ["--token", str(token)] if token is not None else []
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    stacks = []
    for line in done.stdout.splitlines():
        stack, count = line.rsplit(" ", 1)
        stacks.append((stack.split(";"), int(count)))
    return stacks


class ProcessTest(unittest.TestCase):
    """A fresh dump folder for each test."""

    release = ART_RELEASE

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dump_dir = folder.name

    def environment(self, **variables):
        # A slow machine makes any message long.
        settings = {"DUMP_DIR": self.dump_dir, "LONG_MS": 0, **variables}
        return {**os.environ, **{"STILLFRAME_" + k: str(v) for k, v in settings.items()}}

    def command(self, main, *args, options=()):
        return art_command(main, *args, options=options, release=self.release)

    def run_app(self, main, *args, timeout=120, options=(), **variables):
        return subprocess.run(
            self.command(main, *args, options=options), env=self.environment(**variables),
            capture_output=True, text=True, timeout=timeout)

    def start_app(self, main, *args, options=(), **variables):
        process = subprocess.Popen(
            self.command(main, *args, options=options), env=self.environment(**variables),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def dumps(self):
        return sorted(glob.glob(os.path.join(self.dump_dir, "*.sfdump")))

    def only_dump(self, output):
        dumps = self.dumps()
        self.assertEqual(len(dumps), 1, f"dumps {dumps}, output:\n{output}")
        return dumps[0]
