# SPDX-License-Identifier: Apache-2.0
"""Debian's ClickHouse, unpacked by tools/setup, on a free port of the loopback for one test."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNPACKED = ROOT / "build/packages/clickhouse"
NOBODY = 65534
WITHIN_S = 60


def is_there():
    return (UNPACKED / "usr/sbin/clickhouse-server").exists()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def become_nobody():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


class Server:
    """Runs without rights if the test runs as root. Keeps its data over stop() and start()."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clickhouse"))
        self.port = free_port()
        self.process = None
        (self.folder / "users.xml").write_text("""<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage></default><readonly><readonly>1</readonly></readonly></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>""", encoding="utf-8")
        (self.folder / "config.xml").write_text(f"""<yandex>
  <logger><level>warning</level><log>{self.folder}/log</log><errorlog>{self.folder}/errors</errorlog></logger>
  <http_port>{self.port}</http_port><listen_host>127.0.0.1</listen_host>
  <path>{self.folder}/data/</path><tmp_path>{self.folder}/tmp/</tmp_path>
  <mark_cache_size>100000000</mark_cache_size>
  <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
</yandex>""", encoding="utf-8")
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        self.start()

    def start(self):
        libraries = UNPACKED / "usr/lib/x86_64-linux-gnu"
        self.process = subprocess.Popen(
            [UNPACKED / "usr/sbin/clickhouse-server", f"--config-file={self.folder}/config.xml"],
            cwd=self.folder, preexec_fn=become_nobody, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "LD_LIBRARY_PATH": str(libraries), "TZ": "UTC"})
        deadline = time.monotonic() + WITHIN_S
        while time.monotonic() < deadline:
            try:
                if self.ask("SELECT 1") == "1\n":
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(self.errors())

    def errors(self):
        path = self.folder / "errors"
        return path.read_text(encoding="utf-8") if path.exists() else "no answer, and no log"

    def ask(self, sql):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", sql.encode(), timeout=WITHIN_S) as answer:
            return answer.read().decode()

    def url(self, database):
        return f"clickhouse://127.0.0.1:{self.port}/{database}"

    def stop(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
