// SPDX-License-Identifier: Apache-2.0
// All fields of a dump under their paths, and dumps with a text in each field that takes one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "src/dump/fields.h"

namespace stillframe::dump {

// A field, list or optional: "history[].lock_waits[].owner".
struct FieldPath {
  std::string path;
  Row row;
  uint16_t omit;  // what it is inside of counts too
  SectionKind section;
  const char* stored;
};

// Walks a dump and calls visit(field_path, field). Lists and optionals get one entry each if
// `fills`.
template <typename Visit>
class PathWalk {
 public:
  template <typename T>
  using Of = T;

  PathWalk(bool fills, SectionKind section, const Visit& visit)
      : fills_(fills), section_(section), visit_(visit) {}

  template <typename T>
  void operator()(const Row& row, T& field) {
    AddPath(row, Stored<T>(), field);
  }
  template <typename T>
  bool Enum(const Row& row, T& value) {
    AddPath(row, Stored<T>(), value);
    return true;
  }
  void NotReadable(std::string& /*text*/) {}
  void Bits(const Row& first_row, bool& first, const Row& second_row, bool& second) {
    AddPath(first_row, "bit 0 of a varint", first);
    AddPath(second_row, "bit 1 of it", second);
  }
  template <typename T>
  void Numbers(const Row& row, std::vector<T>& numbers) {
    AddPath(row, "count, varints", numbers);
  }
  template <typename T>
  void Record(const Row& row, T& item) {
    Enter(
        row, "", [&] { AsRecord(item); });
  }
  template <typename T>
  void AsRecord(T& item) {
    Fields(*this, item);
  }
  template <typename T>
  void List(const Row& row, std::vector<T>& items) {
    if (fills_ && items.empty()) items.emplace_back();
    AddPath(row, "count, records", items);
    for (T& item : items) Enter(row, "[]", [&] { AsRecord(item); });
  }
  template <typename T>
  void Maybe(const Row& row, std::optional<T>& item) {
    if (fills_ && !item) item.emplace();
    AddPath(row, "count (0 or 1), record", item);
    if (item) Enter(row, "", [&] { AsRecord(*item); });
  }
  template <typename T>
  void Payload(const Row& row, std::optional<T>& item) {
    if (fills_ && !item) item.emplace();
    if (item) Enter(row, "", [&] { PayloadOf(*this, *item); });
  }
  template <typename Walk>
  void Group(const Row& row, const Walk& walk) {
    Enter(
        row, "", [&] { walk(*this); });
  }

 private:
  template <typename T>
  static const char* Stored() {
    if constexpr (std::is_same_v<T, std::string>) return "string";
    return std::is_signed_v<T> && !std::is_same_v<T, char> ? "zigzag" : "varint";
  }
  template <typename T>
  void AddPath(const Row& row, const char* stored, T& field) {
    visit_(
        FieldPath{path_ + row.name, row, static_cast<uint16_t>(omit_ | row.omit), section_, stored},
        field);
  }
  template <typename Walk>
  void Enter(const Row& row, const char* end, const Walk& walk) {
    const std::string path = path_;
    const uint16_t omit = omit_;
    path_ += row.name;
    path_.append(end).append(".");
    omit_ = static_cast<uint16_t>(omit_ | row.omit);
    walk();
    path_ = path;
    omit_ = omit;
  }

  bool fills_;
  SectionKind section_;
  const Visit& visit_;
  std::string path_;
  uint16_t omit_ = 0;
};

template <typename Visit>
void WalkPaths(bool fills, model::Dump* dump, const Visit& visit) {
  for (uint32_t kind = 1; kind <= kLastSectionKind; ++kind) {
    const auto section = static_cast<SectionKind>(kind);
    PathWalk<Visit> walk(fills, section, visit);
    SectionFields(walk, section, *dump);
  }
}

// Each text says its own path; what may be a segment is one if `are_segments`.
inline void FillTexts(bool are_segments, model::Dump* dump) {
  WalkPaths(
      true, dump,
      [&](const FieldPath& path, auto& field) {
        using T = std::remove_reference_t<decltype(field)>;
        if constexpr (std::is_same_v<T, std::string>)
          field = "text of " + path.path;
        else if constexpr (std::is_same_v<T, model::SegmentKind>)
          field = are_segments ? model::SegmentKind::kIdleHandler : model::SegmentKind::kNone;
        else if constexpr (std::is_same_v<T, model::ContextEntry::State>)
          field = model::ContextEntry::State::kText;
      });
}

}  // namespace stillframe::dump
