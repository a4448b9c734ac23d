// SPDX-License-Identifier: Apache-2.0
#include "src/names/dex_file.h"

#include <cstring>

#include "arch/arch.h"
#include "src/unwind/byte_cursor.h"

namespace stillframe::names {
namespace {

constexpr uint32_t kMaxProgramBytes = 1U << 20;

// Opcodes of the debug_info_item state machine.
enum Opcode : uint8_t {
  kEndSequence = 0x00,
  kAdvancePc = 0x01,
  kAdvanceLine = 0x02,
  kStartLocal = 0x03,
  kStartLocalExtended = 0x04,
  kEndLocal = 0x05,
  kRestartLocal = 0x06,
  kSetPrologueEnd = 0x07,
  kSetEpilogueBegin = 0x08,
  kSetFile = 0x09,
  kFirstSpecial = 0x0a,
};
constexpr int32_t kLineBase = -4;
constexpr int32_t kLineRange = 15;

void SkipNumbers(unwind::ByteCursor* bytes, int count) {
  for (int i = 0; i < count; ++i) bytes->Uleb();
}

// Offsets in header_item.
constexpr uint32_t kChecksum = 8;
constexpr uint32_t kStringIds = 56;
constexpr uint32_t kTypeIds = 64;
constexpr uint32_t kProtoIds = 72;
constexpr uint32_t kMethodIds = 88;
constexpr uint32_t kClassDefs = 96;
constexpr uint32_t kHeaderBytes = 112;
// Further offsets in a compact file (ART 9 to 15 libdexfile/dex/compact_dex_file.h).
constexpr uint32_t kDebugInfoOffsetsPos = 116;
constexpr uint32_t kDebugInfoOffsetsTable = 120;
constexpr uint32_t kDebugInfoBase = 124;

constexpr uint32_t kDexMagic = 0x0a786564;         // "dex\n"
constexpr uint32_t kCompactDexMagic = 0x78656463;  // "cdex"

constexpr uint32_t kNoIndex = UINT32_MAX;
constexpr size_t kMaxTextBytes = 4096;
constexpr uint32_t kMaxParameters = 255;

constexpr uint32_t kMaxMembers = 1U << 16;

}  // namespace

int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc) {
  unwind::ByteCursor bytes(debug_info, debug_info + kMaxProgramBytes);
  auto line = static_cast<int64_t>(static_cast<uint32_t>(bytes.Uleb()));
  const uint64_t parameters = bytes.Uleb();
  for (uint64_t i = 0; i < parameters && bytes.ok(); ++i) bytes.Uleb();
  uint64_t address = 0;
  int32_t found = -1;
  while (bytes.ok()) {
    const uint8_t opcode = bytes.U8();
    switch (opcode) {
      case kEndSequence: return bytes.ok() ? found : -1;  // a fault reads as 0
      case kAdvancePc: address += bytes.Uleb(); break;
      case kAdvanceLine: line += static_cast<int32_t>(bytes.Sleb()); break;
      case kStartLocal: SkipNumbers(&bytes, 3); break;
      case kStartLocalExtended: SkipNumbers(&bytes, 4); break;
      case kEndLocal:
      case kRestartLocal:
      case kSetFile: SkipNumbers(&bytes, 1); break;
      case kSetPrologueEnd:
      case kSetEpilogueBegin: break;
      default: {
        const int32_t adjusted = opcode - kFirstSpecial;
        address += static_cast<uint64_t>(adjusted / kLineRange);
        line += kLineBase + adjusted % kLineRange;
        if (address > dex_pc) return found;
        found = static_cast<int32_t>(line);
      }
    }
  }
  return -1;
}

uint64_t DexId(uintptr_t begin) {
  uint64_t id = 0;
  return arch::GuardedLoad64(begin + kChecksum, &id) ? id : 0;
}

bool IsStillThere(const DexPlace& place) { return DexId(place.begin) == place.id; }

bool LoadDexPlace(const walk::Layout& layout, uintptr_t dex_file, DexPlace* place) {
  uintptr_t size = 0;
  uintptr_t unused = 0;
  if ((layout.dex_file_unused != walk::kNoField &&
       (!walk::LoadPointer(dex_file + layout.dex_file_unused, &unused) || unused != 0)) ||
      !walk::LoadPointer(dex_file + layout.dex_file_begin, &place->begin) ||
      !walk::LoadPointer(dex_file + layout.dex_file_size, &size) ||
      !walk::LoadPointer(dex_file + layout.dex_file_data_begin, &place->data))
    return false;
  place->size = size;
  place->id = DexId(place->begin);
  return true;
}

bool DexFileReader::U32(uint64_t offset, uint32_t* value) const {
  return offset + 4 <= size_ && arch::GuardedLoad32(begin_ + static_cast<uintptr_t>(offset), value);
}

