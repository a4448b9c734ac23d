// SPDX-License-Identifier: Apache-2.0
// Writes one JSON object front to back (RFC 8259), in ASCII.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/dump/jank_record.h"

namespace stillframe::jank {

// Size limit of a text with lines: unlimited. Line ends are \n here, \u000a in other texts.
constexpr size_t kLines = SIZE_MAX;

// The writer's side of src/dump/jank_record.h.
class JsonText {
 public:
  template <typename T>
  using Of = const T;

  // Continues `begun`, without the parts in `omitted`.
  explicit JsonText(std::string begun = "{", uint16_t omitted = 0, bool is_segment = false)
      : text_(std::move(begun)),
        omitted_(omitted),
        omitted_of_segments_(is_segment ? omitted : uint16_t{0}) {}

  template <typename T>
  [[gnu::always_inline]] void operator()(const dump::Row& row, const T& field) {
    if (!LeavesOut(row)) Put(row, row.name, field);
  }

  [[gnu::always_inline]] void Numbers(const dump::Row& row, const std::vector<uint64_t>& numbers) {
    if (!LeavesOut(row)) List(row.name, numbers);
  }

  template <typename T>
  [[gnu::always_inline]] void Named(const dump::Row& row, const std::vector<T>& members) {
    if (LeavesOut(row) || members.empty()) return;
    Open(row.name, '{');
    for (const T& member : members) Put(row, member.name.c_str(), ValueOf(member.value));
    Close('}');
  }

  // The text so far, with a comma at the end.
  std::string& text() { return text_; }
  size_t size() const { return text_.size(); }
  void CutTo(size_t size) { text_.resize(size); }
  // Ends the object; nothing may be added after it.
  std::string& Finish() {
    text_.back() = '}';
    return text_;
  }

 private:
  bool LeavesOut(const dump::Row& row) const {
    return ((row.omit & omitted_) | (row.omit_of_segments & omitted_of_segments_)) != 0;
  }

  static const char* ValueOf(const std::string& text) { return text.c_str(); }
  static uint64_t ValueOf(uint64_t count) { return count; }

  template <typename T>
  [[gnu::always_inline]] void Put(const dump::Row& row, const char* name, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (value || !row.is_optional) Flag(name, value);
    } else if constexpr (std::is_integral_v<T>) {
      Number(name, static_cast<int64_t>(value));
    } else {
      Text(name, value, row.is_lines ? kLines : row.most_bytes);
    }
  }

  void Name(const char* name);
  void List(const char* name, const std::vector<uint64_t>& numbers);
  void Open(const char* name, char bracket);
  // Replaces the last comma.
  void Close(char bracket);
  void AddNumber(int64_t value);
  void Flag(const char* name, bool value);
  // Writes nothing for dump::kNotThere. Text writes nothing for null.
  void Number(const char* name, int64_t value);
  // At most `max_bytes` when escaped; the excess is cut.
  void Text(const char* name, const char* value, size_t max_bytes);

  std::string text_;
  uint16_t omitted_;
  uint16_t omitted_of_segments_;
};

// Appends `text` in quotes, at most `max_bytes` between them. Accepts UTF-8 and the runtime's
// modified UTF-8 (surrogate pairs as two characters, zero as two bytes). Invalid bytes become
// question marks.
void AppendQuoted(std::string_view text, size_t max_bytes, std::string* json);

}  // namespace stillframe::jank
