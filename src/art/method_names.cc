#include "src/art/method_names.h"

#include "arch/arch.h"
#include "src/art/method_code.h"
#include "src/art/walk.h"

namespace stillframe::art {

using arch::GuardedLoad32;

namespace {

trace::FrameKind KindOf(core::RawFrameKind kind) {
  switch (kind) {
    case core::RawFrameKind::kNterp: return trace::FrameKind::kNterp;
    case core::RawFrameKind::kCompiled: return trace::FrameKind::kCompiled;
    default: return trace::FrameKind::kInterpreted;
  }
}

}  // namespace

trace::FrameId MethodNames::CutFrame(core::Cut cut) {
  return frames_.InternFrame("", core::CutName(cut), "", "", trace::kLineUnknown,
                             trace::FrameKind::kCut);
}

bool MethodNames::LoadDexFile(uint64_t address, Method* method) const {
  uintptr_t dex_file = 0;
  uintptr_t size = 0;
  if (!LoadDexFilePointer(*facts_.layout, address, &dex_file) ||
      !LoadPointer(dex_file + facts_.layout->dex_file_begin, &method->dex_begin) ||
      !LoadPointer(dex_file + facts_.layout->dex_file_size, &size) ||
      !LoadPointer(dex_file + facts_.layout->dex_file_data_begin, &method->dex_data)) {
    return false;
  }
  method->dex_size = size;
  uintptr_t code_item = 0;
  if (LoadCodeItem(*facts_.layout, address, &code_item)) {
    method->code_item = static_cast<uint32_t>(code_item - method->dex_data);
  }
  return true;
}

bool MethodNames::Load(uint64_t address, uint64_t identity, Method* method) {
  *method = Method{};
  DexMethodNames names;
  uint32_t flags = 0;
  // The collector may move a class while this reads it: what was read then fails one of the checks.
  if (!WalkIsMethod(*facts_.layout, address) || !LoadDexFile(address, method) ||
      !GuardedLoad32(address + facts_.layout->method_access_flags, &flags)) {
    return false;
  }
  const DexFileReader dex(method->dex_begin, method->dex_size, method->dex_data);
  if (!dex.IsDex() || !dex.MethodNames(static_cast<uint32_t>(identity >> 32), &names)) return false;
  method->frame.class_name = frames_.Intern(ClassNameOf(names.class_descriptor));
  method->frame.method_name = frames_.Intern(names.method_name);
  method->frame.signature = frames_.Intern(names.signature);
  method->frame.source_file = frames_.Intern(names.source_file);
  method->frame.kind = (flags & facts_.layout->access_native) != 0 ? trace::FrameKind::kJni
                                                                   : trace::FrameKind::kInterpreted;
  method->identity = identity;
  method->address = address;
  return true;
}

MethodNames::Method* MethodNames::Find(uint64_t address) {
  // A pointer's lower half is enough to tell methods of one index apart.
  uint32_t code_item = 0;
  uint32_t dex_index = 0;
  if (!GuardedLoad32(address + facts_.layout->method_code_item, &code_item) ||
      !GuardedLoad32(address + facts_.layout->method_dex_index, &dex_index)) {
    return nullptr;
  }
  const uint64_t identity = uint64_t{dex_index} << 32 | code_item;
  if (cache_.empty()) cache_.resize(kSlots);
  Method& slot =
      cache_[(address / facts_.layout->method_alignment * 0x9e3779b97f4a7c15U >> 40) % kSlots];
  if (slot.address == address && slot.identity == identity) return &slot;
  return Load(address, identity, &slot) ? &slot : nullptr;
}

trace::FrameId MethodNames::Resolve(const core::RawFrame& raw) {
  if (raw.kind == core::RawFrameKind::kCut) return CutFrame(static_cast<core::Cut>(raw.method));
  Method* method = Find(raw.method);
  if (method == nullptr) {
    ++bad_methods_;
    return CutFrame(core::Cut::kBadMethod);
  }
  if (!method->has_frame || method->dex_pc != raw.dex_pc || method->kind != raw.kind) {
    trace::Frame frame = method->frame;
    if (frame.kind == trace::FrameKind::kJni) {
      frame.line = trace::kLineNative;
    } else {
      const DexFileReader dex(method->dex_begin, method->dex_size, method->dex_data);
      frame.kind = KindOf(raw.kind);
      frame.line = dex.Line(method->code_item, raw.dex_pc);
    }
    method->frame_id = frames_.InternFrame(frame);
    method->dex_pc = raw.dex_pc;
    method->kind = raw.kind;
    method->has_frame = true;
  }
  return method->frame_id;
}

}  // namespace stillframe::art
