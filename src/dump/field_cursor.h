// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a section's payload, never beyond its end.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace stillframe::dump {

// After a missing or malformed field all reads give 0 or "", and ok() is false.
class FieldCursor {
 public:
  explicit FieldCursor(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const uint8_t byte = bytes_[0];
      bytes_ = bytes_.subspan(1);
      if (shift == 63 && byte > 1) break;
      value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    return Fail();
  }

  // A varint that must fit in a smaller type.
  template <typename T>
  T VarintOf() {
    const uint64_t value = Varint();
    return value <= std::numeric_limits<T>::max() ? static_cast<T>(value) : static_cast<T>(Fail());
  }

  int64_t Zigzag() {
    const uint64_t value = Varint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }

  int32_t Zigzag32() {
    const int64_t value = Zigzag();
    const bool fits = value >= std::numeric_limits<int32_t>::min() &&
                      value <= std::numeric_limits<int32_t>::max();
    return fits ? static_cast<int32_t>(value) : static_cast<int32_t>(Fail());
  }

  uint8_t Byte() {
    if (bytes_.empty()) return static_cast<uint8_t>(Fail());
    const uint8_t byte = bytes_[0];
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  // A view of the payload.
  std::string_view Text() {
    const std::span<const uint8_t> bytes = Block();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::string String() { return std::string(Text()); }

  // The fields of the next record. Unread fields are skipped.
  FieldCursor Record() { return FieldCursor(Block()); }

  // A count of items of at least one byte each. Fails above the number of bytes left, or above
  // `limit`.
  uint32_t Count(uint32_t limit) {
    const uint64_t count = Varint();
    return count <= bytes_.size() && count <= limit ? static_cast<uint32_t>(count)
                                                    : static_cast<uint32_t>(Fail());
  }

  void Require(const FieldCursor& record) {
    if (!record.ok_) Fail();
  }

  bool ok() const { return ok_; }

 private:
  std::span<const uint8_t> Block() {
    const uint64_t length = Varint();
    if (length > bytes_.size()) {
      Fail();
      return {};
    }
    const std::span<const uint8_t> block = bytes_.first(static_cast<size_t>(length));
    bytes_ = bytes_.subspan(static_cast<size_t>(length));
    return block;
  }

  uint64_t Fail() {
    ok_ = false;
    bytes_ = {};
    return 0;
  }

  std::span<const uint8_t> bytes_;
  bool ok_ = true;
};

}  // namespace stillframe::dump
