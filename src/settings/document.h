// SPDX-License-Identifier: Apache-2.0
// Settings document: one JSON object (RFC 8259) of settings, and "cohort", which says for which
// installs they are.
//
// It may come from a server, so bytes, values and depth are limited. Text that is not a JSON object
// is rejected as a whole, and the previous document stays. A value of the wrong kind invalidates
// only that value. With an invalid cohort the settings are for no install.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/process.h"

namespace stillframe::settings {

// Longer documents are rejected.
constexpr size_t kMaxDocumentBytes = 64 * 1024;
constexpr size_t kMaxValues = 1'000;

struct Member {
  std::string name;
  // A number as written; true as "1", false as "0".
  std::string value;
  // False: null, or a list or an object, which is not kept.
  bool is_plain = true;
  bool is_truth = false;  // written as true or false
  size_t line = 0;        // where it is in the text
};

struct Document {
  std::vector<Member> settings;
  std::vector<Member> cohort;  // its members
  bool has_cohort = false;
};

// The value for its setting; nothing if it is of the wrong kind, which `*complaint` says in one
// line. Set checks the value itself. An invalid value of the kill switch `enabled` switches off.
std::optional<std::string> ValueOf(const Member& setting, std::string* complaint);

// Returns "", or one line with error and place; then `*document` is empty.
// Context: any thread but a signal handler
std::string ReadDocument(std::string_view text, Document* document);

struct InForce {
  std::vector<model::NamedText> settings;
  std::string cohort;  // salt of the cohort that this install is in; "": none
};

// The settings for this install, "" if it has no id. The kill switch `enabled` switches off whether
// the install is in the cohort or not. Adds a line to `complaints` for an invalid cohort and for
// each invalid value in force.
InForce SettingsFor(const Document& document, std::string_view install_id,
                    std::vector<std::string>* complaints);

}  // namespace stillframe::settings
