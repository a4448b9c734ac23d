// SPDX-License-Identifier: Apache-2.0
// A sample as the signal handler writes it: one header and its frames, innermost first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <stillframe/token.h>

#include "src/core/dex_pc.h"
#include "src/core/truncation.h"

namespace stillframe::core {

enum class RawFrameKind : uint8_t {
  kInterpreted = 0,
  kJni = 1,
  kTruncated = 2,
  kNterp = 3,
  kCompiled = 4,  // dex_pc is the lower half of the pc
};

struct RawFrame {
  uint64_t method;  // ArtMethod*; in kTruncated frames the Truncation
  uint32_t dex_pc;  // kNoDexPc: none (native methods); in kDepthLimit: number of missing frames
  RawFrameKind kind;
  // Identifies the method and its code if the address is reused; 0: unknown.
  uint32_t tag : 24;
};
static_assert(sizeof(RawFrame) == 16);

// Kind and tag as one word, for one load or store.
constexpr uint32_t KindAndTag(RawFrameKind kind, uint32_t tag) {
  return static_cast<uint32_t>(kind) | tag << 8;
}
constexpr RawFrameKind KindOf(uint32_t kind_and_tag) {
  return static_cast<RawFrameKind>(kind_and_tag & 0xff);
}
inline uint32_t KindAndTagOf(const RawFrame& frame) {
  uint32_t word = 0;
  memcpy(&word, reinterpret_cast<const uint8_t*>(&frame) + offsetof(RawFrame, kind), sizeof word);
  return word;
}

// True for the marker of a stack deeper than its sink.
constexpr bool IsDeepMark(const RawFrame& frame) {
  return frame.kind == RawFrameKind::kTruncated &&
         frame.method == static_cast<uint64_t>(Truncation::kDepthLimit);
}

struct RawSample {
  Token token;            // the running message
  uint64_t wall_ns;       // CLOCK_MONOTONIC
  uint64_t cpu_ns;        // CLOCK_THREAD_CPUTIME_ID of the sampled thread
  uint16_t depth;         // number of frames that follow, including truncations
  uint8_t thread_state;   // ART's number; art/ names it
  Truncation truncation;  // the stack's first
  uint16_t overrun;       // timer expirations while its signal was pending
};
static_assert(sizeof(RawSample) == 32);

// Destination of a walk's frames: a span of a ring, or a plain array (mask of all ones).
// A sink with space for outermost frames accepts up to kMostFrames. Its last places hold the newest
// frames in a ring. End() sorts them and puts a marker before them. The marker's dex_pc is the
// number of missing frames; kNoDexPc: the walk ended before the outermost frame.
class FrameSink {
 public:
  static constexpr uint32_t kMostFrames = 32'768;
  // How many of `limit` places are for the outermost frames of deep stacks.
  static constexpr uint32_t OutermostOf(uint32_t limit) { return limit / 16; }

  FrameSink(RawFrame* cells, uint64_t first, uint64_t mask, uint32_t limit, uint32_t outermost = 0)
      : cells_(cells),
        first_(first),
        mask_(mask),
        limit_(limit),
        outermost_(static_cast<uint16_t>(outermost)) {}

  // Frames of the sample before this one that this walk has not passed; none by default. Their tags
  // save loads from methods, whose memory is cold. If a method was unloaded since, its tag tells
  // the collector so, as that of an old sample does.
  struct Earlier {
    const RawFrame* next = nullptr;
    const RawFrame* end = nullptr;
    uint32_t misses = 0;

    // Passes the frame of `method`. False: the next one is not of this method, or not interpreted.
    [[gnu::always_inline]] bool Pass(uint64_t method, uint32_t* kind_and_tag) {
      if (next == end || next->method != method) return false;
      *kind_and_tag = KindAndTagOf(*next);
      if (KindOf(*kind_and_tag) != RawFrameKind::kInterpreted) return false;
      ++next;
      return true;
    }
    // The same after frames that have come or gone. Bounded.
    bool PassSome(uint64_t method, uint32_t* kind_and_tag) {
      constexpr uint32_t kMostMisses = 8;
      constexpr uint32_t kMostGone = 32;
      Earlier later = *this;
      for (uint32_t i = 0; i < kMostGone && later.next != end; ++i, ++later.next) {
        if (!later.Pass(method, kind_and_tag)) continue;
        next = later.next;
        return true;
      }
      if (++misses == kMostMisses) next = end;
      return false;
    }
  };
  // They end where the sample's header begins, before the first frame.
  void SetEarlier(uint32_t count, uint32_t misses = 0) {
    earlier_count_ = static_cast<uint16_t>(count);
    earlier_misses_ = static_cast<uint8_t>(misses & 15);
  }
  void SetEarlier(const Earlier& left) {
    SetEarlier(static_cast<uint32_t>(left.end - left.next), left.misses);
  }
  Earlier earlier() const {
    if (earlier_count_ == 0) return {};
    const RawFrame* const end = cells_ + ((first_ - sizeof(RawSample) / sizeof(RawFrame)) & mask_);
    return {end - earlier_count_, end, earlier_misses_};
  }

  // Places for innermost frames that follow each other in memory; none: call Push.
  struct Room {
    RawFrame* next;
    RawFrame* end;

    [[gnu::always_inline]] void Put(uint64_t method, uint32_t dex_pc, uint32_t kind_and_tag) {
      Write(next++, method, dex_pc, kind_and_tag);
    }
  };
  Room room() const {
    const uint64_t at = (first_ + depth_) & mask_;
    const uint64_t before_end = mask_ - at;
    const uint64_t left = limit_ - depth_;
    return {cells_ + at, cells_ + at + (left < before_end ? left : before_end)};
  }
  // Counts the frames that were put into `used`.
  void Keep(const Room& used) { depth_ += static_cast<uint32_t>(used.next - room().next); }

