#include "src/art/method_names.h"

#include "arch/arch.h"
#include "src/art/walk.h"

namespace stillframe::art {

using arch::GuardedLoad32;
using arch::GuardedLoad64;

trace::FrameId MethodNames::CutFrame(core::Cut cut) {
  return frames_.InternFrame("", core::CutName(cut), "", "", trace::kLineUnknown,
                             trace::FrameKind::kCut);
}

bool MethodNames::LoadDexFile(uint64_t address, Method* method) const {
  uint32_t declaring_class = 0;
  uint32_t dex_cache = 0;
  uint64_t dex_file = 0;
  uint64_t begin = 0;
  uint64_t data_begin = 0;
  if (!GuardedLoad32(address + layout_.method_declaring_class, &declaring_class) ||
      !GuardedLoad32(declaring_class + layout_.class_dex_cache, &dex_cache) ||
      !GuardedLoad64(dex_cache + layout_.dex_cache_dex_file, &dex_file) ||
      !GuardedLoad64(dex_file + layout_.dex_file_begin, &begin) ||
      !GuardedLoad64(dex_file + layout_.dex_file_size, &method->dex_size) ||
      !GuardedLoad64(dex_file + layout_.dex_file_data_begin, &data_begin)) {
    return false;
  }
  method->dex_begin = begin;
  method->dex_data = data_begin;
  return true;
}

bool MethodNames::Load(uint64_t address, uint64_t identity, Method* method) {
  *method = Method{};
  DexMethodNames names;
  uint32_t flags = 0;
  // The collector may move a class while this reads it: what was read then fails one of the checks.
  if (!WalkIsMethod(layout_, address) || !LoadDexFile(address, method) ||
      !GuardedLoad32(address + layout_.method_access_flags, &flags)) {
    return false;
  }
  const DexFileReader dex(method->dex_begin, method->dex_size, method->dex_data);
  if (!dex.IsDex() || !dex.MethodNames(static_cast<uint32_t>(identity >> 32), &names)) return false;
  method->frame.class_name = frames_.Intern(ClassNameOf(names.class_descriptor));
  method->frame.method_name = frames_.Intern(names.method_name);
  method->frame.signature = frames_.Intern(names.signature);
  method->frame.source_file = frames_.Intern(names.source_file);
  method->frame.kind = (flags & layout_.access_native) != 0 ? trace::FrameKind::kJni
                                                            : trace::FrameKind::kInterpreted;
  method->identity = identity;
  method->address = address;
  return true;
}

MethodNames::Method* MethodNames::Find(uint64_t address) {
  uint32_t code_item = 0;
  uint32_t dex_index = 0;
  if (!GuardedLoad32(address + layout_.method_code_item_offset, &code_item) ||
      !GuardedLoad32(address + layout_.method_dex_index, &dex_index)) {
    return nullptr;
  }
  const uint64_t identity = uint64_t{dex_index} << 32 | code_item;
  if (cache_.empty()) cache_.resize(kSlots);
  Method& slot = cache_[(address / layout_.method_alignment * 0x9e3779b97f4a7c15U >> 40) % kSlots];
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
  if (!method->has_frame || method->dex_pc != raw.dex_pc) {
    trace::Frame frame = method->frame;
    if (frame.kind == trace::FrameKind::kJni) {
      frame.line = trace::kLineNative;
    } else {
      const DexFileReader dex(method->dex_begin, method->dex_size, method->dex_data);
      frame.line = dex.Line(static_cast<uint32_t>(method->identity), raw.dex_pc);
    }
    method->frame_id = frames_.InternFrame(frame);
    method->dex_pc = raw.dex_pc;
    method->has_frame = true;
  }
  return method->frame_id;
}

}  // namespace stillframe::art
