#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a build.ninja that makes libart-compiler.so and dex2oat from Debian's source package of ART.

The names of the sources come from the package's Android.bp files, the macros from its debian/libart.mk, so that both
fit the libart.so.0 that Debian built. Sources are compiled in units of several files, because most of the time goes
into ART's headers.

Context: tools/setup/build-art-compiler unpacks the package and runs ninja on what this writes.
"""
import argparse
import collections
import os
import re
import shlex
import sys

from blueprint import read_modules

# CPUs by Debian's name. A generator's sources are built if its pattern finds them.
Cpu = collections.namedtuple("Cpu", "name triple generators macros headers libraries")
CPUS = {
    # nodes_x86.h of the 64-bit one needs the other's instructions.
    "amd64": Cpu("x86_64", "x86_64-linux-gnu", {"x86": "", "x86_64": ""}, ["-DART_ENABLE_CODEGEN_x86"], [], []),
    "arm64": Cpu("arm64", "aarch64-linux-gnu", {"arm": "_shared|_arm_base", "arm64": ""},
                 ["-DVIXL_INCLUDE_TARGET_A64", "-DVIXL_CODE_BUFFER_MMAP"], ["vixl"], ["libvixl.so.5"]),
}
INCLUDES = """cmdline compiler dex2oat dex2oat/include dexlayout disassembler libartbase libartbase/arch
  libartpalette/include libdexfile libdexfile/external/include libelffile libnativebridge/include
  libnativeloader/include libprofile odrefresh/include runtime sigchainlib tools/cpp-define-generator""".split()
HEADERS = ["android/nativehelper", "android", "android/cpu_features", ""]
# As in Debian's own build of libart; variables begin as zero as on Android, which ART relies on here and there.
FLAGS = """-std=gnu++17 -fPIC -DNDEBUG -UDEBUG -fno-exceptions -fno-rtti -fstrict-aliasing -fvisibility=protected
  -fno-omit-frame-pointer -fmessage-length=0 -w -include cmath -ftrivial-auto-var-init=zero
  -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang""".split()
# Ours instead of the package's (which is for the LZMA SDK).
REPLACED = {"elf/xz_utils.cc"}
UNIT_SIZE = 10
# Files with the same local names, which no unit may have two of.
APART = [re.compile(expression) for expression in (
    r"/register_allocator", r"calling_convention|jni_macro_assembler", r"/loop_optimization|/induction_var_range")]
# File, text and its repair, where the text is there. The last one lets dex2oat compile an application without a boot
# image; the others are what libstdc++ takes otherwise than libc++, for which ART is written.
REPAIRS = [
    ("compiler/optimizing/register_allocator_linear_scan.cc", "static ArenaVector<LiveInterval*>::iterator Remove",
     "static ScopedArenaVector<LiveInterval*>::iterator Remove"),
    ("dexlayout/dex_ir.h", "operator-(const Iterator& rhs) {", "operator-(const Iterator& rhs) const {"),
    ("runtime/art_method-inl.h", "vregs.data(), sizeof(vregs),", "vregs.data(), vregs.size() * sizeof(uint32_t),"),
    ("dex2oat/dex2oat.cc", 'raw_options.push_back(std::make_pair("-Xno-dex-file-fallback", nullptr));',
     "// May run without a boot image."),
    # ART 11 is written for an older VIXL than Debian's.
    ("compiler/optimizing/intrinsics_arm64.cc", "  Operand infinity;\n  Operand tst_mask;\n",
     "  Operand infinity(0);\n  Operand tst_mask(0);\n"),
]
REPAIRS += [(f"compiler/{name}", f"{scope}{kind}::Get{letter}RegFromCode", f"vixl::aarch64::{letter}Register")
            for name in ("optimizing/code_generator_arm64.cc", "optimizing/common_arm64.h", "utils/arm64/assembler_arm64.h")
            for scope in ("vixl::aarch64::", "")
            for kind, letters in (("VRegister", "DQVSH"), ("Register", "XW")) for letter in letters]
# Length of the loader's path in dex2oat, which tools/setup/build-art-compiler sets for its clone.
LOADER_LENGTH = 1024


def sources_of(module, cpu):
    """A module's sources: the common ones and those of the CPU's code generators."""
    found = list(module["srcs"])
    for generator, pattern in cpu.generators.items():
        sources = module.get("codegen", {}).get(generator, {}).get("srcs", [])
        found += [name for name in sources if re.search(pattern, name)]
    return [name for name in found if name not in REPLACED]


def is_for(cpu, header):
    folder = re.search(r"/(arm|arm64|mips|mips64|riscv64|x86|x86_64)/", header)
    return folder is None or folder[1] in cpu.generators


def macros_of(package, cpu):
    """The macros that Debian compiles libart with: other values would move fields of what is shared with it."""
    with open(f"{package}/debian/libart.mk", encoding="utf-8") as file:
        text = file.read()
    flags = re.search(r"^CPPFLAGS \+=(.*?)\n\n", text, re.MULTILINE | re.DOTALL).group(1)
    found = re.findall(r"-D[^\s\\]+", flags.replace("${CPU}", cpu.name))
    found.remove("-DBUILDING_LIBART=1")
    return found + cpu.macros


def split_into_units(files):
    """Deals files out to units. Those of jni/ clash with all that include code_generator.h."""
    units = []
    for group in (r"/compiler/optimizing/", r"/compiler/jni/", ""):
        members = [file for file in files if re.search(group, file)]
        files = [file for file in files if file not in members]
        dealt = [[] for _ in range(-(-len(members) // UNIT_SIZE))]
        for i, file in enumerate(members):
            kinds = [kind for kind in APART if kind.search(file)]
            order = dealt[i % len(dealt):] + dealt[:i % len(dealt)]
            fits = [unit for unit in order if not any(kind.search(other) for kind in kinds for other in unit)]
            if not fits:
                dealt.append([])
                fits = [dealt[-1]]
            fits[0].append(file)
        units += dealt
    return units


def repair(package):
    for name, text, repaired in REPAIRS:
        path = f"{package}/{name}"
        with open(path, encoding="utf-8") as file:
            source = file.read()
        if text in source:  # Not every release has each.
            with open(path, "w", encoding="utf-8") as file:
                file.write(source.replace(text, repaired))


def words(*values):
    """Words of a command, as ninja hands them to a shell."""
    return shlex.join(values).replace("$", "$$")


def paths_of(names):
    """Inputs and outputs of an edge, as ninja reads them."""
    return " ".join(re.sub(r"[$: ]", r"$\g<0>", name) for name in names)


class Build:
    def __init__(self, arguments):
        self.package = arguments.package
        self.folder = arguments.folder
        self.cpu = CPUS[arguments.cpu]
        self.statements = []

    def rule(self, name, command):
        self.statements.append(f"rule {name}\n  command = {command}\n  description = {name} $out\n")

    def edge(self, outputs, rule, inputs, implicit=(), **variables):
        text = f"build {paths_of([outputs])}: {rule} {paths_of(inputs)}"
        if implicit:
            text += " | " + paths_of(implicit)
        self.statements.append(text + "\n" + "".join(f"  {name} = {value}\n" for name, value in variables.items()))

    def units(self, name, files):
        """Compiles files in units and returns the objects."""
        objects = []
        for i, members in enumerate(split_into_units(files)):
            unit = f"{name}-{i}.cc"
            with open(f"{self.folder}/{unit}", "w", encoding="utf-8") as output:
                output.writelines(f'#include "{file}"\n' for file in members)
            objects.append(unit.replace(".cc", ".o"))
            self.edge(objects[-1], "compile", [unit], ["asm_defines.h"])
        return objects

    def operators(self, name, base, module):
        """The operators << of enumerations, by the package's own tool."""
        headers = read_modules(f"{self.package}/{base}/Android.bp")[module]["srcs"]
        paths = [f"{self.package}/{base}/{header}" for header in headers if is_for(self.cpu, header)]
        self.edge(f"{name}.cc", "operators", paths, base=base)
        self.edge(f"{name}.o", "compile", [f"{name}.cc"], ["asm_defines.h"])
        return f"{name}.o"

    def files(self, base, module):
        found = read_modules(f"{self.package}/{base}/Android.bp")[module]
        return [f"{self.package}/{base}/{name}" for name in sources_of(found, self.cpu)]


