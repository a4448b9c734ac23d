// SPDX-License-Identifier: Apache-2.0
#include "src/names/method_names.h"

#include <algorithm>
#include <string>
#include <utility>

#include "arch/arch.h"
#include "src/names/dex_calls.h"
#include "src/names/oat_dex_files.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/method_check.h"
#include "src/walk/method_code.h"
#include "src/walk/warm_facts.h"

namespace stillframe::names {

using arch::GuardedLoad32;

namespace {

model::FrameKind KindOf(core::RawFrameKind kind) {
  switch (kind) {
    case core::RawFrameKind::kNterp: return model::FrameKind::kNterp;
    case core::RawFrameKind::kCompiled: return model::FrameKind::kCompiled;
    default: return model::FrameKind::kInterpreted;
  }
}

}  // namespace

// Small changes of a recursion's depth keep the number shown. Otherwise no two samples would share
// the frames after the marker.
model::FrameId MethodNames::MissingFrames(uint32_t count) {
  constexpr uint32_t kPart = 8;
  if (count == core::kNoDexPc) return TruncationFrame(core::Truncation::kDepthLimit);
  const uint32_t difference = std::max(count, missing_) - std::min(count, missing_);
  if (difference > missing_ / kPart) missing_ = count;
  const std::string text = "about " + std::to_string(missing_) + " frames left out";
  return frame_table_.InternFrame("", text, "", "", model::kLineUnknown,
                                  model::FrameKind::kTruncated);
}

model::FrameId MethodNames::TruncationFrame(core::Truncation truncation) {
  return frame_table_.InternFrame("", core::TruncationName(truncation), "", "", model::kLineUnknown,
                                  model::FrameKind::kTruncated);
}

bool MethodNames::LoadDexFile(uintptr_t address, Method* method) const {
  uintptr_t dex_file = 0;
  if (!walk::LoadDexFilePointer(*facts_.layout, address, &dex_file) ||
      !LoadDexPlace(*facts_.layout, dex_file, &method->dex))
    return false;
  uintptr_t code_item = 0;
  bool is_compact = false;
  if (walk::LoadAnyCodeItem(*facts_.layout, address, &code_item, &is_compact))
    method->code_item = static_cast<uint32_t>(code_item - method->dex.data);
  return true;
}

// For a method of a generated proxy class, the interface method it stands for; otherwise `address`.
// A proxy class has no dex file. Its methods have that method's index and a pointer to it (ART 10,
// 11 and 14 runtime/class_linker.cc, CreateProxyMethod).
uintptr_t MethodNames::BehindProxy(uintptr_t address) const {
  const walk::Layout& layout = *facts_.layout;
  uintptr_t behind = 0;
  uint32_t its_class = 0;
  uint32_t other_class = 0;
  uint32_t its_index = 0;
  uint32_t other_index = 0;
  const bool is_proxy =
      walk::LoadPointer(address + layout.method_entry_point - sizeof behind, &behind) &&  // data_
      walk::WalkIsMethod(layout, behind) &&
      GuardedLoad32(address + layout.method_declaring_class, &its_class) &&
      GuardedLoad32(behind + layout.method_declaring_class, &other_class) &&
      GuardedLoad32(address + layout.method_dex_index, &its_index) &&
      GuardedLoad32(behind + layout.method_dex_index, &other_index) && its_class != other_class &&
      its_index == other_index;
  return is_proxy ? behind : address;
}

bool MethodNames::Load(uintptr_t address, uint64_t identity, Method* method) {
  *method = Method{};
  DexMethodNames names;
  uint32_t flags = 0;
  // The garbage collector may move a class during these reads; a check then fails.
  if (!walk::WalkIsMethod(*facts_.layout, address) || !LoadDexFile(BehindProxy(address), method) ||
      !GuardedLoad32(address + facts_.layout->method_access_flags, &flags))
    return false;
  const DexFileReader dex(method->dex.begin, method->dex.size, method->dex.data);
  if (!dex.IsDex() || !dex.MethodNames(static_cast<uint32_t>(identity >> 32), &names) ||
      !IsStillThere(method->dex))
    return false;
  const uint64_t overflows_before = frame_table_.overflows();
  method->frame.class_name = frame_table_.Intern(ClassNameOf(names.class_descriptor));
  method->frame.method_name = frame_table_.Intern(names.method_name);
  method->frame.signature = frame_table_.Intern(names.signature);
  method->frame.source_file = frame_table_.Intern(names.source_file);
  method->frame.kind = (flags & facts_.layout->access_native) != 0 ? model::FrameKind::kJni
                                                                   : model::FrameKind::kInterpreted;
  // Names that did not fit into the table are tried again next time.
  method->has_names = frame_table_.overflows() == overflows_before;
  if (method->has_names) {
    method->identity = identity;
    method->address = address;
  }
  return true;
}

void MethodNames::ForgetIds() {
  std::ranges::fill(cache_, Method{});
  std::ranges::fill(inlined_, Inlined{});
  std::ranges::fill(leaves_, LeafPlace{});
}

MethodNames::Method* MethodNames::Find(uintptr_t address) {
  // The lower half of the pointer distinguishes methods of one index.
  uint32_t code_item = 0;
  uint32_t dex_index = 0;
  if (!GuardedLoad32(address + facts_.layout->method_code_item, &code_item) ||
      !GuardedLoad32(address + facts_.layout->method_dex_index, &dex_index))
    return nullptr;
  const uint64_t identity = uint64_t{dex_index} << 32 | code_item;
  if (cache_.empty()) cache_.resize(kSlots);
  Method& slot =
      cache_[(uint64_t{address / facts_.layout->method_alignment} * 0x9e3779b97f4a7c15U >> 40) %
             kSlots];
  const bool is_known = slot.address == address && slot.identity == identity;
  if (is_known && IsStillThere(slot.dex)) return &slot;
  Method read;
  if (!Load(address, identity, &read)) return is_known ? &slot : nullptr;
  slot = read;
  return &slot;
}

model::FrameId MethodNames::BadMethod() {
  ++bad_methods_;
  return TruncationFrame(core::Truncation::kBadMethod);
}

uint32_t MethodNames::Resolve(const core::RawFrame& raw, model::FrameId* ids) {
  const auto method = static_cast<uintptr_t>(raw.method);
  const uint32_t tag = raw.tag;
  if (tag != 0 && !walk::IsSameMethod(tag, walk::WalkMethodTag(*facts_.layout, method))) {
    if (facts_.warm != nullptr) facts_.warm->Doubt();
    ids[0] = BadMethod();
    return 1;
  }
  if (raw.kind == core::RawFrameKind::kCompiled) return ResolveCompiled(raw, ids);
  const bool is_truncation = raw.kind == core::RawFrameKind::kTruncated;
  const auto truncation = static_cast<core::Truncation>(raw.method);
  if (is_truncation && truncation == core::Truncation::kDepthLimit)
    ids[0] = MissingFrames(raw.dex_pc);
  else
    ids[0] = is_truncation ? TruncationFrame(truncation)
                           : ResolveOne(method, raw.dex_pc, KindOf(raw.kind));
  return 1;
}

// If the code is gone or replaced, line and inlined methods are lost, but never the method.
uint32_t MethodNames::ResolveCompiled(const core::RawFrame& raw, model::FrameId* ids) {
  const auto method = static_cast<uintptr_t>(raw.method);
  walk::CompiledCode code;
  walk::CompiledFrame frames[kMaxFrames];
  const uint32_t count = walk::MethodsOf(facts_, raw, frames, &code);
  if (facts_.code_index != nullptr && code.bytes != 0)
    facts_.code_index->Add(code.begin, code.bytes, method);
  if (code.bytes == 0 || frames[0].is_exact)
    return ResolveFrames(method, {frames, count}, false, ids);
  return ResolveLeaf(code, method, raw.dex_pc - walk::RawPc(code.begin), ids);
}

uint32_t MethodNames::ResolveFrames(uintptr_t method, std::span<const walk::CompiledFrame> frames,
                                    bool may_be_inlined, model::FrameId* ids) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const walk::CompiledFrame& frame = frames[i];
    const model::FrameKind kind = i == 0 && may_be_inlined ? model::FrameKind::kCompiledOrInlined
                                                           : model::FrameKind::kCompiled;
    ids[i] = frame.method != 0 ? ResolveOne(frame.method, frame.dex_pc, kind)
                               : ResolveInlined(method, frame, kind);
  }
  return static_cast<uint32_t>(frames.size());
}

