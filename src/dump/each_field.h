// SPDX-License-Identifier: Apache-2.0
// Visits all fields of a dump that fields.h describes.
// Context: any thread, one at a time
#pragma once

#include <optional>
#include <vector>

#include "src/dump/fields.h"

namespace stillframe::dump {

// Calls visit(row, field, is_segment) for each field. Lists and optionals are visited before their
// content. `is_segment`: the field belongs to a segment. `visit` may change the field, and a row's
// list of numbers.
template <typename Visit>
class EachField {
 public:
  template <typename T>
  using Of = T;

  explicit EachField(Visit visit) : visit_(visit) {}

  template <typename T>
  [[gnu::always_inline]] void operator()(const Row& row, T& field) {
    visit_(row, field, is_segment_);
  }

  template <typename T>
  [[gnu::always_inline]] bool Enum(const Row& row, T& value) {
    visit_(row, value, is_segment_);
    return true;
  }

  template <typename T>
  void NotReadable(T& /*text*/) const {}

  [[gnu::always_inline]] void Bits(const Row& first_row, bool& first, const Row& second_row,
                                   bool& second) {
    visit_(first_row, first, is_segment_);
    visit_(second_row, second, is_segment_);
  }

  template <typename T>
  [[gnu::always_inline]] void Numbers(const Row& row, std::vector<T>& numbers) {
    visit_(row, numbers, is_segment_);
  }

  template <typename T>
  [[gnu::always_inline]] void Record(const Row& /*row*/, T& item) {
    AsRecord(item);
  }

  template <typename T>
  [[gnu::always_inline]] void AsRecord(T& item) {
    const bool was_segment = is_segment_;
    is_segment_ = false;
    if constexpr (requires { item.segment.kind; }) is_segment_ = bool{item.segment};
    Fields(*this, item);
    is_segment_ = was_segment;
  }

  template <typename T>
  [[gnu::always_inline]] void List(const Row& row, std::vector<T>& items) {
    visit_(row, items, is_segment_);
    for (T& item : items) AsRecord(item);
  }

  template <typename T>
  [[gnu::always_inline]] void Maybe(const Row& row, std::optional<T>& item) {
    visit_(row, item, is_segment_);
    if (item) AsRecord(*item);
  }

  template <typename T>
  [[gnu::always_inline]] void Payload(const Row& /*row*/, std::optional<T>& item) {
    if (item) PayloadOf(*this, *item);
  }

  template <typename VisitFields>
  [[gnu::always_inline]] void Group(const Row& /*row*/, const VisitFields& visit) {
    visit(*this);
  }

 private:
  Visit visit_;
  bool is_segment_ = false;
};

template <typename Visit>
void ForEachField(model::Dump* dump, const Visit& visit) {
  EachField<Visit> each(visit);
  for (uint32_t kind = 1; kind <= kLastSectionKind; ++kind)
    SectionFields(each, static_cast<SectionKind>(kind), *dump);
}

template <typename Visit>
void ForEachField(model::Occasion* occasion, const Visit& visit) {
  EachField<Visit> each(visit);
  Fields(each, *occasion);
}

}  // namespace stillframe::dump
