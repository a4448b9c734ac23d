// SPDX-License-Identifier: Apache-2.0
// The message a watched thread is running, published for the sampler and the collector.
//
// Problem: the tap must say "a message began" in a few nanoseconds and without a system call. Rule:
// stores by the watched thread in the order no token, start, token; a reader that needs both reads
// token, start, token. Each store is a release, so that on aarch64 too none is seen before the one
// in front of it: no old token has a new start. The token's store is also ordered before what the
// watched thread reads next, see src/tap/doorbell.h. Surviving risk: a reader may see a message up
// to one store late; it then samples or ends it at its next tick.
// Context: Publish, Clear: watched thread. Reads: any thread and signal.
#pragma once

#include <atomic>
#include <cstdint>

#include <stillframe/token.h>

namespace stillframe::core {

struct MessageSlot {
  // kNone: no message is running. Written by the watched thread (sequentially consistent, kNone as
  // a release), read by handler and collector (acquire).
  std::atomic<Token> token{Token::kNone};
  std::atomic<uint64_t> start_ns{0};      // CLOCK_MONOTONIC
  std::atomic<uint64_t> start_cpu_ns{0};  // CLOCK_THREAD_CPUTIME_ID of the watched thread
  std::atomic<uint64_t> begun{0};         // messages so far, to see activity
  // Messages that have begun and run loops of their own: those of these are published instead.
  // Written by the watched thread, read by the collector (both relaxed: it guards nothing).
  std::atomic<uint32_t> around{0};

  void Publish(Token new_token, uint64_t now_ns, uint64_t cpu_ns) {
    start_ns.store(now_ns, std::memory_order_release);
    start_cpu_ns.store(cpu_ns, std::memory_order_release);
    CountBegun();
    token.store(new_token, std::memory_order_seq_cst);
  }
  void CountBegun() {
    begun.store(begun.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void Clear() { token.store(Token::kNone, std::memory_order_release); }
  // The published message is of a loop inside another one.
  bool is_nested() const { return around.load(std::memory_order_relaxed) > 0; }
};

struct RunningMessage {
  Token token;
  uint64_t start_ns;
  uint64_t start_cpu_ns;

  // 0 for a message that began after the caller read the clock.
  uint64_t AgeNs(uint64_t now_ns) const { return now_ns > start_ns ? now_ns - start_ns : 0; }
};

// The running message as one consistent whole; without a token when there is none.
inline RunningMessage Read(const MessageSlot& slot) {
  for (;;) {
    const Token token = slot.token.load(std::memory_order_acquire);
    const RunningMessage message{token, slot.start_ns.load(std::memory_order_acquire),
                                 slot.start_cpu_ns.load(std::memory_order_acquire)};
    if (slot.token.load(std::memory_order_acquire) == token) return message;
  }
}

}  // namespace stillframe::core