// A position without a safepoint, which only the innermost frame can have.
uint32_t MethodNames::ResolveLeaf(const walk::CompiledCode& code, uintptr_t method, uint32_t offset,
                                  model::FrameId* ids) {
  MachineCode copy;
  walk::CompiledFrame frames[kMaxFrames] = {{method, 0, core::kNoDexPc}};
  if (!copy.Copy(code)) return ResolveFrames(method, {frames, 1}, true, ids);
  const uint64_t checksum = copy.checksum();
  if (leaves_.empty()) leaves_.resize(kLeafSlots);
  LeafPlace& slot = leaves_[((code.begin >> 4) * 31 + offset) % kLeafSlots];
  if (slot.count != 0 && slot.begin == code.begin && slot.method == method &&
      slot.info == code.info && slot.offset == offset && slot.checksum == checksum) {
    std::copy_n(slot.ids, slot.count, ids);
    return slot.count;
  }
  InlinedCode inlined;
  if (!inlined.Read(*facts_.layout, code, method, std::move(copy)))
    return ResolveFrames(method, {frames, 1}, true, ids);
  InlinedPlace place;
  struct Context {
    MethodNames* names;
    uintptr_t outer;
  } context = {this, method};
  const auto opcode_at = [](void* pointer, const InlinedInstance& instance, uint32_t dex_pc) {
    const auto* its = static_cast<Context*>(pointer);
    const uintptr_t code_item = its->names->CodeItemOf(its->outer, instance);
    return code_item == 0 ? uint8_t{0} : DexOpcodeAt(code_item, dex_pc);
  };
  if (inlined.FindMarks(opcode_at, &context))
    place = inlined.At(offset);
  else
    place.may_be_deeper = inlined.has_inlined();
  const uint64_t overflows_before = frame_table_.overflows();
  const bool may_be_inlined = place.may_be_deeper || HasHiddenCall(inlined, place.instance);
  const uint32_t count = inlined.Methods(place.instance, place.dex_pc, frames);
  ResolveFrames(method, {frames, count}, may_be_inlined, ids);
  if (count <= kMaxLeafFrames && frame_table_.overflows() == overflows_before) {
    slot = {code.begin, method, code.info, offset, count, checksum, {}};
    std::copy_n(ids, count, slot.ids);
  }
  return count;
}

