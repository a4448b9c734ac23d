// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/export/protobuf_writer.h"

namespace stillframe::exports {
namespace {

constexpr uint32_t kWireVarint = 0;
constexpr uint32_t kWireBytes = 2;

void AppendVarint(uint64_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>((value & 0x7FU) | 0x80U));
    value >>= 7U;
  }
  out->push_back(static_cast<char>(value));
}

}  // namespace

ProtobufWriter& ProtobufWriter::Varint(uint32_t field, uint64_t value) {
  AppendVarint((uint64_t{field} << 3U) | kWireVarint, &bytes_);
  AppendVarint(value, &bytes_);
  return *this;
}

ProtobufWriter& ProtobufWriter::Bytes(uint32_t field, std::string_view bytes) {
  AppendVarint((uint64_t{field} << 3U) | kWireBytes, &bytes_);
  AppendVarint(bytes.size(), &bytes_);
  bytes_.append(bytes);
  return *this;
}

ProtobufWriter& ProtobufWriter::Packed(uint32_t field, std::span<const uint64_t> values) {
  std::string packed;
  for (const uint64_t value : values) AppendVarint(value, &packed);
  return Bytes(field, packed);
}

}  // namespace stillframe::exports