bool DexFileReader::Header(uint32_t offset, uint32_t* value) const {
  return U32(header_ + offset, value);
}

bool DexFileReader::U16(uint64_t offset, uint16_t* value) const {
  return offset + 2 <= size_ && arch::GuardedLoad16(begin_ + static_cast<uintptr_t>(offset), value);
}

bool DexFileReader::IsDex() const {
  uint32_t magic = 0;
  if (size_ < kHeaderBytes || begin_ == 0 || !Header(0, &magic)) return false;
  if (magic != kDexMagic && magic != kCompactDexMagic) return false;
  for (const uint32_t table : {kStringIds, kTypeIds, kProtoIds, kMethodIds, kClassDefs}) {
    uint32_t count = 0;
    uint32_t offset = 0;
    if (!Header(table, &count) || !Header(table + 4, &offset)) return false;
    if (offset > size_ || count > size_ / 4) return false;
  }
  return true;
}

bool DexFileReader::IsStandard() const {
  uint32_t magic = 0;
  return Header(0, &magic) && magic == kDexMagic;
}

bool DexFileReader::Text(uint32_t string_index, std::string* text) const {
  uint32_t count = 0;
  uint32_t ids = 0;
  uint32_t offset = 0;
  if (!Header(kStringIds, &count) || !Header(kStringIds + 4, &ids) || string_index >= count ||
      !U32(ids + uint64_t{string_index} * 4, &offset))
    return false;
  text->clear();
  uint8_t byte = 0x80;
  uintptr_t at = data_begin_ + offset;
  // A string begins with its length in UTF-16 units, a ULEB128, and ends with a zero.
  for (int i = 0; i < 5 && (byte & 0x80) != 0; ++i)
    if (!arch::GuardedLoad8(at++, &byte)) return false;
  while (text->size() < kMaxTextBytes) {
    if (!arch::GuardedLoad8(at++, &byte)) return false;
    if (byte == 0) return true;
    text->push_back(static_cast<char>(byte));
  }
  return true;
}

bool DexFileReader::TypeDescriptor(uint32_t type_index, std::string* text) const {
  uint32_t count = 0;
  uint32_t ids = 0;
  uint32_t string_index = 0;
  return Header(kTypeIds, &count) && Header(kTypeIds + 4, &ids) && type_index < count &&
         U32(ids + uint64_t{type_index} * 4, &string_index) && Text(string_index, text);
}

bool DexFileReader::Signature(uint32_t proto_index, std::string* text) const {
  uint32_t count = 0;
  uint32_t ids = 0;
  if (!Header(kProtoIds, &count) || !Header(kProtoIds + 4, &ids) || proto_index >= count)
    return false;
  const uint64_t proto = ids + uint64_t{proto_index} * 12;
  uint32_t return_type = 0;
  uint32_t parameters = 0;
  if (!U32(proto + 4, &return_type) || !U32(proto + 8, &parameters)) return false;
  std::string descriptor;
  *text = "(";
  uint32_t parameter_count = 0;
  const uintptr_t list = data_begin_ + parameters;
  if (parameters != 0 && !arch::GuardedLoad32(list, &parameter_count)) return false;
  if (parameter_count > kMaxParameters) return false;
  for (uint32_t i = 0; i < parameter_count; ++i) {
    uint16_t type = 0;
    if (!arch::GuardedLoad16(list + 4 + i * 2, &type) || !TypeDescriptor(type, &descriptor))
      return false;
    *text += descriptor;
  }
  if (!TypeDescriptor(return_type, &descriptor)) return false;
  *text += ")" + descriptor;
  return true;
}

// Offset of the class_def_item; 0: the file does not define the class.
bool DexFileReader::ClassDef(uint32_t type_index, uint64_t* offset) const {
  uint32_t count = 0;
  uint32_t defs = 0;
  if (!Header(kClassDefs, &count) || !Header(kClassDefs + 4, &defs)) return false;
  *offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t def = defs + uint64_t{i} * 32;
    uint32_t type = 0;
    if (!U32(def, &type)) return false;
    if (type == type_index) {
      *offset = def;
      return true;
    }
  }
  return true;
}

bool DexFileReader::SourceFile(uint32_t type_index, std::string* text) const {
  uint64_t def = 0;
  uint32_t string_index = 0;
  if (!ClassDef(type_index, &def)) return false;
  text->clear();
  if (def == 0) return true;
  if (!U32(def + 16, &string_index)) return false;
  return string_index == kNoIndex || Text(string_index, text);
}

