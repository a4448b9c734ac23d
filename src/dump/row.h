// SPDX-License-Identifier: Apache-2.0
// A row of fields.h or jank_record.h: describes a field, beyond its type.
#pragma once

#include <cstdint>

#include "src/model/omit_part.h"

namespace stillframe::dump {

// Words of the setting `omit` as bits.
namespace omit {
constexpr uint16_t kStacks = model::BitOf(model::OmitPart::kStacks);
constexpr uint16_t kMessages = model::BitOf(model::OmitPart::kMessages);
constexpr uint16_t kQueue = model::BitOf(model::OmitPart::kQueue);
constexpr uint16_t kThreads = model::BitOf(model::OmitPart::kThreads);
constexpr uint16_t kContext = model::BitOf(model::OmitPart::kContext);
constexpr uint16_t kAnnotations = model::BitOf(model::OmitPart::kAnnotations);
constexpr uint16_t kReason = model::BitOf(model::OmitPart::kReason);
constexpr uint16_t kProcess = model::BitOf(model::OmitPart::kProcess);
constexpr uint16_t kInstall = model::BitOf(model::OmitPart::kInstall);
}  // namespace omit

// The name ends with the unit, if any: _ns, _us, _ms, _bytes.
struct Row {
  const char* name;               // in JSON, and in tables
  const char* what;               // a phrase; for lists about one entry
  const char* note = nullptr;     // how it is omitted, if the words do not say it
  uint16_t omit = 0;              // any of these words omits it
  uint16_t omit_of_segments = 0;  // for segments these words do too
  uint16_t says_omission = 0;     // any of these words replaces it by a note of the omission
  uint16_t most_bytes = 96;       // of a text in a jank record, as escaped
  bool is_class = false;          // class name; for segments class and method
  bool is_lines = false;          // multi-line text
  bool may_be_unknown = false;    // negative: unknown
  bool is_one_more = false;       // plus one; 0: none
  bool is_optional = false;       // may be absent in a jank record

  consteval Row(const char* its_name, const char* its_what) : name(its_name), what(its_what) {}
  // For names that are made at run time.
  static constexpr Row Of(const char* name, const char* what) {
    Row row("", "");
    row.name = name;
    row.what = what;
    return row;
  }

  template <typename T>
  consteval Row With(T Row::*member, T value) const {
    Row row = *this;
    row.*member = value;
    return row;
  }
  consteval Row Omit(uint16_t words) const { return With(&Row::omit, words); }
  consteval Row OmitOfSegments(uint16_t words) const { return With(&Row::omit_of_segments, words); }
  consteval Row NamesOmission(uint16_t words) const { return With(&Row::says_omission, words); }
  consteval Row Note(const char* its_note) const { return With(&Row::note, its_note); }
  consteval Row Class() const { return With(&Row::is_class, true); }
  consteval Row Lines() const { return With(&Row::is_lines, true); }
  consteval Row OrUnknown() const { return With(&Row::may_be_unknown, true); }
  consteval Row OneMore() const { return With(&Row::is_one_more, true); }
  consteval Row Optional() const { return With(&Row::is_optional, true); }
  consteval Row MostBytes(uint16_t bytes) const { return With(&Row::most_bytes, bytes); }
};

}  // namespace stillframe::dump