bool MethodNames::FindDex(uintptr_t outer, uint32_t dex_file, DexPlace* dex) {
  const walk::Layout& layout = *facts_.layout;
  if (dex_file == walk::kSameDexFile) {
    const Method* method = Find(outer);
    if (method != nullptr) *dex = method->dex;
    return method != nullptr;
  }
  if ((dex_file & walk::kOfOatFile) == 0)
    return dex_file < facts_.boot_dex_file_count &&
           LoadDexPlace(layout, facts_.boot_dex_files[dex_file], dex);
  uintptr_t own = 0;
  return walk::LoadDexFilePointer(layout, outer, &own) &&
         FindOatDexFile(layout, own, dex_file & ~walk::kOfOatFile, dex);
}

bool MethodNames::FindDexOf(uintptr_t outer, const InlinedInstance& instance, DexPlace* place,
                            uint32_t* code_item) {
  const Method* method = instance.method != 0 ? Find(instance.method) : nullptr;
  if (!FindDex(instance.method != 0 ? instance.method : outer, instance.dex_file, place))
    return false;
  const DexFileReader dex(place->begin, place->size, place->data);
  *code_item = method != nullptr ? method->code_item : dex.CodeItemOf(instance.method_index);
  if (!dex.IsStandard()) *code_item = 0;
  return true;
}

uintptr_t MethodNames::CodeItemOf(uintptr_t outer, const InlinedInstance& instance) {
  DexPlace dex;
  uint32_t code_item = 0;
  return FindDexOf(outer, instance, &dex, &code_item) && code_item != 0 ? dex.data + code_item : 0;
}

