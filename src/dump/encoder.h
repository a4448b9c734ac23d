// SPDX-License-Identifier: Apache-2.0
// The writer's side of fields.h.
// Context: any thread, one at a time; zlib and libc only
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "src/dump/fields.h"
#include "src/dump/section_stream.h"

namespace stillframe::dump {

// Encodes into `Out`: a Deflater for a section's payload, a Record inside one.
template <typename Out>
class Encoder {
 public:
  template <typename T>
  using Of = const T;

  explicit Encoder(Out* out) : out_(out) {}

  // A row is not written. Functions with a row are inlined, so that rows are not compiled in.
  template <typename T>
  [[gnu::always_inline]] void operator()(const Row& /*row*/, const T& field) {
    Put(field);
  }

  template <typename T>
  [[gnu::always_inline]] bool Enum(const Row& /*row*/, T value) {
    Put(value);
    return true;
  }

  void NotReadable(const std::string& /*text*/) {}

  [[gnu::always_inline]] void Bits(const Row& /*row*/, bool first, const Row& /*row*/,
                                   bool second) {
    out_->Varint(uint64_t{first} | uint64_t{second} << 1U);
  }

  template <typename T>
  [[gnu::always_inline]] void Numbers(const Row& /*row*/, const std::vector<T>& numbers) {
    out_->Varint(numbers.size());
    for (const T number : numbers) Put(number);
  }

  template <typename T>
  [[gnu::always_inline]] void Record(const Row& /*row*/, const T& item) {
    AsRecord(item);
  }

  template <typename T>
  void AsRecord(const T& item) {
    Encoder<dump::Record> inner(&record_);
    Fields(inner, item);
    record_.FinishTo(out_);
  }

  template <typename T>
  [[gnu::always_inline]] void List(const Row& /*row*/, const std::vector<T>& items) {
    PutList(items);
  }

  template <typename T>
  [[gnu::always_inline]] void Maybe(const Row& /*row*/, const std::optional<T>& item) {
    out_->Varint(item ? 1 : 0);
    if (item) AsRecord(*item);
  }

  template <typename T>
  [[gnu::always_inline]] void Payload(const Row& /*row*/, const std::optional<T>& item) {
    PayloadOf(*this, *item);
  }

  template <typename PutFields>
  [[gnu::always_inline]] void Group(const Row& /*row*/, const PutFields& put) {
    put(*this);
  }

 private:
  template <typename T>
  void PutList(const std::vector<T>& items) {
    out_->Varint(items.size());
    for (const T& item : items) AsRecord(item);
  }

  template <typename T>
  void Put(const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      out_->String(value);
    } else if constexpr (std::is_same_v<T, char>) {
      out_->Varint(static_cast<uint8_t>(value));
    } else if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>) {
      out_->Varint(static_cast<uint64_t>(value));
    } else {
      static_assert(std::is_integral_v<T>);
      out_->Zigzag(value);
    }
  }

  Out* out_;
  dump::Record record_;  // empty except in AsRecord
};

}  // namespace stillframe::dump
