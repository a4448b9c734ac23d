// SPDX-License-Identifier: Apache-2.0
// How an application's code runs: interpreted, or compiled by ART's own compiler as on phones.
// Context: art-run --mode; the options come from here, ahead.h compiles ahead of time.
#pragma once

#include <string>
#include <vector>

namespace stillframe::testbed {

// Output of dex2oat that must exist before the program starts.
enum class Ahead { kNothing, kApplication, kApplicationOnBootImage };

// As Mode::interpreter: not -Xint, so nterp where there is one.
constexpr char kCompiledInterpreter[] = "compiled";

// A method is compiled after so many executions.
constexpr char kLowThreshold[] = "-Xjitthreshold:50";

struct Mode {
  std::string name;
  std::string releases;     // Those that have it, separated by spaces.
  std::string interpreter;  // Empty: the release's usual one.
  bool needs_compiler = false;
  Ahead ahead = Ahead::kNothing;
  std::vector<std::string> runtime_options;
  std::vector<std::string> dex2oat_options;
  std::string help;
};

const std::vector<Mode>& Modes();

// Null if there is none of that name.
const Mode* FindMode(const std::string& name);

bool HasMode(const Mode& mode, const std::string& release);

// A line for each mode.
std::string DescribeModes();

}  // namespace stillframe::testbed
