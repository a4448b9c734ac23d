// SPDX-License-Identifier: Apache-2.0
// Failures with dump files, as stable numbers.
#pragma once

#include <cstdint>

namespace stillframe::dump {

// Never renumber: the numbers are logged.
enum class Status : uint8_t {
  kOk = 0,
  // Writing; with an errno value.
  kCannotCreate = 1,  // the folder is missing or not writable
  kCannotWrite = 2,   // disk full, quota or size limit, input/output error
  kCannotSync = 3,
  kCannotRename = 4,
  kNameTooLong = 5,
  kNoMemory = 6,
  // Reading.
  kCannotRead = 20,
  kEmpty = 21,
  kNotADump = 22,
  kNewerVersion = 23,
  kTooLarge = 24,
  kDamaged = 25,  // part of it could be read
  kOlderVersion = 26,
};

// A static phrase in plain English.
const char* StatusText(Status status);

}  // namespace stillframe::dump
