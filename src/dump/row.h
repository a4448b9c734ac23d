// SPDX-License-Identifier: Apache-2.0
// What is said of a field of a dump beside its type: a row of fields.h.
#pragma once

#include <cstdint>

namespace stillframe::dump {

// Words of the setting `omit`, as bits in the order of config::Part.
namespace omit {
constexpr uint16_t kStacks = 1U << 0;
constexpr uint16_t kMessages = 1U << 1;
constexpr uint16_t kQueue = 1U << 2;
constexpr uint16_t kThreads = 1U << 3;
constexpr uint16_t kContext = 1U << 4;
constexpr uint16_t kAnnotations = 1U << 5;
constexpr uint16_t kReason = 1U << 6;
constexpr uint16_t kProcess = 1U << 7;
}  // namespace omit

// The name ends with the unit, where there is one: _ns, _us, _ms, _bytes.
struct Row {
  const char* name;               // in JSON, and in tables
  const char* what;               // a phrase; of lists about one entry
  const char* note = nullptr;     // how it is left out, where the words alone do not say it
  uint16_t omit = 0;              // any of these words leaves it out
  uint16_t omit_of_segments = 0;  // of what ran outside messages, these too
  uint16_t says_omission = 0;     // says so where any of these words leaves out what it is about
  bool is_class = false;          // a class's name; of what ran outside messages class and method
  bool is_lines = false;          // text of many lines
  bool is_own_words = false;      // the profiler's own
  bool may_be_unknown = false;    // and is negative then
  bool is_one_more = false;       // 0 is none

  consteval Row(const char* its_name, const char* its_what) : name(its_name), what(its_what) {}
  // Of names that are made at run time.
  static constexpr Row Of(const char* name, const char* what) {
    Row row("", "");
    row.name = name;
    row.what = what;
    return row;
  }

  consteval Row Omit(uint16_t words) const {
    Row row = *this;
    row.omit = words;
    return row;
  }
  consteval Row OmitOfSegments(uint16_t words) const {
    Row row = *this;
    row.omit_of_segments = words;
    return row;
  }
  consteval Row SaysOmission(uint16_t words) const {
    Row row = *this;
    row.says_omission = words;
    row.is_own_words = true;
    return row;
  }
  consteval Row Note(const char* its_note) const {
    Row row = *this;
    row.note = its_note;
    return row;
  }
  consteval Row Class() const {
    Row row = *this;
    row.is_class = true;
    return row;
  }
  consteval Row Lines() const {
    Row row = *this;
    row.is_lines = true;
    return row;
  }
  consteval Row OwnWords() const {
    Row row = *this;
    row.is_own_words = true;
    return row;
  }
  consteval Row OrUnknown() const {
    Row row = *this;
    row.may_be_unknown = true;
    return row;
  }
  consteval Row OneMore() const {
    Row row = *this;
    row.is_one_more = true;
    return row;
  }
};

}  // namespace stillframe::dump
