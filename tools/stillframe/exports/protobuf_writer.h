// SPDX-License-Identifier: Apache-2.0
// Writes the wire format of protocol buffers (protobuf.dev, "Encoding"). Which numbers stand for
// which fields is up to the caller.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stillframe::exports {

class ProtobufWriter {
 public:
  // Also for bool and enum. A negative int64 is written as the protocol has it, in ten bytes.
  void Varint(uint32_t field, uint64_t value);
  void Int64(uint32_t field, int64_t value) { Varint(field, static_cast<uint64_t>(value)); }
  void Bytes(uint32_t field, std::string_view bytes);
  void Message(uint32_t field, const ProtobufWriter& message) { Bytes(field, message.bytes_); }
  // A repeated number, packed.
  void Packed(uint32_t field, std::span<const uint64_t> values);

  const std::string& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string bytes_;
};

}  // namespace stillframe::exports
