// SPDX-License-Identifier: Apache-2.0
// Walks over random memory: none may crash, run on, or leave more frames than its limit.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <random>
#include <vector>

#include "src/core/clock.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

// A fault of a 32-bit process takes a 64-bit kernel twenty times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __SIZEOF_POINTER__ == 4
constexpr uint32_t kWalks = 100'000;
#else
constexpr uint32_t kWalks = 1'000'000;
#endif
constexpr uint32_t kWords = 1024;
constexpr uint32_t kLimit = 48;
constexpr uint32_t kWordBytes = sizeof(uintptr_t);

class Garbage {
 public:
  explicit Garbage(ArtImage* image) : image_(*image), base_(image->Allocate(kWords * kWordBytes)) {
    methods_ = {image->Method(), image->NativeMethod()};
    image->facts().stack_low = base_;
    image->facts().stack_high = base_ + kWords * kWordBytes;
    for (uint32_t i = 0; i < kWords; ++i) SetWord(i);
  }

  // Changes a few words, so that every walk meets other memory.
  void Stir() {
    for (int i = 0; i < 24; ++i) SetWord(static_cast<uint32_t>(random_() % kWords));
  }
  uintptr_t Somewhere() {
    return base_ + static_cast<uintptr_t>(random_() % (kWords * kWordBytes));
  }
  uintptr_t Aligned() { return base_ + static_cast<uintptr_t>(random_() % kWords * kWordBytes); }

 private:
  void SetWord(uint32_t index) {
    image_.PutPointer(base_ + index * kWordBytes, static_cast<uintptr_t>(Word()));
  }

  // Valid pointers are as likely as invalid ones.
  uint64_t Word() {
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2: return Aligned();
      case 3: return Somewhere();
      case 4: return methods_[static_cast<size_t>(random_() % methods_.size())];
      case 5: return image_.facts().callee_save[random_() % kCalleeSaveMethods];
      case 6: return random_() << 32 | random_();
      case 7: return random_() % 4096;
      default: return 0;
    }
  }

  ArtImage& image_;
  uintptr_t base_;
  std::vector<uintptr_t> methods_;
  std::mt19937_64 random_{20'240'607};
};

TEST(WalkGarbage, EveryWalkEndsWell) {
  ArtImage image(KnownLayouts().rows[0]);
  Garbage garbage(&image);
  // One cell behind the sink's limit shows writes past it.
  std::vector<core::RawFrame> frames(kLimit + 1);
  constexpr uint64_t kUntouched = 0x5afe5afe5afe5afe;
  frames[kLimit].method = kUntouched;
  uint64_t by_truncation[static_cast<size_t>(core::Truncation::kCount)] = {};
  uint64_t longest_ns = 0;
  for (uint32_t walk = 0; walk < kWalks; ++walk) {
    garbage.Stir();
    const arch::Registers registers{garbage.Somewhere(), garbage.Aligned(), garbage.Somewhere()};
    core::FrameSink sink(frames.data(), 0, UINT64_MAX, kLimit, walk % 32 == 0 ? kLimit / 16 : 0);
    const uint64_t begin_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    WalkManagedStack(&image.facts(), garbage.Aligned() - ArtImage::kManagedStack,
                     walk % 2 == 0 ? &registers : nullptr, &sink);
    longest_ns = std::max(longest_ns, core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
    ASSERT_LE(sink.depth(), kLimit);
    ASSERT_GT(sink.depth(), 0U) << "an empty stack says why";
    ASSERT_EQ(frames[kLimit].method, kUntouched);
    ++by_truncation[static_cast<size_t>(sink.truncation())];
  }
  // The memory was neither all good nor all bad.
  for (const core::Truncation truncation :
       {core::Truncation::kNone, core::Truncation::kDepthLimit, core::Truncation::kUnreadable,
        core::Truncation::kBadQuickFrame, core::Truncation::kUnknownQuickFrame,
        core::Truncation::kNoFrames}) {
    EXPECT_GT(by_truncation[static_cast<size_t>(truncation)], 0U)
        << core::TruncationName(truncation);
  }
  // A runaway walk takes far longer.
  EXPECT_LT(longest_ns, 1'000'000'000U);
}

}  // namespace
}  // namespace stillframe::walk
