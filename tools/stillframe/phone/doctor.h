// SPDX-License-Identifier: Apache-2.0
// Checks everything that a recording needs, before changing anything on the phone.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {

constexpr int kLowestApi = 26;

// Facts of phone and application that a recording needs.
struct Patient {
  std::string serial;
  int api = 0;                    // API level; 26 is Android 8
  std::vector<std::string> abis;  // of the phone, its preferred one first
  std::string package;            // "": none asked about
  std::string abi;                // the application's
  std::string home;               // the application's folder
  std::string library;            // local file for `abi`
  std::vector<int> pids;          // main process; empty: not running
  std::string wrap;               // property that wraps its start
  bool was_broken_off = false;    // an interrupted recording left something on the phone
};

struct Finding {
  enum class Kind { kFine, kNote, kProblem };
  Kind kind = Kind::kFine;
  std::string what;
  std::string remedy;
};

struct Examination {
  Patient patient;
  std::vector<Finding> findings;

  bool is_fine() const;
};

struct Question {
  std::string serial;     // "": the only phone
  std::string package;    // "": check the phone only
  std::string libraries;  // local folder with ABI/libstillframe.so, from tools/android
  bool needs_library = true;
};

// Stops at the first problem that hides all others.
Examination Examine(const Question& question);

// The property by which the zygote wraps an application's start.
std::string WrapProperty(const std::string& package);

// Pids of the processes with that name.
std::vector<int> PidsOf(const Adb& adb, const std::string& package);

}  // namespace stillframe::phone
