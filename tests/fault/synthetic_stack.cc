#include "tests/fault/synthetic_stack.h"

#include <algorithm>

namespace stillframe::fault {
namespace {

constexpr uint32_t kMostFragments = 6;
constexpr uint32_t kMostShadowFrames = 8;
constexpr uint32_t kMethods = 16;
constexpr size_t kUnused =
    256;  // at the end of the stack; frames are measured there while it is empty

}  // namespace

// Outermost first, as a stack comes into being: the thread's own first fragment is empty (ART 11
// runtime/managed_stack-inl.h, PushManagedStackFragment), then interpreted and native code take
// turns.
SyntheticStack::SyntheticStack(const art::Layout& layout, std::mt19937_64* random)
    : random_(random),
      image_(std::make_unique<art::ArtImage>(layout)),
      stack_offset_(art::ArtImage::kStackBytes - 64) {
  for (uint32_t i = 0; i < kMethods; ++i) {
    methods_.push_back(image_->Method());
    natives_.push_back(image_->NativeMethod());
  }
  FillWithStaleWords(kUnused, art::ArtImage::kStackBytes);
  uintptr_t link = PutFragment(0, 0, 0);
  const uint32_t fragments = Pick(1, kMostFragments);
  for (uint32_t i = 0; i < fragments; ++i) {
    link = i % 2 == 0 ? ShadowFragment(link) : QuickFragment(link);
  }
  // The innermost one stands in the thread itself.
  uint64_t words[3];
  const uint32_t offsets[] = {layout.top_quick_frame, layout.link, layout.top_shadow_frame};
  for (int i = 0; i < 3; ++i) words[i] = *reinterpret_cast<const uint64_t*>(link + offsets[i]);
  image_->SetTop(words[0], words[1], words[2]);
  std::reverse(truth_.begin(), truth_.end());
  structures_.insert(structures_.end(), methods_.begin(), methods_.end());
  structures_.insert(structures_.end(), natives_.begin(), natives_.end());
  for (const uintptr_t method : image_->facts().callee_save) structures_.push_back(method);
  std::sort(structures_.begin(), structures_.end());
  FillWithStaleWords(0, kUnused);
  registers_.sp = image_->stack();
}

bool SyntheticStack::HasMethod(uintptr_t address) const {
  return std::find(methods_.begin(), methods_.end(), address) != methods_.end() ||
         std::find(natives_.begin(), natives_.end(), address) != natives_.end();
}

// What is left on a stack by frames that are gone: numbers, and pointers to nowhere.
void SyntheticStack::FillWithStaleWords(size_t begin, size_t end) {
  for (size_t at = begin; at < end; at += 8) {
    image_->Put64(image_->stack() + at, Pick(0, 1) == 0 ? Pick(1, 4096) : (*random_)() >> 16 | 1);
  }
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
  for (uint32_t left = Pick(2, kMostShadowFrames); left > 0; --left) {
    const uintptr_t method = AnyMethod(false);
    const uint32_t dex_pc = Pick(0, 100);
    frame = Pick(0, 1) == 0 ? image_->ShadowFrame(method, dex_pc, frame)
                            : image_->MterpFrame(method, code, dex_pc, frame);
    structures_.push_back(frame);
  }
  return PutFragment(0, link, frame);
}

// A native method that interpreted code called: its frame, and the one of the bridge below it.
uintptr_t SyntheticStack::QuickFragment(uintptr_t link) {
  std::vector<art::ArtImage::QuickFrame> frames = {image_->GenericJni(AnyMethod(true))};
  if (Pick(0, 1) == 0) frames.push_back(image_->CalleeSave(Pick(0, art::kCalleeSaveMethods - 1)));
  size_t bytes = 256;  // with the base, and native frames after it
  for (const auto& frame : frames) bytes += frame.bytes;
  stack_offset_ -= bytes;
  const uintptr_t lowest = image_->QuickFrames(stack_offset_, frames);
  const uint32_t handle_count = image_->layout().jni_handle_count;
  if (handle_count != 0) image_->Put32(lowest + handle_count, 0);
  uintptr_t at = lowest;
  for (const auto& frame : frames) {
    structures_.insert(structures_.end(), {at, at | image_->layout().generic_jni_tag});
    at += frame.bytes;
  }
  return PutFragment(lowest | image_->layout().generic_jni_tag, link, 0);
}

}  // namespace stillframe::fault