uint32_t DexFileReader::CodeItemOf(uint32_t method_index) const {
  uint32_t ids = 0;
  uint16_t type_index = 0;
  uint64_t def = 0;
  uint32_t data = 0;
  if (!Header(kMethodIds + 4, &ids) || !U16(ids + uint64_t{method_index} * 8, &type_index) ||
      !ClassDef(type_index, &def) || def == 0 || !U32(def + 24, &data) || data == 0)
    return 0;
  // class_data_item: four counts, then fields of two numbers each, then methods of three.
  unwind::ByteCursor bytes(data_begin_ + data, UINTPTR_MAX);
  uint64_t counts[4] = {};
  for (uint64_t& count : counts)
    if (count = bytes.Uleb(); count > kMaxMembers) return 0;
  for (uint64_t i = 0; i < 2 * (counts[0] + counts[1]) && bytes.ok(); ++i) bytes.Uleb();
  for (const uint64_t methods : {counts[2], counts[3]}) {
    uint64_t index = 0;
    for (uint64_t i = 0; i < methods && bytes.ok(); ++i) {
      index += bytes.Uleb();
      bytes.Uleb();  // access flags
      const uint64_t code = bytes.Uleb();
      if (index == method_index && bytes.ok()) return static_cast<uint32_t>(code);
    }
  }
  return 0;
}

bool DexFileReader::MethodNames(uint32_t method_index, DexMethodNames* names) const {
  uint32_t count = 0;
  uint32_t ids = 0;
  if (!Header(kMethodIds, &count) || !Header(kMethodIds + 4, &ids) || method_index >= count)
    return false;
  const uint64_t id = ids + uint64_t{method_index} * 8;
  uint16_t type_index = 0;
  uint16_t proto_index = 0;
  uint32_t name_index = 0;
  return U16(id, &type_index) && U16(id + 2, &proto_index) && U32(id + 4, &name_index) &&
         TypeDescriptor(type_index, &names->class_descriptor) &&
         Text(name_index, &names->method_name) && Signature(proto_index, &names->signature) &&
         SourceFile(type_index, &names->source_file);
}

// A table has the offset of a row for each sixteen methods. A row has 16 bits, which say which
// methods have debug info, and then the distances between those (ART 9 to 15
// libdexfile/dex/compact_offset_table.cc, Accessor::GetOffset).
uint32_t DexFileReader::CompactDebugInfo(uint32_t method_index) const {
  constexpr uint32_t kMethodsPerRow = 16;
  uint32_t rows = 0;
  uint32_t table = 0;
  uint32_t offset = 0;
  uint32_t row = 0;
  uint8_t high = 0;
  uint8_t low = 0;
  if (!Header(kDebugInfoOffsetsPos, &rows) || !Header(kDebugInfoOffsetsTable, &table) ||
      !Header(kDebugInfoBase, &offset))
    return 0;
  const uintptr_t begin = data_begin_ + rows;
  if (!arch::GuardedLoad32(begin + table + method_index / kMethodsPerRow * 4, &row) ||
      !arch::GuardedLoad8(begin + row, &high) || !arch::GuardedLoad8(begin + row + 1, &low))
    return 0;
  const uint32_t mask = uint32_t{high} << 8 | low;
  const uint32_t bit = method_index % kMethodsPerRow;
  if ((mask >> bit & 1) == 0) return 0;
  unwind::ByteCursor bytes(begin + row + 2, UINTPTR_MAX);
  for (uint32_t i = 0; i <= bit; ++i)
    if ((mask >> i & 1) != 0) offset += static_cast<uint32_t>(bytes.Uleb());
  return bytes.ok() ? offset : 0;
}

// Offset of a method's debug info in the data; 0: none.
uint32_t DexFileReader::DebugInfo(uint32_t method_index, uint32_t code_item_offset) const {
  uint32_t magic = 0;
  uint32_t offset = 0;
  if (code_item_offset == 0 || !Header(0, &magic)) return 0;
  if (magic == kCompactDexMagic) return CompactDebugInfo(method_index);
  return arch::GuardedLoad32(data_begin_ + code_item_offset + 8, &offset) ? offset : 0;
}

int32_t DexFileReader::Line(uint32_t method_index, uint32_t code_item_offset,
                            uint32_t dex_pc) const {
  const uint32_t debug_info = DebugInfo(method_index, code_item_offset);
  return debug_info != 0 ? LineFromProgram(data_begin_ + debug_info, dex_pc) : -1;
}

std::string ClassNameOf(const std::string& descriptor) {
  if (descriptor.size() < 2 || descriptor.front() != 'L' || descriptor.back() != ';')
    return descriptor;
  std::string name = descriptor.substr(1, descriptor.size() - 2);
  for (char& c : name)
    if (c == '/') c = '.';
  return name;
}

}  // namespace stillframe::names
