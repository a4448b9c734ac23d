// SPDX-License-Identifier: Apache-2.0
// The settings of a document in force for one process: its own, then those of each rule whose
// conditions all hold, in the document's order. The last value of a name counts.
//
// A rule with an unknown condition or an invalid value never holds: it may be for a later release.
// A condition on an unknown fact is false.
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

// "" and kFactUnknown: unknown.
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
  std::vector<size_t> rules;               // those in force, counted from 0
  int64_t next_s = kNever;                 // when this may change next
};

// Adds a line to `complaints` for each invalid rule and each invalid value.
InForce Apply(const Document& document, const Facts& facts, std::vector<std::string>* complaints);

// The rule's "name", else its number from "#1" on. One line of at most 40 bytes.
std::string NameOf(const Document& document, size_t rule);
// The rules in force, in order, for people: "one in a thousand, #3". Above 80 bytes: "..., and 12
// more". "": none.
std::string NamesInForce(const Document& document, const InForce& in_force);

// "2026-11-23" or "2026-11-23T10:00:00Z" in seconds since the epoch; false for other text.
bool ParseTime(const std::string& text, int64_t* seconds);

struct ConditionName {
  const char* name;
  const char* kind;  // "text", "number", "switch", "percent", "time"
};
// Ended by a null name.
const ConditionName* ConditionNames();

}  // namespace stillframe::settings
