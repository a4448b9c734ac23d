# SPDX-License-Identifier: Apache-2.0
"""The framework's real classes of each API level, from the artifact org.robolectric:android-all.

A jar has 100 to 230 MB, so only its directory and the class files that are needed are read, by ranges of bytes.
"""

import csv
import dataclasses
import hashlib
import http.client
import io
import os
import pathlib
import re
import shutil
import tempfile
import urllib.error
import urllib.request
import xml.etree.ElementTree
import zipfile

import class_file

TABLE = pathlib.Path(__file__).with_name("releases.tsv")
ARTIFACT = "org/robolectric/android-all"
SUPER_POM = "org/apache/maven/model/pom-4.0.0.xml"
TIMEOUT_S = 60
BUFFER_BYTES = 1 << 18
ASKED = "asked.txt"  # every class that was asked for: one that has no file is not in the jar


class Unavailable(Exception):
    """The classes cannot be had here; says why."""


class Mismatch(Exception):
    """The classes are not those that the table pins."""


@dataclasses.dataclass
class Release:
    level: int
    name: str
    version: str
    sha256: str


def read_table():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [Release(int(row["api"]), row["release"], row["version"], row["sha256"])
                for row in csv.DictReader(file, delimiter="\t")]


def write_table(releases):
    lines = ["api\trelease\tversion\tsha256"]
    lines += [f"{release.level}\t{release.name}\t{release.version}\t{release.sha256}" for release in releases]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _mirror():
    """The mirror of Maven Central in Maven's settings, if any."""
    for path in (pathlib.Path.home() / ".m2/settings.xml", pathlib.Path("/etc/maven/settings.xml")):
        if not path.is_file():
            continue
        for mirror in xml.etree.ElementTree.parse(path).getroot().iterfind(".//{*}mirror"):
            of = [word.strip() for word in mirror.findtext("{*}mirrorOf", "").split(",")]
            if {"central", "*", "external:*"} & set(of) and "!central" not in of:
                return mirror.findtext("{*}url", "").strip()
    return None


def repository_url():
    """Maven Central's address, as Maven itself has it."""
    if mirror := _mirror():
        return mirror.rstrip("/")
    homes = [pathlib.Path("/usr/share/maven")]
    if command := shutil.which("mvn"):
        homes.append(pathlib.Path(command).resolve().parents[1])
    for home in homes:
        for jar in sorted(home.glob("lib/maven-model-builder-*.jar")):
            with zipfile.ZipFile(jar) as archive:
                root = xml.etree.ElementTree.fromstring(archive.read(SUPER_POM))
            return root.findtext("{*}repositories/{*}repository/{*}url").rstrip("/")
    raise Unavailable("Maven is not installed, and it has the registry's address")


class _RemoteFile(io.RawIOBase):
    """A file of a web server, by ranges of bytes."""

    def __init__(self, url):
        super().__init__()
        self._url, self._at = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=TIMEOUT_S) as answer:
            self._size = int(answer.headers["Content-Length"])

    def seekable(self):
        return True

    def readable(self):
        return True

    def tell(self):
        return self._at

    def seek(self, offset, whence=os.SEEK_SET):
        self._at = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence] + offset
        return self._at

    def readinto(self, buffer):
        count = min(len(buffer), self._size - self._at)
        if count <= 0:
            return 0
        request = urllib.request.Request(self._url, headers={"Range": f"bytes={self._at}-{self._at + count - 1}"})
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            if answer.status != http.client.PARTIAL_CONTENT:
                raise Unavailable("the registry does not serve parts of files")
            data = answer.read()
        buffer[:len(data)] = data
        self._at += len(data)
        return len(data)


def _above(data):
    parsed = class_file.parse(data)
    return [name for name in (parsed.super_name, *parsed.interfaces) if name]


def _reason(version, error):
    """Skips without a registry, and fails if it answers that it does not have the version."""
    is_answer = isinstance(error, urllib.error.HTTPError) and error.code in (403, 404, 410)
    return (Mismatch if is_answer else Unavailable)(f"the registry does not give android-all {version}: {error}")


def open_jar(version):
    url = f"{repository_url()}/{ARTIFACT}/{version}/android-all-{version}.jar"
    return zipfile.ZipFile(io.BufferedReader(_RemoteFile(url), BUFFER_BYTES))