// Whether the bytecode calls a method that was inlined without a trace. True if it is unreadable.
bool MethodNames::HasHiddenCall(const InlinedCode& code, InstanceId id) {
  const InlinedInstance& instance = code.instance(id);
  const uintptr_t outer = code.instance(0).method;
  DexPlace place;
  uint32_t code_item = 0;
  std::vector<DexCall> calls;
  if (!FindDexOf(outer, instance, &place, &code_item) || code_item == 0 ||
      !ReadDexCalls(place.data + code_item, &calls))
    return true;
  const DexFileReader dex(place.begin, place.size, place.data);
  return std::ranges::any_of(calls, [&](const DexCall& call) {
    DexMethodNames names;
    // Object's constructor is empty and always inlined.
    return code.IsHiddenCall(id, call.dex_pc) &&
           !(dex.MethodNames(call.method_index, &names) && names.method_name == "<init>" &&
             names.class_descriptor == "Ljava/lang/Object;");
  });
}

model::FrameId MethodNames::ResolveInlined(uintptr_t outer, const walk::CompiledFrame& frame,
                                           model::FrameKind kind) {
  const uint32_t method_index = frame.method_index;
  const uint32_t dex_pc = frame.dex_pc;
  // The only method inlined across dex files in every release. It has no dex pc (ART 10, 11 and 14
  // runtime/entrypoints/entrypoint_utils-inl.h, GetResolvedMethod).
  if (dex_pc == core::kNoDexPc) {
    return frame_table_.InternFrame("java.lang.String", "charAt", "(I)C", "String.java",
                                    model::kLineUnknown, model::FrameKind::kCompiled);
  }
  if (method_index == walk::kNoMethodIndex) return BadMethod();
  DexPlace place;
  if (!FindDex(outer, frame.dex_file, &place)) return BadMethod();
  if (inlined_.empty()) inlined_.resize(kInlinedSlots);
  Inlined& slot = inlined_[(method_index * 31U + dex_pc) % kInlinedSlots];
  if (slot.dex_begin == place.begin && slot.dex_id == place.id &&
      slot.method_index == method_index && slot.dex_pc == dex_pc && slot.kind == kind)
    return slot.frame_id;
  const DexFileReader dex(place.begin, place.size, place.data);
  DexMethodNames names;
  if (!dex.IsDex() || !dex.MethodNames(method_index, &names)) return BadMethod();
  const int32_t line = dex.Line(method_index, dex.CodeItemOf(method_index), dex_pc);
  if (!IsStillThere(place)) return BadMethod();
  const model::FrameId id =
      frame_table_.InternFrame(ClassNameOf(names.class_descriptor), names.method_name,
                               names.signature, names.source_file, line, kind);
  if (id != model::kOverflowFrame) slot = {place.begin, place.id, method_index, dex_pc, kind, id};
  return id;
}

int32_t MethodNames::LineOf(const Method& method, uint32_t dex_pc) {
  const DexFileReader dex(method.dex.begin, method.dex.size, method.dex.data);
  const int32_t line =
      dex.Line(static_cast<uint32_t>(method.identity >> 32), method.code_item, dex_pc);
  return IsStillThere(method.dex) ? line : model::kLineUnknown;
}

model::FrameId MethodNames::ResolveOne(uintptr_t address, uint32_t dex_pc, model::FrameKind kind) {
  Method* method = Find(address);
  if (method == nullptr) return BadMethod();
  if (!method->has_names) return model::kOverflowFrame;
  if (!method->has_frame || method->dex_pc != dex_pc || method->kind != kind) {
    model::Frame frame = method->frame;
    if (frame.kind == model::FrameKind::kJni) {
      frame.line = model::kLineNative;
    } else {
      frame.kind = kind;
      frame.line = dex_pc == core::kNoDexPc ? model::kLineUnknown : LineOf(*method, dex_pc);
    }
    method->frame_id = frame_table_.InternFrame(frame);
    method->dex_pc = dex_pc;
    method->kind = kind;
    method->has_frame = method->frame_id != model::kOverflowFrame;
  }
  return method->frame_id;
}

}  // namespace stillframe::names
