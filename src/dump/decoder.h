// SPDX-License-Identifier: Apache-2.0
// The reader's side of fields.h. Checks everything before use.
// Context: host tools and tests, any thread
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <stillframe/token.h>

#include "src/dump/field_cursor.h"
#include "src/dump/fields.h"

namespace stillframe::dump {

template <typename Enum>
bool IsKnown(uint64_t value) {
  return kTableOf<Enum>.Has(value);
}

template <typename Enum>
Enum KnownOf(uint64_t value) {
  return IsKnown<Enum>(value) ? static_cast<Enum>(value) : kTableOf<Enum>.unknown;
}

// Decodes from a cursor, whose ok() is false if something was missing.
class Decoder {
 public:
  template <typename T>
  using Of = T;

  // `max_records` bounds one list.
  Decoder(FieldCursor* fields, uint32_t max_records) : fields_(fields), max_records_(max_records) {}

  template <typename T>
  void operator()(const Row& /*row*/, T& field) {
    Get(&field);
  }

  template <typename T>
  bool Enum(const Row& /*row*/, T& value) {
    return GetEnum(&value);
  }
  void NotReadable(std::string& text) { text = "written in a way that this tool does not know"; }

  void Bits(const Row& /*row*/, bool& first, const Row& /*row*/, bool& second) {
    const uint64_t bits = fields_->Varint();
    first = (bits & 1U) != 0;
    second = (bits >> 1U & 1U) != 0;
  }

  template <typename T>
  void Numbers(const Row& /*row*/, std::vector<T>& numbers) {
    const uint32_t count = fields_->Count(max_records_);
    for (uint32_t i = 0; i < count && fields_->ok(); ++i) Get(&numbers.emplace_back());
  }

  template <typename T>
  void Record(const Row& /*row*/, T& item) {
    AsRecord(item);
  }

  template <typename T>
  void AsRecord(T& item) {
    FieldCursor record = fields_->Record();
    Decoder inner(&record, max_records_);
    Fields(inner, item);
    fields_->Require(record);
  }

  template <typename T>
  void List(const Row& /*row*/, std::vector<T>& items) {
    const uint32_t count = fields_->Count(max_records_);
    for (uint32_t i = 0; i < count && fields_->ok(); ++i) AsRecord(items.emplace_back());
  }

  template <typename T>
  void Maybe(const Row& /*row*/, std::optional<T>& item) {
    if (fields_->Count(1) != 0) AsRecord(item.emplace());
  }

  template <typename T>
  void Payload(const Row& /*row*/, std::optional<T>& item) {
    PayloadOf(*this, item.emplace());
  }

  template <typename GetFields>
  void Group(const Row& /*row*/, const GetFields& get) {
    get(*this);
  }

 private:
  template <typename T>
  bool GetEnum(T* value) {
    const uint64_t number = fields_->Varint();
    *value = KnownOf<T>(number);
    return IsKnown<T>(number);
  }

  template <typename T>
  void Get(T* value) {
    if constexpr (std::is_same_v<T, std::string>) {
      *value = fields_->String();
    } else if constexpr (std::is_same_v<T, char>) {
      const uint64_t letter = fields_->Varint();
      *value = letter > ' ' && letter < 0x7F ? static_cast<char>(letter) : '?';
    } else if constexpr (std::is_same_v<T, Token>) {
      *value = Token{fields_->Varint()};
    } else if constexpr (std::is_enum_v<T>) {
      GetEnum(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      *value = fields_->Varint() != 0;
    } else if constexpr (std::is_unsigned_v<T>) {
      *value = fields_->VarintOf<T>();
    } else if constexpr (std::is_same_v<T, int32_t>) {
      *value = fields_->Zigzag32();
    } else {
      static_assert(std::is_same_v<T, int64_t>);
      *value = fields_->Zigzag();
    }
  }

  FieldCursor* fields_;
  uint32_t max_records_;
};

}  // namespace stillframe::dump
