# SPDX-License-Identifier: Apache-2.0
"""Packs built libraries for Gradle: an AAR with the library, its C headers (prefab) and the Java facade, and a Maven
repository on disk that has it. Usage: package.py --lib FOLDER --symbols FOLDER --output FOLDER [--artifact NAME]

--lib has ABI/libstillframe.so, --symbols ABI/libstillframe.so.debug. A second artifact, stillframe-noop, has the facade
without effect (noop.py). Equal input gives equal files.
"""

import argparse
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import noop

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUP = "dev.stillframe"
MIN_API = 26
NDK_STL = "none"  # linked in, and not exported
FACADE = ROOT / "src/entry/java"
LIBRARY = "libstillframe.so"
TIME = (2020, 1, 1, 0, 0, 0)

MANIFEST = f"""<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{GROUP}">
    <uses-sdk android:minSdkVersion="{MIN_API}" />
</manifest>
"""
# The variant without the library runs everywhere.
NOOP_MANIFEST = MANIFEST.replace(f'"{MIN_API}"', '"1"')
# The library finds the facade by its names.
KEEP_RULES = f"-keep class {GROUP}.** {{ *; }}\n"
POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <packaging>aar</packaging>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
</project>
"""
METADATA = """<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <versioning>
    <release>{version}</release>
    <versions>
      <version>{version}</version>
    </versions>
  </versioning>
</metadata>
"""


def project_version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(stillframe VERSION (\S+)", text)[1]


def zipped(entries):
    """A zip file of {path: bytes}."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(entries):
            archive.writestr(zipfile.ZipInfo(name, TIME), entries[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def files_below(folder, pattern):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob(pattern))}


def compiled(sources):
    """The class files of a folder of Java sources."""
    names = [str(path) for path in sorted(sources.rglob("*.java"))]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "--release", "8", "-g:source,lines", "-nowarn", "-Xlint:-options", "-d", folder, *names],
                       check=True)
        return files_below(pathlib.Path(folder), "*.class")


def prefab(libraries, version):
    """The part of the AAR that CMake and ndk-build import: {path: bytes}."""
    module = "prefab/modules/stillframe"
    entries = {
        "prefab/prefab.json": json.dumps(
            {"name": "stillframe", "schema_version": 2, "dependencies": [], "version": version}),
        f"{module}/module.json": json.dumps({"export_libraries": [], "library_name": "libstillframe"}),
    }
    for name, data in files_below(ROOT / "include", "*.h").items():
        entries[f"{module}/include/{name}"] = data
    for abi, data in libraries.items():
        entries[f"{module}/libs/android.{abi}/abi.json"] = json.dumps(
            {"abi": abi, "api": MIN_API, "ndk": 26, "stl": NDK_STL, "static": False})
        entries[f"{module}/libs/android.{abi}/{LIBRARY}"] = data
    return entries


def aar(libraries, sources, version):
    entries = {"AndroidManifest.xml": MANIFEST if libraries else NOOP_MANIFEST, "R.txt": "", "proguard.txt": KEEP_RULES,
               "classes.jar": zipped(compiled(sources))}
    for abi, data in libraries.items():
        entries[f"jni/{abi}/{LIBRARY}"] = data
    if libraries:
        entries |= prefab(libraries, version)
    return zipped(entries)


def publish(repository, artifact, version, files):
    """Writes {suffix: bytes} of one artifact into a Maven repository, each file with its checksums."""
    folder = repository.joinpath(*GROUP.split("."), artifact)
    values = {"group": GROUP, "artifact": artifact, "version": version}
    named = {folder / version / f"{artifact}-{version}{suffix}": data for suffix, data in files.items()}
    named[folder / version / f"{artifact}-{version}.pom"] = POM.format(**values).encode()
    named[folder / "maven-metadata.xml"] = METADATA.format(**values).encode()
    for path, data in named.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        for kind in ("md5", "sha1", "sha256"):
            path.with_name(f"{path.name}.{kind}").write_text(hashlib.new(kind, data).hexdigest(), encoding="ascii")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--lib", "--symbols", "--output"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    parser.add_argument("--artifact", choices=("stillframe", "stillframe-public"), default="stillframe")
    arguments = parser.parse_args()
    libraries = {path.parent.name: path.read_bytes() for path in sorted(arguments.lib.glob(f"*/{LIBRARY}"))}
    if not libraries:
        sys.exit(f"package: {arguments.lib} has no ABI/{LIBRARY}")
    version = project_version()
    without_effect = tempfile.TemporaryDirectory()
    noop.write(without_effect.name)
    for artifact, sources in ((arguments.artifact, FACADE), ("stillframe-noop", pathlib.Path(without_effect.name))):
        of_artifact = libraries if artifact == arguments.artifact else {}
        packed = aar(of_artifact, sources, version)
        (arguments.output / f"{artifact}-{version}.aar").write_bytes(packed)
        files = {".aar": packed, "-sources.jar": zipped(files_below(sources, "*.java"))}
        if of_artifact:
            files["-symbols.zip"] = zipped(files_below(arguments.symbols, "*.debug"))
        publish(arguments.output / "maven", artifact, version, files)
        print(f"package: {artifact}-{version}.aar, {len(packed) // 1024} KiB, for {', '.join(of_artifact) or 'any ABI'}")


if __name__ == "__main__":
    main()
