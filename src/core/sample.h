// SPDX-License-Identifier: Apache-2.0
// What the signal handler writes: one header and its frames, innermost first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stillframe::core {

enum class RawFrameKind : uint8_t {
  kInterpreted = 0,
  kJni = 1,
  kTruncated = 2,
  kNterp = 3,
  kCompiled = 4,  // dex_pc is the lower half of the pc
};

// Why a stack, or a fragment of it, is not whole. Kept with the stack and counted.
enum class Truncation : uint8_t {
  kNone = 0,
  kDepthLimit,         // deeper than the configured depth: the outermost frames are missing
  kUnreadable,         // a guarded load faulted
  kBadQuickFrame,      // not a method, misaligned, or outside the stack
  kUnknownQuickFrame,  // a quick frame whose size this version does not know
  kNoFrames,           // the runtime was between two fragments, or no managed code ran
  kBadMethod,          // resolved off the signal: the pointer is no method (any more)
  kUnknownCode,        // a return address, or the interrupted place, in code nothing is known about
  kNoRegisters,        // running managed code, looked at from another thread
  kBadFragment,        // the stack goes on where it cannot
  kNoSignal,           // no signal came while the thread ran: nothing is known of that time
  kCount,
};

const char* TruncationName(Truncation truncation);

struct RawFrame {
  uint64_t method;  // ArtMethod*; for kTruncated the Truncation
  uint32_t dex_pc;  // UINT32_MAX: none (native methods)
  RawFrameKind kind;
  // Tells the method, and its code, from what takes its place later; 0: not known.
  uint32_t tag : 24;
};
static_assert(sizeof(RawFrame) == 16);

constexpr uint32_t kNoDexPc = UINT32_MAX;

// Of the form of a sample in the ring. Rises with what is kept of one.
constexpr uint16_t kSampleVersion = 1;

struct RawSample {
  uint64_t token;    // message that was running
  uint64_t wall_ns;  // CLOCK_MONOTONIC
  uint64_t cpu_ns;   // CLOCK_THREAD_CPUTIME_ID of the sampled thread
  uint16_t depth;    // frames that follow, truncations included
  uint16_t version = kSampleVersion;
  uint8_t thread_state;   // ART's number; art/ names it
  Truncation truncation;  // the first one of the stack
  uint16_t overrun;       // expirations of the timer while its signal was pending
};
static_assert(sizeof(RawSample) == 32);

// Where a walk leaves its frames: a span of a ring or a plain array (mask of all ones).
class FrameSink {
 public:
  FrameSink(RawFrame* cells, uint64_t first, uint64_t mask, uint32_t limit)
      : cells_(cells), first_(first), mask_(mask), limit_(limit) {}

  // False when the limit is reached; the walk must stop then.
  [[gnu::always_inline]] bool Push(uint64_t method, uint32_t dex_pc, RawFrameKind kind,
                                   uint32_t tag = 0) {
    if (depth_ >= limit_) return false;
    RawFrame& cell = cells_[(first_ + depth_) & mask_];
    cell.method = method;
    cell.dex_pc = dex_pc;
    const uint32_t kind_and_tag = static_cast<uint32_t>(kind) | tag << 8;  // in one store
    memcpy(reinterpret_cast<uint8_t*>(&cell) + offsetof(RawFrame, kind), &kind_and_tag,
           sizeof kind_and_tag);
    ++depth_;
    return true;
  }

  // Marks the place where frames are missing. The last place is kept for it, so that it always
  // fits.
  void PushTruncation(Truncation truncation) {
    if (truncation_ == Truncation::kNone) truncation_ = truncation;
    const uint32_t place = depth_ < limit_ ? depth_++ : limit_ - 1;
    cells_[(first_ + place) & mask_] =
        RawFrame{static_cast<uint64_t>(truncation), kNoDexPc, RawFrameKind::kTruncated, {}};
  }

  bool is_full() const { return depth_ >= limit_; }
  uint32_t depth() const { return depth_; }
  Truncation truncation() const { return truncation_; }

 private:
  RawFrame* cells_;
  uint64_t first_;
  uint64_t mask_;
  uint32_t limit_;
  uint32_t depth_ = 0;
  Truncation truncation_ = Truncation::kNone;
};

}  // namespace stillframe::core
