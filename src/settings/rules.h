// SPDX-License-Identifier: Apache-2.0
// What of a document holds for one process: its settings, then those of each rule whose conditions
// all hold, in the document's order, so that the last one counts.
//
// A rule with a condition that is not known, or whose value is none, holds nowhere: it was written
// for a release that can tell. So does one about a fact that this process does not know.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/process.h"
#include "src/settings/document.h"

namespace stillframe::settings {

constexpr int64_t kFactUnknown = -1;
constexpr int64_t kNever = INT64_MAX;

// "" and kFactUnknown: not known.
struct Facts {
  std::string process;     // its name
  std::string package;     // of the application
  std::string abi;         // "arm64-v8a"
  std::string model;       // of the device
  std::string art_build;   // build id of libart, in hex
  std::string install_id;  // as the application gives it
  int64_t api = kFactUnknown;
  int64_t version = kFactUnknown;     // the application's version code
  int64_t debuggable = kFactUnknown;  // 1 or 0
  int64_t now_s = 0;                  // since the epoch
};

struct InForce {
  std::vector<model::NamedText> settings;  // the last one of a name counts
  std::vector<size_t> rules;               // those that hold, counted from 0
  int64_t next_s = kNever;                 // until then nothing changes by itself
};

// Adds a line to `complaints` for each rule that can hold nowhere and each value that is none.
InForce Apply(const Document& document, const Facts& facts, std::vector<std::string>* complaints);

// What the author of a document calls a rule, or its number, the first one is "#1". One line of at
// most 40 bytes.
std::string NameOf(const Document& document, size_t rule);
// Those that hold, in their order, for people: "one in a thousand, #3", or "..., and 12 more" where
// that would be more than 80 bytes; "": none holds.
std::string NamesInForce(const Document& document, const InForce& in_force);

// Seconds since the epoch of "2026-11-23" or "2026-11-23T10:00:00Z"; false for any other text.
bool ParseTime(const std::string& text, int64_t* seconds);

struct ConditionName {
  const char* name;
  const char* kind;  // "text", "number", "switch", "percent", "time"
};
// All conditions, ended by a null name.
const ConditionName* ConditionNames();

}  // namespace stillframe::settings
