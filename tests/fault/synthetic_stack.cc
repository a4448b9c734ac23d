// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/synthetic_stack.h"

#include <algorithm>

#include "src/walk/code_item.h"

namespace stillframe::fault {
namespace {

constexpr uint32_t kMaxFragments = 6;
constexpr uint32_t kMaxShadowFrames = 8;
constexpr uint32_t kMethods = 16;
constexpr uint32_t kManagedMethods = 6;  // of nterp, and compiled
constexpr uint32_t kMaxManaged = 5;      // below a native method
constexpr uint32_t kCodeBytes = 256;
#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool kPrologueIsRead = true;
#else
constexpr bool kPrologueIsRead = false;
#endif
constexpr size_t kUnused =
    256;  // at the end of the stack; frames are measured there while it is empty

// nterp saves registers above its own frame, and aligns it below them.
uint32_t NterpFrameBytes(uint32_t registers, uint32_t outs) {
  const uint32_t bytes = 3 * uint32_t{sizeof(uintptr_t)} + 4 * (outs + 2 * registers) +
                         uint32_t{arch::kNterpCalleeSaveBytes};
  return (bytes + arch::kStackAlignment - 1) & ~uint32_t{arch::kStackAlignment - 1};
}

using walk::kLibrary;
using walk::kLibraryBytes;

// Offset in compiled code of a return address.
constexpr uint32_t kReturn = 40;

// The entry of a compiled method and its call, where the walk reads them.
void PutInstructions([[maybe_unused]] walk::ArtImage* image, [[maybe_unused]] uintptr_t code,
                     [[maybe_unused]] uint32_t frame_bytes) {
#if defined(__x86_64__)
  image->Put32(code, 0xec8148);  // sub $n, %rsp
  image->Put32(code + 3, frame_bytes - 8);
  image->Put32(code + 7, 0x243c8948);      // mov %rdi, (%rsp)
  image->Put32(code + kReturn - 5, 0xe8);  // call
#elif defined(__aarch64__)
  image->Put32(code + kReturn - 4, 0x94000000);        // bl
  image->Put32(code, 0xd10003ff | frame_bytes << 10);  // sub sp, sp, frame_bytes
  image->Put32(code + 4, 0xf90003fe | (frame_bytes / 8 - 1)
                                          << 10);  // str x30, [sp, frame_bytes - 8]
  image->Put32(code + 8, 0xf90003e0);              // str x0, [sp]
#endif
}

}  // namespace

// Builds the stack from the outermost frame. The thread's own first fragment is empty (ART 11
// runtime/managed_stack-inl.h, PushManagedStackFragment). Then interpreted and native code
// alternate.
SyntheticStack::SyntheticStack(const walk::Layout& layout, std::mt19937_64* random)
    : random_(random),
      image_(std::make_unique<walk::ArtImage>(layout)),
      stack_offset_(walk::ArtImage::kStackBytes - 64) {
  image_->facts().generic_jni_begin = kLibrary;
  image_->facts().generic_jni_end = kLibrary + 64;
  for (uint32_t i = 0; i < kMethods; ++i) {
    methods_.push_back(image_->Method());
    natives_.push_back(image_->NativeMethod());
    image_->PutPointer(natives_.back() + layout.method_entry_point, kLibrary);
  }
  MakeDexFile();
  MakeNterpMethods();
  MakeCompiledMethods();
  FillWithStaleWords(kUnused, walk::ArtImage::kStackBytes);
  uintptr_t link = PutFragment(0, 0, 0);
  const uint32_t fragments = Pick(1, kMaxFragments);
  for (uint32_t i = 0; i < fragments; ++i)
    link = i % 2 == 0 ? ShadowFragment(link) : QuickFragment(link);
  registers_.values[arch::kDwarfSp] = image_->stack();
  // The innermost fragment is in the thread itself.
  if (!managed_.empty() && Pick(0, 1) == 0) {
    RunManagedCode(link);
  } else {
    uint64_t words[3];
    const uint32_t offsets[] = {layout.top_quick_frame, layout.link, layout.top_shadow_frame};
    for (int i = 0; i < 3; ++i) words[i] = *reinterpret_cast<const uint64_t*>(link + offsets[i]);
    image_->SetTop(words[0], words[1], words[2]);
  }
  std::reverse(truth_.begin(), truth_.end());
  structures_.insert(structures_.end(), methods_.begin(), methods_.end());
  structures_.insert(structures_.end(), natives_.begin(), natives_.end());
  for (const Managed& managed : managed_) structures_.push_back(managed.method);
  for (const uintptr_t method : image_->facts().callee_save) structures_.push_back(method);
  std::sort(structures_.begin(), structures_.end());
  FillWithStaleWords(0, kUnused);
}

bool SyntheticStack::Bring(Trouble trouble) {
  const auto found = std::find_if(frames_.begin(), frames_.end(), [&](const ManagedFrame& frame) {
    return trouble == Trouble::kNoMethod || frame.managed.is_elsewhere;
  });
  if (found == frames_.end()) return false;
  trouble_ = trouble;
  const uintptr_t code = found->managed.pc - kReturn;
  switch (trouble) {
    case Trouble::kNoMethod: image_->PutPointer(found->frame, 0); break;
    case Trouble::kLyingHeader:
      // CodeInfo is somewhere else.
      image_->Put32(code - 4, Pick(1, 1U << 16) | (Pick(0, 1) << 30));
      image_->Put32(code - 8, Pick(1, 1U << 16));
      break;
    case Trouble::kDenseCode:
      // Between the header and the pc, where no look back may believe it.
      for (uintptr_t at = code + 16; at <= found->managed.pc - 16; at += 16)
        image_->Put32(at - 4, static_cast<uint32_t>(at - found->managed.description) | 1U << 30);
      break;
    case Trouble::kNone:
    case Trouble::kCount: break;
  }
  return true;
}

bool SyntheticStack::IsDescriptionOf(uintptr_t method, uintptr_t address) const {
  return std::any_of(
      managed_.begin(), managed_.end(),
      [&](const Managed& managed) {
        return managed.method == method &&
               (address == method + image_->layout().method_entry_point ||
                address - managed.description < managed.description_bytes);
      });
}

bool SyntheticStack::IsElsewhere(const core::RawFrame& frame) const {
  return frame.kind == core::RawFrameKind::kCompiled && std::any_of(
                                                            managed_.begin(), managed_.end(),
                                                            [&](const Managed& managed) {
                                                              return managed.is_elsewhere &&
                                                                     managed.method == frame.method;
                                                            });
}

bool SyntheticStack::HasMethod(uintptr_t address) const {
  return std::find(methods_.begin(), methods_.end(), address) != methods_.end() ||
         std::find(natives_.begin(), natives_.end(), address) != natives_.end() ||
         std::any_of(
             managed_.begin(), managed_.end(),
             [address](const Managed& managed) { return managed.method == address; });
}

// Fills with remains of earlier frames: small numbers and invalid pointers.
void SyntheticStack::FillWithStaleWords(size_t begin, size_t end) {
  for (size_t at = begin; at < end; at += 8)
    image_->Put64(image_->stack() + at, Pick(0, 1) == 0 ? Pick(1, 4096) : (*random_)() >> 16 | 1);
}

// Below the frames that it is for, above those that are pushed next.
uintptr_t SyntheticStack::PutFragment(uint64_t tagged_quick_frame, uintptr_t link,
                                      uintptr_t shadow) {
  stack_offset_ -= 64;
  const uintptr_t at = image_->stack() + stack_offset_;
  image_->SetFragment(at, tagged_quick_frame, link, shadow);
  structures_.push_back(at);
  return at;
}

uintptr_t SyntheticStack::AnyMethod(bool is_native) {
  const uintptr_t method = (is_native ? natives_ : methods_)[Pick(0, kMethods - 1)];
  truth_.push_back(method);
  return method;
}

// At least two frames: one that is alone must lie right below the next fragment, and these do not.
uintptr_t SyntheticStack::ShadowFragment(uintptr_t link) {
  const uintptr_t code = image_->Allocate(256);
  uintptr_t frame = 0;
  for (uint32_t left = Pick(2, kMaxShadowFrames); left > 0; --left) {
    const uintptr_t method = AnyMethod(false);
    const uint32_t dex_pc = Pick(0, 100);
    frame = Pick(0, 1) == 0 ? image_->ShadowFrame(method, dex_pc, frame)
                            : image_->MterpFrame(method, code, dex_pc, frame);
    structures_.push_back(frame);
  }
  return PutFragment(0, link, frame);
}

// Makes the dex file that all classes are of.
void SyntheticStack::MakeDexFile() {
  const walk::Layout& layout = image_->layout();
  dex_data_ = image_->Allocate(size_t{2 * kManagedMethods + 1} * kCodeBytes);
  const uintptr_t dex_cache = image_->Allocate(64);
  const uintptr_t dex_file = image_->Allocate(64);
  image_->Put32(image_->class_address() + layout.class_dex_cache, static_cast<uint32_t>(dex_cache));
  image_->Put64(dex_cache + layout.dex_cache_dex_file, dex_file);
  image_->PutPointer(dex_file + layout.dex_file_begin, dex_data_);
  image_->PutPointer(dex_file + layout.dex_file_data_begin, dex_data_);
}

void SyntheticStack::MakeNterpMethods() {
  const walk::Layout& layout = image_->layout();
  if (layout.nterp_outs_alignment == 0 || sizeof(uintptr_t) != 8) return;
  walk::RuntimeFacts& facts = image_->facts();
  facts.nterp_begin = image_->Allocate(4096);
  facts.nterp_end = facts.nterp_begin + 4096;
  const uintptr_t data = dex_data_;
  for (uint32_t i = 0; i < kManagedMethods; ++i) {
    const uint32_t registers = 2 * Pick(1, 8);
    const uint32_t outs = 4 * Pick(0, 2);
    const uint32_t offset = (i + 1) * kCodeBytes;
    const uintptr_t method = image_->Method();
    image_->PutCodeItem(method, data, offset);
    image_->PutPointer(method + layout.method_entry_point, facts.nterp_begin);
    image_->Put32(data + offset + walk::kCodeItemRegisters, registers);
    image_->Put32(data + offset + walk::kCodeItemOuts, outs);
    image_->Put32(data + offset + walk::kCodeItemInstructionCount, 100);
    managed_.push_back({method, NterpFrameBytes(registers, outs), facts.nterp_begin + Pick(1, 4000),
                        8 + 4 * outs, data + offset + walk::kCodeItemInstructions, data + offset,
                        walk::kCodeItemInstructions});
  }
}

void SyntheticStack::MakeCompiledMethods() {
  constexpr uint32_t kRoom = 3 * walk::ArtImage::kCodeRoom;
  code_begin_ = code_end_ = image_->Allocate(size_t{kManagedMethods} * kRoom);
  const bool is_framed = image_->layout().method_header == walk::MethodHeader::kFrameInfo;
  for (uint32_t i = 0; i < kManagedMethods; ++i) {
    testbed::quick_code::CodeDescription description;
    description.code_bytes = kCodeBytes;
    description.frame_bytes = 16 * Pick(2, 12);
    description.safepoints = {{kReturn / arch::kInstructionAlignment, 1, {}},
                              {80 / arch::kInstructionAlignment, 2, {}}};
    description.dex_registers = Pick(1, 8);
    const uintptr_t method = image_->Method();
    const uintptr_t code = image_->PutCode(method, code_end_, description);
    PutInstructions(image_.get(), code, description.frame_bytes);
    const bool is_elsewhere = kPrologueIsRead && !is_framed && i % 2 != 0;
    if (is_elsewhere) CompileAgain(method, code_end_ + walk::ArtImage::kCodeRoom, description);
    managed_.push_back({method, description.frame_bytes, code + (is_framed ? 60U : kReturn), 0, 0,
                        code_end_, kRoom, is_elsewhere});
    code_end_ += kRoom;
  }
}

// Makes the running code differ from the code at the method's entry point.
void SyntheticStack::CompileAgain(uintptr_t method, uintptr_t area,
                                  const testbed::quick_code::CodeDescription& description) {
  const uintptr_t code_item = area + walk::ArtImage::kCodeRoom;
  image_->PutCodeItem(method, dex_data_, static_cast<uint32_t>(code_item - dex_data_));
  image_->Put32(code_item + walk::kCodeItemRegisters, description.dex_registers);
  image_->PutCode(method, area, description);
}

void SyntheticStack::Fill(uintptr_t frame, const Managed& managed) {
  if (managed.nterp_at == 0) return;
  image_->PutPointer(frame + managed.nterp_at, managed.instructions + 2 * Pick(0, 99));
  image_->PutPointer(frame + managed.nterp_at + sizeof(uintptr_t),
                     frame + managed.bytes - arch::kNterpCalleeSaveBytes);
}

// Innermost first.
std::vector<SyntheticStack::Managed> SyntheticStack::PickCallers(uint32_t least) {
  std::vector<Managed> callers;
  for (uint32_t left = Pick(least, kMaxManaged); left > 0; --left) {
    callers.push_back(managed_[Pick(0, static_cast<uint32_t>(managed_.size()) - 1)]);
    truth_.push_back(callers.back().method);
  }
  std::reverse(callers.begin(), callers.end());
  return callers;
}

// Frames of `callers` from `frame` on, each with the return address of what it called below it.
void SyntheticStack::FillAll(uintptr_t frame, const std::vector<Managed>& callers) {
  for (const Managed& caller : callers) {
    image_->PutPointer(frame - sizeof(uintptr_t), caller.pc);
    Fill(frame, caller);
    frames_.push_back({frame, caller});
    structures_.push_back(frame);
    frame += caller.bytes;
  }
}

// The innermost fragment of a thread that runs managed code: its top_quick_frame is left over from
// an earlier call, its registers say where it is.
void SyntheticStack::RunManagedCode(uintptr_t link) {
  const std::vector<Managed> callers = PickCallers(1);
  std::vector<walk::ArtImage::QuickFrame> frames;
  size_t bytes = 256;
  for (const Managed& caller : callers) {
    frames.push_back({caller.method, caller.bytes});
    bytes += caller.bytes;
  }
  stack_offset_ -= bytes;
  const uintptr_t lowest = image_->QuickFrames(stack_offset_, frames);
  FillAll(lowest, callers);
  const Managed& innermost = callers.front();
  registers_.values[arch::kDwarfPc] = innermost.pc;
  registers_.values[arch::kDwarfSp] = lowest;
  if (innermost.nterp_at != 0) {
    registers_.values[arch::kNterpReferencesRegister] =
        lowest + innermost.nterp_at + 2 * sizeof(uintptr_t);
    registers_.values[arch::kNterpDexPcRegister] = innermost.instructions;
  }
  image_->SetTop(lowest - 64, link, 0);
  structures_.push_back(lowest - 64);
  image_->SetState(image_->layout().state_runnable);
  is_running_ = true;
}

// A native method that other code called: its frame, those of its callers in nterp and in compiled
// code, or of the bridge from interpreted code.
uintptr_t SyntheticStack::QuickFragment(uintptr_t link) {
  const std::vector<Managed> callers = PickCallers(0);
  std::vector<walk::ArtImage::QuickFrame> frames = {image_->GenericJni(AnyMethod(true))};
  for (const Managed& caller : callers) frames.push_back({caller.method, caller.bytes});
  // Code that is found by looking back has a caller that fits it.
  const bool is_proved = !callers.empty() && callers.back().is_elsewhere;
  if (!is_proved && Pick(0, 1) == 0)
    frames.push_back(image_->CalleeSave(Pick(0, walk::kCalleeSaveMethods - 1)));
  size_t bytes = 256;  // with the base, and native frames after it
  for (const auto& frame : frames) bytes += frame.bytes;
  stack_offset_ -= bytes;
  const uintptr_t lowest = image_->QuickFrames(stack_offset_, frames);
  const uint32_t handle_count = image_->layout().jni_handle_count;
  if (handle_count != 0) {
    // Counts with which the native method's frame would end where another one does.
    uintptr_t boundary = lowest;
    std::vector<uintptr_t> boundaries;
    for (const auto& frame : frames) boundaries.push_back(boundary += frame.bytes);
    for (uint32_t handles = 1; handles <= 256; ++handles) {
      image_->Put32(lowest + handle_count, handles);
      const uintptr_t end = lowest + walk::GenericJniFrameBytes(image_->layout(), lowest);
      if (std::find(boundaries.begin() + 1, boundaries.end(), end) != boundaries.end())
        structures_.push_back(handles);
    }
    image_->Put32(lowest + handle_count, 0);
  }
  FillAll(lowest + frames[0].bytes, callers);
  uintptr_t at = lowest;
  for (const auto& frame : frames) {
    for (uintptr_t tag = 0; tag <= image_->layout().quick_frame_tag_mask; ++tag)
      structures_.push_back(at | tag);
    at += frame.bytes;
  }
  return PutFragment(lowest | image_->layout().generic_jni_tag, link, 0);
}

}  // namespace stillframe::fault