def write(arguments):
    repair(arguments.package)
    build = Build(arguments)
    recipe = os.path.dirname(os.path.abspath(__file__))
    package, headers, android = arguments.package, arguments.headers, arguments.libraries
    cpu = build.cpu
    includes = [".", f"{recipe}/include", package] + [f"{headers}/usr/include/{name}" for name in HEADERS + cpu.headers]
    includes += [f"{package}/{name}" for name in INCLUDES]
    flags = FLAGS + macros_of(package, cpu) + [f"-I{name}" for name in includes if name == "." or os.path.isdir(name)]
    libraries = [f"{android}/usr/lib/{cpu.triple}/android/lib{name}.so.0" for name in ("art", "base", "log")]
    archives = f"{headers}/usr/lib/{cpu.triple}"
    build.statements.append(f"flags = {arguments.optimization} {words(*flags)}\n")
    clang = f"clang++ --target={cpu.triple}"
    compiler = f"{arguments.launcher} {clang}".strip()
    build.rule("compile", f"{compiler} $flags -c -o $out $in")
    build.rule("repair", f"{compiler} -std=c++20 -fPIC -O1 {words(f'-I{recipe}/../launcher')} -c -o $out $in")
    build.rule("assembly", f"{clang} $flags -S -o $out $in")
    build.rule("defines", f"python3 {words(f'{package}/tools/cpp-define-generator/make_header.py')} $in > $out")
    build.rule("operators", f"python3 {words(f'{package}/tools/generate_operator_out.py')} {words(package)}/$base $in > $out")
    build.rule("library", f"{clang} -fuse-ld=lld -shared -Wl,--strip-debug -Wl,-soname,$out -o $out $in $libraries")
    build.rule("program",
               f"{clang} -fuse-ld=lld -Wl,--strip-debug -Wl,--allow-shlib-undefined $options -o $out $in $libraries")
    build.edge("asm_defines.s", "assembly", [f"{package}/tools/cpp-define-generator/asm_defines.cc"])
    build.edge("asm_defines.h", "defines", ["asm_defines.s"])

    objects = build.units("compiler", build.files("compiler", "libart-compiler-defaults") +
                          build.files("libelffile", "libelffile-defaults") + [f"{recipe}/liblzma.cc"])
    objects.append(build.operators("compiler_operators", "compiler", "art_compiler_operator_srcs"))
    build.edge("libart-compiler.so", "library", objects,
               libraries=words(f"{archives}/liblzma.a", *libraries, *(f"{archives}/{name}" for name in cpu.libraries)))

    objects = build.units("dex2oat", build.files("dex2oat", "libart-dex2oat-defaults") +
                          build.files("dex2oat", "dex2oat-defaults") +
                          build.files("dexlayout", "libart-dexlayout-defaults"))
    objects.append(build.operators("dex2oat_operators", "dex2oat", "art_dex2oat_operator_srcs"))
    for repaired in arguments.repairs:
        objects.append(os.path.basename(repaired).replace(".cc", ".o"))
        build.edge(objects[-1], "repair", [os.path.abspath(repaired)])
    # libsigchain comes first so that its sigaction wins; libart is underlinked.
    # By name: dex2oat must not depend on where this clone is.
    needed = [f"-l:{os.path.basename(name)}" for name in arguments.link]
    options = [f"-L{android}/usr/lib/{cpu.triple}/{folder}" for folder in ("android", ".")]
    if arguments.loader:
        options.append(f"-Wl,--dynamic-linker={arguments.loader.rjust(LOADER_LENGTH, '/')}")
    build.edge("dex2oat", "program", objects, ["libart-compiler.so"], options=words(*options),
               libraries=words("-Wl,--no-as-needed", *needed[:1], "libart-compiler.so", *needed[1:],
                               f"{archives}/liblz4.a", "-l:libz.so.1"))
    with open(f"{arguments.folder}/build.ninja", "w", encoding="utf-8") as file:
        file.write("\n".join(build.statements))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", required=True, help="the unpacked source package")
    parser.add_argument("--cpu", choices=CPUS, required=True)
    parser.add_argument("--headers", required=True, help="the folder that the header packages are unpacked in")
    parser.add_argument("--libraries", default="",
                        help="the folder that ART's packages are unpacked in; the machine's own")
    parser.add_argument("--loader", default="", help="their dynamic linker, where it is not the machine's own: a path "
                        f"in the root folder, with room for one of {LOADER_LENGTH} characters")
    parser.add_argument("--link", nargs="+", required=True, help="what dex2oat is linked with, below usr/lib/TRIPLE")
    parser.add_argument("--repairs", nargs="*", default=[], help="sources of dex2oat that repair ART in memory")
    parser.add_argument("--launcher", default=os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", ""),
                        help="what runs the compiler, as ccache")
    parser.add_argument("--optimization", default="-O1")
    parser.add_argument("folder")
    write(parser.parse_args())
    return 0


if __name__ == "__main__":
    sys.exit(main())
