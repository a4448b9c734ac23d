// SPDX-License-Identifier: Apache-2.0
#include "modes.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace stillframe::testbed {
namespace {

constexpr char kAll[] = "10 11 14";
constexpr const char* kCompiled = kCompiledInterpreter;

std::vector<std::string> Jit(std::vector<std::string> more) {
  more.insert(more.begin(), "-Xusejit:true");
  return more;
}

std::vector<std::string> LowThresholds(std::vector<std::string> more) {
  more.insert(more.end(), {"-Xjitwarmupthreshold:10", kLowThreshold});
  return Jit(std::move(more));
}

std::vector<Mode> MakeModes() {
  return {
      {"interpreter", kAll, "", false, Ahead::kNothing, {}, {}, "the usual interpreter (default)"},
      {"mterp", "10 11", "mterp", false, Ahead::kNothing, {}, {}, "the interpreter in assembly"},
      {"nterp",
       "11 14",
       "nterp",
       false,
       Ahead::kNothing,
       {},
       {},
       "its successor, with quick frames"},
      {"switch", "14", "switch", false, Ahead::kNothing, {}, {}, "the interpreter in C++"},
      {"jit",
       kAll,
       kCompiled,
       true,
       Ahead::kNothing,
       Jit({}),
       {},
       "the JIT compiler with its default thresholds"},
      {"jit-low",
       kAll,
       kCompiled,
       true,
       Ahead::kNothing,
       LowThresholds({}),
       {},
       "the JIT compiler with low thresholds"},
      // 10 never asks for baseline code (runtime/jit/jit.cc).
      {"jit-baseline",
       "11 14",
       kCompiled,
       true,
       Ahead::kNothing,
       LowThresholds({"-Xcompiler-option", "--baseline"}),
       {},
       "jit-low with baseline code only"},
      {"jit-collect",
       kAll,
       kCompiled,
       true,
       Ahead::kNothing,
       LowThresholds({"-Xjitinitialsize:16K", "-Xjitmaxsize:64K"}),
       {},
       "jit-low with so small a code cache that it is collected"},
      {"debuggable",
       kAll,
       kCompiled,
       true,
       Ahead::kNothing,
       LowThresholds({"-Xcompiler-option", "--debuggable", "-XjdwpProvider:none"}),
       {},
       "jit-low in a debuggable runtime"},
      {"index-ids",
       "11 14",
       kCompiled,
       true,
       Ahead::kNothing,
       LowThresholds({"-Xopaque-jni-ids:true"}),
       {},
       "jit-low with method ids that are indices"},
      {"tracing",
       kAll,
       kCompiled,
       true,
       Ahead::kNothing,
       // ART removes what has the file's name, a device too.
       LowThresholds({"-Xmethod-trace", "-Xmethod-trace-file:/tmp/stillframe-methods.trace",
                      "-Xmethod-trace-file-size:1048576"}),
       {},
       "jit-low while ART traces methods, which deoptimizes or instruments them"},
      // 10 takes code for outdated where it has no boot image
      // (OatFileAssistant::ValidateBootClassPathChecksums).
      {"aot",
       "11 14",
       kCompiled,
       true,
       Ahead::kApplication,
       {},
       {"--compiler-filter=speed"},
       "the application compiled ahead of time, the core library interpreted"},
      {"aot-boot",
       kAll,
       kCompiled,
       true,
       Ahead::kApplicationOnBootImage,
       {},
       {"--compiler-filter=speed"},
       "application and core library compiled, with a boot image"},
      // Methods longer than this many code units are left to the JIT.
      {"aot-jit",
       kAll,
       kCompiled,
       true,
       Ahead::kApplicationOnBootImage,
       LowThresholds({}),
       {"--compiler-filter=speed", "--huge-method-max=24"},
       "aot-boot, long methods by the JIT compiler"},
  };
}

}  // namespace

const std::vector<Mode>& Modes() {
  static const std::vector<Mode> modes = MakeModes();
  return modes;
}

const Mode* FindMode(const std::string& name) {
  const auto found = std::find_if(Modes().begin(), Modes().end(),
                                  [&](const Mode& mode) { return mode.name == name; });
  return found == Modes().end() ? nullptr : &*found;
}

bool HasMode(const Mode& mode, const std::string& release) {
  std::istringstream words(mode.releases);
  return std::find(std::istream_iterator<std::string>(words), {}, release) !=
         std::istream_iterator<std::string>();
}

std::string DescribeModes() {
  std::string text;
  for (const Mode& mode : Modes()) {
    std::string name = mode.name;
    name.resize(14, ' ');
    text += "    " + name + mode.help + (mode.releases == kAll ? "" : " (" + mode.releases + ")") +
            "\n";
  }
  return text;
}

}  // namespace stillframe::testbed