  // False when the sink is full; the walk must stop then.
  [[gnu::always_inline]] bool Push(uint64_t method, uint32_t dex_pc, RawFrameKind kind,
                                   uint32_t tag = 0) {
    return PushInner(method, dex_pc, kind, tag) || PushBeyond(method, dex_pc, kind, tag);
  }
  // The same while innermost frames fit, in fewer instructions.
  [[gnu::always_inline]] bool PushInner(uint64_t method, uint32_t dex_pc, RawFrameKind kind,
                                        uint32_t tag) {
    if (depth_ >= limit_) return false;
    Put(depth_, method, dex_pc, kind, tag);
    ++depth_;
    return true;
  }
  bool has_inner_room() const { return depth_ < limit_; }

  // Marks a place where frames are missing. Always succeeds: it replaces the last frame of a full
  // sink.
  [[gnu::noinline]] void PushTruncation(Truncation truncation) {
    if (truncation_ == Truncation::kNone) truncation_ = truncation;
    if (!is_hopeless()) ++truncations_;
    const auto reason = static_cast<uint64_t>(truncation);
    if (!Push(reason, kNoDexPc, RawFrameKind::kTruncated) && outermost_ == 0)
      Put(limit_ - 1, reason, kNoDexPc, RawFrameKind::kTruncated, 0);
  }

  // Call once, after the last frame.
  [[gnu::noinline]] void End() {
    if (beyond_ == 0) return;
    uint32_t kept = limit_ - outermost_ - 1;  // of the innermost frames
    uint32_t missing = kNoDexPc;
    if (limit_ + beyond_ < kMostFrames) {
      missing = RoundMissing(beyond_ + 1U, kept);
      Rotate(kept + 1, beyond_ % outermost_);
      kept -= missing - (beyond_ + 1U);
      for (uint32_t i = 0; i < outermost_; ++i) At(kept + 1 + i) = At(limit_ - outermost_ + i);
      depth_ = kept + 1 + outermost_;
    } else {
      depth_ = kept + 1;
    }
    Put(kept, static_cast<uint64_t>(Truncation::kDepthLimit), missing, RawFrameKind::kTruncated, 0);
  }

  // Number of middle frames to leave out, at least `missing`, at most `most` more. Rounded up to a
  // step, so that stacks with different innermost frames keep the same outer frames.
  static uint32_t RoundMissing(uint32_t missing, uint32_t most) {
    constexpr uint32_t kStep = 128;
    const uint32_t more = (kStep - missing % kStep) % kStep;
    return missing + (more <= most ? more : 0);
  }

  // True if the stack has so many gaps that it is garbage.
  bool is_hopeless() const {
    constexpr uint32_t kMostTruncations = 64;
    return truncations_ >= kMostTruncations;
  }
  // Number of pushed frames. Before End().
  uint32_t total() const { return depth_ + beyond_; }
  // Number of kept frames. After End().
  uint32_t depth() const { return depth_; }
  Truncation truncation() const { return truncation_; }

 private:
  RawFrame& At(uint32_t place) const { return cells_[(first_ + place) & mask_]; }

  [[gnu::always_inline]] void Put(uint32_t place, uint64_t method, uint32_t dex_pc,
                                  RawFrameKind kind, uint32_t tag) {
    Write(&At(place), method, dex_pc, KindAndTag(kind, tag));
  }
  [[gnu::always_inline]] static void Write(RawFrame* cell, uint64_t method, uint32_t dex_pc,
                                           uint32_t kind_and_tag) {
    cell->method = method;
    cell->dex_pc = dex_pc;
    memcpy(reinterpret_cast<uint8_t*>(cell) + offsetof(RawFrame, kind), &kind_and_tag,
           sizeof kind_and_tag);
  }

  [[gnu::noinline]] bool PushBeyond(uint64_t method, uint32_t dex_pc, RawFrameKind kind,
                                    uint32_t tag) {
    if (outermost_ == 0 || limit_ + beyond_ >= kMostFrames) return false;
    if (truncation_ == Truncation::kNone) truncation_ = Truncation::kDepthLimit;
    Put(limit_ - outermost_ + beyond_ % outermost_, method, dex_pc, kind, tag);
    ++beyond_;
    return true;
  }

  // Rotates the places from `begin` to the limit, so that the one `first` places further becomes
  // the first.
  void Rotate(uint32_t begin, uint32_t first) {
    Reverse(begin, begin + first);
    Reverse(begin + first, limit_);
    Reverse(begin, limit_);
  }
  void Reverse(uint32_t begin, uint32_t end) {
    for (; begin + 1 < end; ++begin, --end) {
      const RawFrame swapped = At(begin);
      At(begin) = At(end - 1);
      At(end - 1) = swapped;
    }
  }

  RawFrame* cells_;
  uint64_t first_;
  uint64_t mask_;
  uint32_t limit_;
  uint32_t depth_ = 0;
  uint16_t beyond_ = 0;  // frames after the first `limit_`, below kMostFrames
  uint16_t outermost_;
  uint16_t earlier_count_ = 0;
  uint8_t truncations_ = 0;
  uint8_t earlier_misses_ : 4 = 0;
  Truncation truncation_ : 4 = Truncation::kNone;
};

}  // namespace stillframe::core
