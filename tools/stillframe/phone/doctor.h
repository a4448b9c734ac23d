// SPDX-License-Identifier: Apache-2.0
// Looks at everything that a recording needs before anything on the phone is changed.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {

constexpr int kLowestApi = 26;

// What a recording has to know of the phone and the application.
struct Patient {
  std::string serial;
  int api = 0;                    // Android's level, 26 is Android 8
  std::vector<std::string> abis;  // of the phone, its own one first
  std::string package;            // "" if none is asked about
  std::string abi;                // of the application
  std::string home;               // its folder
  std::string library;            // the file for its ABI, here
  std::vector<int> pids;          // of its main process, none if it does not run
  std::string wrap;               // the property that wraps its start
  bool was_broken_off = false;    // a recording has left something on the phone
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
  std::string serial;     // "": the only one
  std::string package;    // "": about the phone only
  std::string libraries;  // a folder with ABI/libstillframe.so, as tools/android leaves it
  bool needs_library = true;
};

// Stops at the first problem that hides all others.
Examination Examine(const Question& question);

// The property with which the zygote wraps an application's start.
std::string WrapProperty(const std::string& package);

// Ids of the processes of that name.
std::vector<int> PidsOf(const Adb& adb, const std::string& package);

}  // namespace stillframe::phone
