// SPDX-License-Identifier: Apache-2.0
// Writes the wire format of protocol buffers (protobuf.dev, "Encoding"). The caller chooses the
// field numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stillframe::exports {

class ProtobufWriter {
 public:
  // Each adds one field and returns *this.
  // Also for bool and enum. A negative int64 takes ten bytes, as the protocol requires.
  ProtobufWriter& Varint(uint32_t field, uint64_t value);
  ProtobufWriter& Bytes(uint32_t field, std::string_view bytes);
  ProtobufWriter& Message(uint32_t field, const ProtobufWriter& message) {
    return Bytes(field, message.bytes_);
  }
  // A packed repeated number.
  ProtobufWriter& Packed(uint32_t field, std::span<const uint64_t> values);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace stillframe::exports
