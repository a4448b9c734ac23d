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

// Encodes into `Out`: a Deflater for a section's payload, a Record for what is inside one.
template <typename Out>
class Encoder {
 public:
  template <typename T>
  using Of = const T;

  explicit Encoder(Out* out) : out_(out) {}

  template <typename... T>
  void operator()(const T&... fields) {
    (Put(fields), ...);
  }

  bool More() const { return true; }

  template <typename T>
  bool Enum(T value) {
    Put(value);
    return true;
  }

  void NotReadable(const std::string& /*text*/) {}

  template <typename... T>
  void Bits(T... flags) {
    uint64_t bits = 0;
    unsigned bit = 0;
    ((bits |= uint64_t{flags} << bit++), ...);
    out_->Varint(bits);
  }

  template <typename T>
  void Numbers(const std::vector<T>& numbers) {
    out_->Varint(numbers.size());
    for (const T number : numbers) out_->Varint(number);
  }

  template <typename T>
  void AsRecord(const T& item) {
    Encoder<Record> inner(&record_);
    Fields(inner, item);
    record_.FinishTo(out_);
  }

  template <typename T>
  void List(const std::vector<T>& items) {
    out_->Varint(items.size());
    for (const T& item : items) AsRecord(item);
  }

  template <typename T>
  void Maybe(const std::optional<T>& item) {
    out_->Varint(item ? 1 : 0);
    if (item) AsRecord(*item);
  }

  template <typename T>
  void Payload(const std::optional<T>& item) {
    PayloadOf(*this, *item);
  }

 private:
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
  Record record_;  // empty but inside AsRecord
};

}  // namespace stillframe::dump
