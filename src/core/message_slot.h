// SPDX-License-Identifier: Apache-2.0
// The message a watched thread is running, published for the sampler and the collector.
//
// Problem: the tap must publish the start of a message in a few nanoseconds, without a system call.
// Rule: the watched thread stores in the order no token, start, token. A reader of both reads
// token, start, token. Each store is a release, so that no CPU shows a new start with an old token.
// The token's store is also ordered before the watched thread's next reads, see
// src/tap/wake_up_request.h. Surviving risk: a reader may see a message one store late; it then
// samples or ends it at its next tick.
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
  std::atomic<uint64_t> begun{0};         // messages so far, to detect activity
  // Outer messages that run loops of their own; the inner messages are published instead. Written
  // by the watched thread, read by the collector (both relaxed: it guards nothing).
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
  // The published message belongs to a loop inside another message.
  bool is_nested() const { return around.load(std::memory_order_relaxed) > 0; }
};

struct RunningMessage {
  Token token;
  uint64_t start_ns;
  uint64_t start_cpu_ns;

  // 0 for a message that began after `now_ns`.
  uint64_t AgeNs(uint64_t now_ns) const { return now_ns > start_ns ? now_ns - start_ns : 0; }
};

// A consistent copy of the running message; token kNone: none is running.
inline RunningMessage Read(const MessageSlot& slot) {
  for (;;) {
    const Token token = slot.token.load(std::memory_order_acquire);
    const RunningMessage message{token, slot.start_ns.load(std::memory_order_acquire),
                                 slot.start_cpu_ns.load(std::memory_order_acquire)};
    if (slot.token.load(std::memory_order_acquire) == token) return message;
  }
}

}  // namespace stillframe::core
