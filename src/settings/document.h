// SPDX-License-Identifier: Apache-2.0
// Settings document: one JSON object (RFC 8259) of settings, and "rules", a list of settings with
// conditions.
//
// It may come from a server, so bytes, values, rules and depth are limited. Text that is not a JSON
// object is rejected as a whole, and the previous document stays. A value of the wrong kind
// invalidates only that value or its rule.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::settings {

// Longer documents are rejected.
constexpr size_t kMaxDocumentBytes = 64 * 1024;
constexpr size_t kMaxValues = 1'000;
constexpr size_t kMaxRules = 100;

struct Member {
  std::string name;
  // A number as written; true as "1", false as "0".
  std::string value;
  // False: null, or a list or an object, which is not kept. Also false for a plain value where a
  // list or an object is needed.
  bool is_plain = true;
  bool is_truth = false;  // written as true or false
  size_t line = 0;        // where it is in the text
};

struct Rule {
  std::vector<Member> conditions;  // several of one name: one has to hold
  std::vector<Member> settings;
  std::vector<Member> others;  // "name", and unknown members; without a name: not an object
  size_t line = 0;             // where it begins
};

struct Document {
  std::vector<Member> settings;
  std::vector<Rule> rules;
};

// The value for its setting; nothing if it is of the wrong kind, which `*complaint` says in one
// line. Set checks the value itself. An invalid value of the kill switch `enabled` switches off.
std::optional<std::string> ValueOf(const Member& setting, std::string* complaint);

// Returns "", or one line with error and place; then `*document` is empty.
// Context: any thread but a signal handler
std::string ReadDocument(std::string_view text, Document* document);

}  // namespace stillframe::settings
