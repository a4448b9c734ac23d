// SPDX-License-Identifier: Apache-2.0
// A document of settings: one JSON object (RFC 8259) whose members are settings, and "rules", a
// list of what is set under conditions.
//
// It may come from afar, so it is bounded in bytes, values, rules and depth, and refused as a whole
// where it is no JSON object: whoever has one keeps what was there. A value of the wrong kind costs
// that value alone, or its rule.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::settings {

// A longer document is not read.
constexpr size_t kMaxDocumentBytes = 64 * 1024;
constexpr size_t kMaxValues = 1'000;
constexpr size_t kMaxRules = 100;

struct Member {
  std::string name;
  // A number as it stands there, true as "1", false as "0".
  std::string value;
  // It is a string, a number, true or false; anything else is not kept. Of what must be a list or
  // an object this stands where it was none.
  bool is_plain = true;
  bool is_truth = false;  // it stood there as true or false
  size_t line = 0;        // where it stood
};

struct Rule {
  std::vector<Member> conditions;  // of one name: a list, of which one has to hold
  std::vector<Member> settings;
  std::vector<Member> others;  // "name", and what no release knows yet; without a name: no object
  size_t line = 0;             // where it begins
};

struct Document {
  std::vector<Member> settings;
  std::vector<Rule> rules;
};

// What it sets its setting to; nothing where it is none. What is wrong with it is told in one line
// of `*complaint`, as far as it shows yet. A kill switch that cannot be read switches off.
std::optional<std::string> ValueOf(const Member& setting, std::string* complaint);

// Returns "", or in one line what is wrong and where; then `*document` is empty.
// Context: any thread but a signal handler
std::string ReadDocument(std::string_view text, Document* document);

}  // namespace stillframe::settings
