// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/quick_code/code_info.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace testbed::quick_code {
namespace {

constexpr uint32_t kNoValue = UINT32_MAX;  // stored as 0: values are biased by one
constexpr uint32_t kStackAlignment = 16;
constexpr uint32_t kHasInlineInfo = 1;

// Bits from the lowest of each byte upwards.
class BitWriter {
 public:
  void Write(uint32_t value, uint32_t bits) {
    for (uint32_t i = 0; i < bits; ++i, ++written_) {
      if (written_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() = static_cast<uint8_t>(bytes_.back() | (((value >> i) & 1U) << (written_ % 8)));
    }
  }

  // A number up to 11 takes four bits; of a larger one these say 11 + its bytes, which follow at
  // once.
  void WriteNumber(uint32_t value) {
    WriteFourBits(value);
    WriteLarge(value);
  }

  // The same, but the bytes of the large ones follow behind the four bits of the last number.
  void WriteInterleaved(const std::vector<uint32_t>& values) {
    for (const uint32_t value : values) WriteFourBits(value);
    for (const uint32_t value : values) WriteLarge(value);
  }

  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  static constexpr uint32_t kInlineMax = 11;

  static uint32_t Bytes(uint32_t value) {
    return (static_cast<uint32_t>(std::bit_width(value)) + 7) / 8;
  }

  void WriteFourBits(uint32_t value) {
    Write(value > kInlineMax ? kInlineMax + Bytes(value) : value, 4);
  }

  void WriteLarge(uint32_t value) {
    if (value > kInlineMax) Write(value, Bytes(value) * 8);
  }

  std::vector<uint8_t> bytes_;
  uint32_t written_ = 0;
};

// Rows of equal length; each column takes as many bits as its largest value needs.
class BitTable {
 public:
  explicit BitTable(size_t columns) : columns_(columns) {}

  uint32_t Add(std::vector<uint32_t> row) {
    rows_.push_back(std::move(row));
    return static_cast<uint32_t>(rows_.size() - 1);
  }

  bool IsEmpty() const { return rows_.empty(); }

  void WriteTo(BitWriter* out) const {
    out->WriteInterleaved(Header());
    WriteRows(out);
  }

  // ART 10 writes empty tables too, but only their zero.
  void WriteTo10(BitWriter* out) const {
    constexpr uint32_t kIsShared = 0;
    out->Write(kIsShared, 1);
    for (const uint32_t number : Header()) {
      out->WriteNumber(number);
      if (IsEmpty()) return;
    }
    WriteRows(out);
  }

 private:
  // The number of rows and the bits of each column.
  std::vector<uint32_t> Header() const {
    std::vector<uint32_t> header = {static_cast<uint32_t>(rows_.size())};
    for (size_t column = 0; column < columns_; ++column) {
      uint32_t all = 0;
      for (const auto& row : rows_) all |= row[column] - kNoValue;
      header.push_back(static_cast<uint32_t>(std::bit_width(all)));
    }
    return header;
  }

  void WriteRows(BitWriter* out) const {
    const std::vector<uint32_t> header = Header();
    for (const auto& row : rows_)
      for (size_t column = 0; column < columns_; ++column)
        out->Write(row[column] - kNoValue, header[1 + column]);
  }

  size_t columns_;
  std::vector<std::vector<uint32_t>> rows_;
};

struct Tables {
  BitTable stack_maps{8};
  BitTable inline_infos{6};
  BitTable methods;

  explicit Tables(size_t method_columns) : methods(method_columns) {}
};

// Returns the row of the outermost one.
uint32_t AddInlined(const std::vector<InlinedMethod>& inlined, size_t method_columns,
                    uint32_t dex_registers, Tables* tables) {
  uint32_t first = kNoValue;
  for (size_t i = 0; i < inlined.size(); ++i) {
    const InlinedMethod& method = inlined[i];
    const uint32_t is_last = i + 1 == inlined.size() ? kNoValue : 0;
    uint32_t index_row = kNoValue;
    if (method.is_by_index) {
      // ART 14 adds {kind, number} of the dex file: that of the method around it, when both columns
      // have no value; kind 0 is the boot class path.
      std::vector<uint32_t> row(method_columns, kNoValue);
      row[0] = method.method_index;
      if (method.boot_dex_file && method_columns == 3) {
        row[1] = 0;
        row[2] = *method.boot_dex_file;
      }
      index_row = tables->methods.Add(row);
    }
    const auto high = static_cast<uint32_t>(method.art_method >> 32);
    const auto low = static_cast<uint32_t>(method.art_method);
    const uint32_t row = tables->inline_infos.Add(
        {is_last, method.dex_pc, index_row, method.is_by_index ? kNoValue : high,
         method.is_by_index ? kNoValue : low, dex_registers});
    if (i == 0) first = row;
  }
  return first;
}

std::vector<uint8_t> Encode10(const CodeDescription& description, const Tables& tables) {
  BitWriter out;
  for (const uint32_t number : {description.frame_bytes / kStackAlignment, description.core_spills,
                                description.fp_spills, description.dex_registers})
    out.WriteNumber(number);
  const BitTable none(1);
  // Register masks and stack masks are empty, and so are three tables of dex registers.
  for (const BitTable* table : {&tables.stack_maps, &none, &none, &tables.inline_infos,
                                &tables.methods, &none, &none, &none})
    table->WriteTo10(&out);
  return out.Take();
}

}  // namespace

std::vector<uint8_t> EncodeCodeInfo(int release, const CodeDescription& description) {
  const bool has_code_size = release >= 14;
  const size_t method_columns = release >= 14 ? 3 : 1;
  Tables tables(method_columns);
  for (const Safepoint& safepoint : description.safepoints) {
    const uint32_t inlined =
        AddInlined(safepoint.inlined, method_columns, description.dex_registers, &tables);
    // Kind (none: a call), packed native pc, dex pc, register mask, stack mask, inline info, dex
    // register mask, dex register map.
    tables.stack_maps.Add({kNoValue, safepoint.native_pc / description.instruction_bytes,
                           safepoint.dex_pc, kNoValue, kNoValue, inlined, kNoValue, kNoValue});
  }
  if (release < 11) return Encode10(description, tables);
  // In the order of the file: stack maps, register masks, stack masks, inline infos, methods, and
  // three tables of dex registers.
  constexpr uint32_t kStackMaps = 1U << 0;
  constexpr uint32_t kInlineInfos = 1U << 3;
  constexpr uint32_t kMethods = 1U << 4;
  const uint32_t present = (tables.stack_maps.IsEmpty() ? 0 : kStackMaps) |
                           (tables.inline_infos.IsEmpty() ? 0 : kInlineInfos) |
                           (tables.methods.IsEmpty() ? 0 : kMethods);
  std::vector<uint32_t> header = {tables.inline_infos.IsEmpty() ? 0 : kHasInlineInfo};
  if (has_code_size) header.push_back(description.code_bytes);
  header.insert(header.end(), {description.frame_bytes / kStackAlignment, description.core_spills,
                               description.fp_spills, description.dex_registers, present});
  BitWriter out;
  out.WriteInterleaved(header);
  for (const BitTable* table : {&tables.stack_maps, &tables.inline_infos, &tables.methods})
    if (!table->IsEmpty()) table->WriteTo(&out);
  return out.Take();
}

}  // namespace testbed::quick_code