def _fetch(release, names):
    """The class files of these classes and of those above them: name -> bytes, None for a class that is not there."""
    found = {}
    try:
        with open_jar(release.version) as jar:
            entries = {info.filename: info for info in jar.infolist()}
            rest = set(names)
            while rest:
                here = sorted((name for name in rest if name + ".class" in entries),
                              key=lambda name: entries[name + ".class"].header_offset)
                found.update(dict.fromkeys(rest - set(here)))
                for name in here:
                    found[name] = jar.read(name + ".class")
                rest = {above for name in here for above in _above(found[name])} - set(found)
    except (OSError, http.client.HTTPException, zipfile.BadZipFile) as error:
        raise _reason(release.version, error) from None
    return found


def digest(files):
    """One sum of all class files in order of their names, and of the names that have none."""
    total = hashlib.sha256()
    for name in sorted(files):
        content = "-" if files[name] is None else hashlib.sha256(files[name]).hexdigest()
        total.update(f"{name} {content}\n".encode())
    return total.hexdigest()


def cache_folder(version):
    cache = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    return pathlib.Path(cache) / "stillframe/framework" / version


def _load(folder):
    """None without a cache."""
    if not (folder / ASKED).is_file():
        return None
    files = {}
    for name in (folder / ASKED).read_text(encoding="utf-8", errors="replace").split():
        path = folder / (name + ".class")
        files[name] = path.read_bytes() if path.is_file() else None
    return files


def _store(folder, files):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        new = pathlib.Path(temporary) / "new"
        new.mkdir()
        for name, data in files.items():
            if data is not None:
                path = new / (name + ".class")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        (new / ASKED).write_text("\n".join(sorted(files)) + "\n", encoding="utf-8")
        if folder.exists():  # of older rows: out of the way, then removed
            folder.rename(pathlib.Path(temporary) / "old")
        try:
            new.rename(folder)
        except OSError:  # another run was quicker
            if not (folder / ASKED).is_file():
                raise


def files_of(release, names, is_pinned=True):
    """The class files, from the cache or the registry. Raises Mismatch if the table pins others."""
    folder = cache_folder(release.version)
    files = _load(folder)
    is_cached = files is not None and set(names) <= set(files) and (not is_pinned or digest(files) == release.sha256)
    if not is_cached:
        files = _fetch(release, names)
    if is_pinned and digest(files) != release.sha256:
        raise Mismatch(f"android-all {release.version}: the classes have the sum {digest(files)}, "
                       f"{TABLE.name} has {release.sha256}")
    if not is_cached:
        _store(folder, files)
    return files


def files_matching(version, pattern, sha256):
    """The class files with such names, pinned as those of the table, from a cache of their own."""
    folder = cache_folder(version).with_name(f"{version}-{sha256[:16]}")
    files = _load(folder)
    if files is None or digest(files) != sha256:
        try:
            with open_jar(version) as jar:
                entries = sorted(jar.infolist(), key=lambda info: info.header_offset)
                files = {info.filename.removesuffix(".class"): jar.read(info) for info in entries
                         if info.filename.endswith(".class") and re.fullmatch(pattern, info.filename.removesuffix(".class"))}
        except (OSError, http.client.HTTPException, zipfile.BadZipFile) as error:
            raise _reason(version, error) from None
        if digest(files) != sha256:
            raise Mismatch(f"android-all {version}: the classes have the sum {digest(files)}, not {sha256}")
        _store(folder, files)
    return folder


class Framework:
    """The classes of one release."""

    def __init__(self, files, sources=None):
        """`sources`: of classes that have no file, by core_sources.key_of."""
        self._files, self._parsed, self.sources = files, {}, sources or {}

    def find(self, name):
        """The class, or None."""
        if name not in self._parsed:
            data = self._files.get(name)
            self._parsed[name] = None if data is None else class_file.parse(data)
        return self._parsed[name]

    def member(self, owner, is_method, is_static, name, type_):
        """The member of this class or of one above it, as JNI finds it; None if there is none."""
        found = self.find(owner)
        if found is None:
            return None
        for member in found.methods if is_method else found.fields:
            if (member.name, member.type, member.is_static) == (name, type_, is_static):
                return member
        if name == "<init>":
            return None
        for above in (found.super_name, *found.interfaces):
            if above and (member := self.member(above, is_method, is_static, name, type_)):
                return member
        return None
