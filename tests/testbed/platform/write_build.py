#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a build.ninja that makes a class library and an Android framework from Debian's source packages.

The framework is the release's. The class library is Android 10's, the newest that Debian has; for ART 14 the repairs
below adapt it, and the test bed's generator adds what that ART demands besides. libcore's own .bp files name its sources;
all Java files of the framework are taken. libcore's tests get their own jar. This folder has what the packages lack:
headers, classes and natives, each of which says what it replaces.

Context: tools/setup/build-android unpacks the packages and runs ninja on what this writes.
"""
import argparse
import glob
import os
import shlex
import sys
import zipfile

RECIPE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(f"{RECIPE}/../../..")
sys.path.insert(0, f"{RECIPE}/../compiler")

from blueprint import read_modules  # pylint: disable=wrong-import-position

# File, text and its repair, with the reason.
REPAIRS = [
    # ICU4J has neither Android's method nor its constructor.
    ("ojluni/src/main/java/java/time/format/DateTimeFormatterBuilder.java",
     """Calendar.getDateTimeFormatString(
                ULocale.forLocale(locale), chrono.getCalendarType(),
                convertStyle(dateStyle), convertStyle(timeStyle));""",
     "((android.icu.text.SimpleDateFormat) android.icu.text.DateFormat.getDateTimeInstance("
     "convertStyle(dateStyle), convertStyle(timeStyle), ULocale.forLocale(locale))).toPattern();"),
    ("ojluni/src/main/java/sun/util/locale/provider/CalendarDataUtility.java",
     "new DateFormatSymbols(ULocale.forLocale(locale), calendarType)",
     "new DateFormatSymbols(android.icu.util.Calendar.getInstance(ULocale.forLocale(locale)), "
     "ULocale.forLocale(locale))"),
    # fdlibm is not in the package.
    ("ojluni/src/main/native/StrictMath.c", "../../external/fdlibm/fdlibm.h", "host_fdlibm.h"),
    # OpenSSL's number is opaque.
    ("luni/src/main/native/java_math_NativeBN.cpp", "#include <openssl/bn.h>", '#include "boringssl_bn.h"'),
    ("luni/src/main/native/java_math_NativeBN.cpp", "BIGNUM positiveA;\n  BN_init(&positiveA);",
     "BIGNUM& positiveA = *BN_new();"),
    # Debian's libicu contains its data, so no data file of Android is mapped.
    ("luni/src/main/native/libcore_icu_ICU.cpp", "#include \"unicode/ucurr.h\"",
     "#include <unicode/ucurr.h>\n#include <unicode/udata.h>"),
    ("luni/src/main/native/libcore_icu_ICU.cpp", "udata_setFileAccess(UDATA_NO_FILES, &status);", ""),
    ("luni/src/main/native/libcore_icu_ICU.cpp",
     """icu_datamap_from_runtime_module_ = IcuDataMap::Create(getRuntimeModulePath());
    if (icu_datamap_from_runtime_module_ == nullptr) {
        abort();
    }""", ""),
]
# The same, for ART 14. Its C++ lays out these classes, and there may be no other fields.
DEX_CACHE = "libart/src/main/java/java/lang/DexCache.java"
CLASS_EXT = "libart/src/main/java/dalvik/system/ClassExt.java"
STACK_FRAME = "dalvik/src/main/java/dalvik/system/EmulatedStackFrame.java"
METHOD_HANDLE = "ojluni/src/main/java/java/lang/invoke/MethodHandle.java"
REPAIRS_14 = [
    # Counts and an array that 14 does not have; nothing in Java reads them.
    *((DEX_CACHE, f"    private {field};\n", "") for field in
      ("long preResolvedStrings", "int numPreResolvedStrings", "int numResolvedCallSites", "int numResolvedFields",
       "int numResolvedMethodTypes", "int numResolvedMethods", "int numResolvedTypes", "int numStrings")),
    # Two fields have other names.
    (CLASS_EXT, "private Object verifyError;", "private Object erroneousStateError;"),
    ("ojluni/src/main/java/java/lang/reflect/Field.java", "dexFieldIndex", "artFieldIndex"),
    # A frame has one type, that of the call.
    (STACK_FRAME, "    private final MethodType callsiteType;", ""),
    (STACK_FRAME, "        this.callsiteType = callsiteType;\n", ""),
    (STACK_FRAME, "return callsiteType;", "return type;"),
    # A handle has one type. asType makes another kind of handle in 14, which libcore 10 does not have.
    (METHOD_HANDLE, "    private MethodType nominalType;", ""),
    (METHOD_HANDLE, "        if (nominalType != null) {\n            return nominalType;\n        }\n", ""),
    (METHOD_HANDLE, "        MethodHandle mh = duplicate();\n        mh.nominalType = newType;\n        return mh;",
     '        throw new UnsupportedOperationException("MethodHandle.asType");'),
    # StaticFieldVarHandle extends it in 14.
    ("libart/src/main/java/java/lang/invoke/FieldVarHandle.java", "final class FieldVarHandle",
     "class FieldVarHandle"),
    # 14's framework calls it.
    ("ojluni/src/main/java/java/lang/ref/Reference.java", "    public void clear() {",
     "    public final boolean refersTo(T object) { return refersTo0(object); }\n"
     "    @FastNative private native boolean refersTo0(Object object);\n    public void clear() {"),
    # 14's Binder calls them; a stronger order is as good.
    ("ojluni/src/main/java/java/util/concurrent/atomic/AtomicReferenceArray.java", "    public final E get(int i) {",
     "    public final E getAcquire(int i) { return get(i); }\n"
     "    public final void setRelease(int i, E value) { set(i, value); }\n    public final E get(int i) {"),
    # Neither have 14's natives: classes from memory are verified where they are used, not in the background.
    ("dalvik/src/main/java/dalvik/system/DexPathList.java", """dex.isBackedByOatFile()
                    ? null : DexFile.getClassLoaderContext(definingContext, null_elements);""", "null;"),
    # 14 has no native of it.
    ("luni/src/main/java/libcore/util/CharsetUtils.java",
     "native void isoLatin1BytesToChars(byte[] bytes, int offset, int length, char[] chars);",
     "void isoLatin1BytesToChars(byte[] bytes, int offset, int length, char[] chars) {\n"
     "        for (int i = 0; i < length; i++) chars[i] = (char) (bytes[offset + i] & 0xff);\n    }"),
]
FRAMEWORK_REPAIRS_14 = [
    # No server knows the display; own_natives.cc plays one of 60 Hz.
    ("core/java/android/view/Choreographer.java",
     """        DisplayInfo di = DisplayManagerGlobal.getInstance().getDisplayInfo(
                Display.DEFAULT_DISPLAY);
        return di.getRefreshRate();""", "        return 60;"),
]
API_LEVELS = {"10": "29", "14": "34"}
JAVA_LISTS = {
    "openjdk_java_files.bp": ["openjdk_javadoc_files", "openjdk_mmodule_extra_files", "openjdk_internal_files",
                              "openjdk_lambda_stub_files"],
    "non_openjdk_java_files.bp": ["non_openjdk_javadoc_files", "non_openjdk_java_files"],
}
# Checks features of Java 9 itself.
LEFT_OUT = {"luni/src/main/java/libcore/internal/Java9LanguageFeatures.java"}
NATIVE_LISTS = {"androidio": ("luni", "libandroidio_srcs", None),
                "javacore": ("luni", "luni_native_srcs", "left_out.cc"),
                "openjdk": ("ojluni", "libopenjdk_native_srcs", "openjdkjvm.cc")}
NATIVE_FLAGS = """-w -O1 -g0 -fPIC -D_LARGEFILE64_SOURCE -D_GNU_SOURCE -DLINUX -DTRUE=1 -DFALSE=0
  -D__has_feature(x)=0 -include string.h""".split()
LINKED = {
    "androidio": ["-l:liblog.so.0"],
    "javacore": ["-l:libnativehelper.so.0", "-l:libbase.so.0", "-l:liblog.so.0", "-l:libziparchive.so.0",
                 "-l:libicui18n.so.72", "-l:libicuuc.so.72", "-l:libexpat.so.1", "-l:libcrypto.so.3", "-lz"],
    "openjdk": ["-l:libnativehelper.so.0", "-l:libbase.so.0", "-l:liblog.so.0", "-l:libicuuc.so.72", "-lz", "-lm"],
    "android_runtime": ["-l:libutils.so.0", "-l:libcutils.so.0", "-l:libnativehelper.so.0", "-l:libbase.so.0",
                        "-l:liblog.so.0"],
}
FRAMEWORK_NATIVES = ["android_os_MessageQueue.cpp", "android_os_Trace.cpp"]
OWN_NATIVES = ["tests/testbed/platform/runtime.cc", "tests/testbed/platform/own_natives.cc",
               "tests/testbed/native/log.cc", "tests/testbed/native/system_clock.cc",
               "tests/testbed/native/system_properties.cc"]
# The second compiler of the JVM costs more than it saves in a program of a minute.
JAVA_FLAGS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
# After an error, the compiler's exit code is that of a crash. Without a crash the errors are counted at the end.
OR_COUNTED = "|| grep -qx '[0-9]* problems* ([0-9]* errors*.*)'"
ASM = "/usr/share/java/asm.jar:/usr/share/java/asm-tree.jar"
# libcore's own tests: folders of sources that are compiled whole, and folders that these need single classes of.
TEST_FOLDERS = ["jsr166-tests/src/test/java/jsr166", "harmony-tests/src/test/java/org/apache/harmony/tests/java/lang",
                "harmony-tests/src/test/java/org/apache/harmony/tests/java/util"]
TEST_SUPPORT = ["jsr166-tests/src/test/java", "harmony-tests/src/test/java", "support/src/test/java",
                "luni/src/test/java", "test-rules/src/main/java", "dalvik/test-rules/src/main/java"]
TEST_RESOURCES = ["harmony-tests/src/test/resources"]
TEST_LIBRARIES = ("junit4", "hamcrest")


def repair(package, repairs):
    for name, text, repaired in repairs:
        path = f"{package}/{name}"
        with open(path, encoding="utf-8") as file:
            source = file.read()
        if text not in source:
            raise ValueError(f"{name}: not the text that the repair is for")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.replace(text, repaired))


def words(*values):
    """Words of a command, as ninja hands them to a shell."""
    return shlex.join(values).replace("$", "$$")


def escaped(name):
    return name.replace("$", "$$").replace(":", "$:").replace(" ", "$ ")


def write_list(path, names):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f'"{name}"\n' for name in names)


class Build:
    def __init__(self, arguments):
        self.libcore, self.base = arguments.libcore, arguments.frameworks_base
        self.headers, self.tools, self.libraries = arguments.headers, arguments.tools, arguments.libraries
        self.release, self.utils = arguments.release, arguments.utils
        self.java = arguments.java
        self.folder = arguments.folder
        self.generator = arguments.generator
        self.dx = arguments.dx
        self.launcher = arguments.launcher
        self.statements = []

    def edge(self, outputs, command, inputs=()):
        rule = f"rule{len(self.statements)}"
        self.statements.append(f"rule {rule}\n  command = {command}\n  description = {outputs}\n"
                               f"build {escaped(outputs)}: {rule} {' '.join(map(escaped, inputs))}\n")

    def to_dex(self, jar, classes, options, begin=None, rewrite=("generator.Desugar",)):
        """Lets a program of the generator rewrite the class files' lambdas, then makes a jar of dex files of them.
        `begin`: a command that makes the jar with other files in it."""
        desugared = jar.replace(".jar", "-desugared")
        self.edge(f"{desugared}.stamp", " && ".join([
            words(f"{self.java}/java", *JAVA_FLAGS, "-cp", f"{self.generator}:{ASM}", *rewrite, classes, desugared),
            words("touch", f"{desugared}.stamp")]), [f"{classes}.stamp"])
        dex = f"{jar}.dex.jar" if begin else jar
        self.edge(dex, words(f"{self.java}/java", "-Xmx5g", *JAVA_FLAGS, "-cp", self.dx,
                             "com.android.dx.command.Main", "--dex", "--multi-dex",
                             "--core-library", "--min-sdk-version=28", *options, f"--output={dex}", desugared),
                  [f"{desugared}.stamp"])
        if begin:
            program = words(f"{self.java}/jar")
            self.edge(jar, f"{begin} && mkdir -p {dex}.d && cd {dex}.d && {program} xf ../{dex} && "
                      f"{program} uf ../{jar} *.dex", [dex])

    def resources(self):
        """Files that libcore's classes read; of the security providers those that it has."""
        java = f"{self.libcore}/luni/src/main/java"
        with zipfile.ZipFile(f"{self.folder}/resources.jar", "w") as jar:
            jar.write(f"{java}/java/util/logging/logging.properties", "java/util/logging/logging.properties")
            with open(f"{java}/java/security/security.properties", encoding="utf-8") as file:
                lines = [line for line in file if not line.startswith("security.provider.")]
            jar.writestr("java/security/security.properties",
                         "".join(lines) + "security.provider.1=sun.security.provider.CertPathProvider\n")

    def core(self):
        sources = [f"{self.libcore}/{name}" for file, groups in JAVA_LISTS.items()
                   for group in groups for name in read_modules(f"{self.libcore}/{file}")[group]["srcs"]
                   if name not in LEFT_OUT and not name.startswith(":")]
        sources.append(f"{RECIPE}/core/android/icu/text/DecimalFormat_ICU58_Android.java")
        write_list(f"{self.folder}/core-sources.txt", sources)
        icu4j = f"{self.tools}/usr/share/java/icu4j.jar"
        self.edge("icu.jar", words("python3", f"{RECIPE}/rename_icu.py", icu4j, "icu.jar", "icu-data.jar"))
        self.edge("icu.stamp", f"mkdir -p icu && cd icu && {words(f'{self.java}/jar')} xf ../icu.jar && "
                  "touch ../icu.stamp", ["icu.jar"])
        self.to_dex("icu4j.jar", "icu", [], "cp icu-data.jar icu4j.jar")
        self.edge("core.stamp", " && ".join([
            words("mkdir", "-p", "core"),
            words(f"{self.java}/javac", *(f"-J{flag}" for flag in JAVA_FLAGS), "-proc:none", "-nowarn", "-g",
                  "-source", "8", "-target", "8", "-XDstringConcat=inline", "-XDignore.symbol.file", "-Xlint:-options", "-encoding", "UTF-8",
                  "-bootclasspath", "", "-extdirs", "", "-cp", "icu.jar", "-d", "core", "@core-sources.txt"),
            "touch core.stamp"]), ["icu.jar"])
        # libcore 10 has what ART 10 demands.
        complete = ["generator.BootClassPath", f"{ROOT}/tests/testbed/facts/boot-class-path.txt", self.release]
        self.to_dex("core.jar", "core", [], words("cp", f"{self.folder}/resources.jar", "core.jar"),
                    ["generator.Desugar"] if self.release == "10" else complete)

    def eclipse(self, folder, classes, *options):
        """The compiler that reports an error, and makes the method that has it throw an error with the text."""
        jars = ":".join(f"{self.tools}/usr/share/java/{name}.jar"
                        for name in ("eclipse-jdt-core", "eclipse-core-runtime"))
        return words(f"{self.java}/java", "-Xmx4g", *JAVA_FLAGS, "-cp", jars,
                     "org.eclipse.jdt.internal.compiler.batch.Main", "-proceedOnError", "-nowarn", "-g",
                     "-source", "1.8", "-target", "1.8", "-proc:none", "-encoding", "UTF-8",
                     "-bootclasspath", classes, "-d", folder, *options)

    def core_tests(self):
        """libcore's tests with JUnit in libcore-tests.jar, the names of the classes in libcore-tests.txt."""
        sources = sorted(path for folder in TEST_FOLDERS
                         for path in glob.glob(f"{self.libcore}/{folder}/**/*.java", recursive=True))
        write_list(f"{self.folder}/libcore-tests-sources.txt", sources)
        libraries = [f"{self.tools}/usr/share/java/{name}.jar" for name in TEST_LIBRARIES]
        compiler = self.eclipse("libcore-tests", "core:icu.jar", "-cp", ":".join(libraries), "-sourcepath",
                                ":".join(f"{self.libcore}/{folder}" for folder in TEST_SUPPORT),
                                "@libcore-tests-sources.txt")
        unpack = [f"(cd libcore-tests && {words(f'{self.java}/jar', '-xf', library)})" for library in libraries]
        self.edge("libcore-tests.stamp", " && ".join([
            f"mkdir -p libcore-tests; {{ {compiler} > libcore-tests.log 2>&1 {OR_COUNTED} libcore-tests.log; }}",
            *unpack, "rm -rf libcore-tests/META-INF", "touch libcore-tests.stamp"]), ["core.stamp"])
        self.to_dex("libcore-tests-classes.jar", "libcore-tests", [])
        self.edge("libcore-tests.jar", words("cp", "libcore-tests-classes.jar", "libcore-tests.jar") + " && " + words(
            f"{self.java}/jar", "-uf", "libcore-tests.jar", *(word for folder in TEST_RESOURCES
                                                              for word in ("-C", f"{self.libcore}/{folder}", "."))),
                  ["libcore-tests-classes.jar"])
        self.edge("libcore-tests.txt", words("python3", f"{RECIPE}/list_tests.py", "libcore-tests.log",
                                             *(f"{self.libcore}/{folder}" for folder in TEST_FOLDERS))
                  + " > libcore-tests.txt", ["libcore-tests.stamp"])

    def framework(self):
        aidl = f"{self.headers}/usr/lib/android-sdk/build-tools/debian/aidl"
        search = ":".join([f"{self.headers}/usr/lib/x86_64-linux-gnu/android",
                           f"{self.headers}/usr/lib/android-sdk/build-tools", self.libraries])
        own = ["--own", f"{RECIPE}/framework"]
        if self.release == "14":
            own += ["--own", f"{RECIPE}/framework-14"]
        self.edge("framework/sources.txt", words(
            "env", f"LD_LIBRARY_PATH={search}", "python3", f"{RECIPE}/framework_sources.py", "--package", self.base,
            "--aidl", aidl, "--core", "core-sources.txt", *own, "--classes", "core", "icu.jar", "--", "framework")
            + " > framework.log", ["core.stamp"])
        compiler = self.eclipse("framework-classes", "core:icu.jar", "@framework/sources.txt")
        self.edge("framework-classes.stamp",
                  f"mkdir -p framework-classes; {{ {compiler} > ecj.log 2>&1 {OR_COUNTED} ecj.log; }} && "
                  "touch framework-classes.stamp",
                  ["framework/sources.txt", "core.stamp"])
        self.to_dex("framework.jar", "framework-classes", ["--num-threads=2"])

    def compile(self, name, source, flags):
        language = ["gcc", "-std=gnu99"] if source.endswith(".c") else ["g++", "-std=gnu++20"]
        target = f"{name}-{os.path.basename(source)}.o"
        self.edge(target, words(*shlex.split(self.launcher), *language, *flags, "-c", source, "-o", target), [source])
        return target

    def link(self, name, objects, own=()):
        folders = [f"-L{self.utils}/usr/lib/x86_64-linux-gnu/android", f"-L{self.libraries}",
                   f"-L{self.headers}/usr/lib/x86_64-linux-gnu/android",
                   f"-L{self.tools}/usr/lib/x86_64-linux-gnu"]
        self.edge(f"lib{name}.so", words("g++", "-shared", f"-Wl,-soname,lib{name}.so", "-o", f"lib{name}.so",
                                         *objects, *own, *folders, *LINKED[name],
                                         "-Wl,--no-undefined", "-Wl,--allow-shlib-undefined"), [*objects, *own])

    def natives(self):
        android, host = f"{self.headers}/usr/include/android", f"{self.tools}/usr/include"
        system = [f"-I{name}" for name in (android, f"{android}/nativehelper", host, f"{host}/x86_64-linux-gnu")]
        ours = [f"-I{RECIPE}/include"]
        for name, (tree, group, own) in NATIVE_LISTS.items():
            folder = f"{self.libcore}/{tree}/src/main/native"
            files = [f"{folder}/{file}" for file in read_modules(f"{folder}/Android.bp")[group]["srcs"]]
            if own:
                files.append(f"{RECIPE}/{own}")
            flags = [*NATIVE_FLAGS, f'-DTESTBED_RELEASE="{self.release}"', "-DU_USING_ICU_NAMESPACE=0", *ours, *system,
                     f"-I{folder}", f"-I{self.libcore}/luni/src/main/native"]
            objects = [self.compile(name, file, flags) for file in dict.fromkeys(files)]
            self.link(name, objects, [] if name == "androidio" else ["libandroidio.so"])
        folder = f"{self.base}/core/jni"
        flags = [*NATIVE_FLAGS, "-include", "log/log.h", f'-DTESTBED_RELEASE="{self.release}"',
                 f'-DTESTBED_SDK="{API_LEVELS[self.release]}"', *ours, f"-I{folder}",
                 f"-I{self.utils}/usr/include/android", *system, f"-I{ROOT}"]
        files = [*(f"{folder}/{file}" for file in FRAMEWORK_NATIVES), *(f"{ROOT}/{file}" for file in OWN_NATIVES)]
        self.link("android_runtime", [self.compile("runtime", file, flags) for file in files])

    def write(self):
        repair(self.libcore, REPAIRS if self.release == "10" else [*REPAIRS, *REPAIRS_14])
        if self.release == "14":
            repair(self.base, FRAMEWORK_REPAIRS_14)
        self.resources()
        self.core()
        self.framework()
        self.core_tests()
        self.natives()
        with open(f"{self.folder}/build.ninja", "w", encoding="utf-8") as file:
            file.write("\n".join(self.statements))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", required=True, choices=sorted(API_LEVELS))
    parser.add_argument("--libcore", required=True, help="the unpacked source package")
    parser.add_argument("--frameworks-base", required=True, help="the unpacked source package")
    parser.add_argument("--headers", required=True,
                        help="the folder of Android 10's packages: headers, libraries, aidl")
    parser.add_argument("--utils", required=True,
                        help="the folder of the release's packages of libutils and libcutils")
    parser.add_argument("--tools", required=True,
                        help="the folder of the compiler's and this machine's libraries' packages")
    parser.add_argument("--libraries", required=True, help="the folder of ART 10's libraries")
    parser.add_argument("--java", required=True, help="the JDK's folder of programs")
    parser.add_argument("--generator", required=True, help="the test bed's compiled generator")
    parser.add_argument("--dx", required=True)
    parser.add_argument("--launcher", default=os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", ""),
                        help="what runs the compiler, as ccache")
    parser.add_argument("folder")
    Build(parser.parse_args()).write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
