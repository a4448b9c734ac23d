# SPDX-License-Identifier: Apache-2.0
"""Classes of newer frameworks for Android 10's runtime, by the class files of the releases themselves."""

import atexit
import functools
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from process import BUILD

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

sys.path.append(os.path.join(ROOT, "tests", "framework"))
from releases import Unavailable, files_matching  # pylint: disable=wrong-import-position,unused-import


@functools.cache
def jar_of(version, pattern, sha256, without="", *natives):
    """A dex jar of the release's classes with such names, of this sum. Methods of the classes `without` answer zero, and
    so do native ones but for `natives`. Raises Unavailable."""
    folder = files_matching(version, pattern, sha256)
    java, = glob.glob("/usr/lib/jvm/java-17-openjdk-*/bin/java")
    path = f"{os.path.join(BUILD, 'art', 'generator')}:/usr/share/java/asm.jar:/usr/share/java/asm-tree.jar"
    output = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, output)
    jar = os.path.join(output, "framework.jar")
    older = os.path.join(output, "older")
    dx = os.path.join(ROOT, "build", "packages", "dx", "dalvik-exchange.jar")
    for command in ([java, "-cp", path, "generator.Older", folder, older, without, *natives],
                    [java, "-cp", dx, "com.android.dx.command.Main", "--dex", "--core-library",
                     "--min-sdk-version=28", f"--output={jar}", older]):
        subprocess.run(command, check=True, capture_output=True)
    return jar
