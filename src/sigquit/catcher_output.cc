// SPDX-License-Identifier: Apache-2.0
#include "src/sigquit/catcher_output.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>

#include "src/sigquit/catcher_watch.h"

namespace stillframe::sigquit {
namespace {

// AOSP 11, libartpalette/include/palette/palette_types.h: an int32_t; so is 14's palette_status_t.
using WriteStacks = int32_t (*)(const char* stacks, size_t length);

enum class State : uint32_t { kIdle, kWanted, kCopying, kCopied };

// Written before the replacement is first called.
WriteStacks g_original = nullptr;
const core::Waker* g_waker = nullptr;

// The collector changes kIdle to kWanted and kCopied to kIdle (acquire). The Signal Catcher changes
// kWanted to kCopying to kCopied (release). The buffer belongs to the thread that makes the next
// change.
std::atomic<State> g_state{State::kIdle};
// Number of the SIGQUIT whose report is wanted. Written by the collector (release), read on the
// Signal Catcher's thread (acquire).
std::atomic<unsigned> g_arrival{0};
char* g_buffer = nullptr;
size_t g_bytes = 0;
uint64_t g_full_bytes = 0;

int32_t OnWriteStacks(const char* stacks, size_t length) {
  State wanted = State::kWanted;
  if (g_arrival.load(std::memory_order_acquire) == CatcherWatch::arrivals() &&
      g_state.compare_exchange_strong(wanted, State::kCopying, std::memory_order_acquire)) {
    g_bytes = std::min(length, CatcherOutput::kMaxBytes);
    memcpy(g_buffer, stacks, g_bytes);
    g_full_bytes = length;
    g_state.store(State::kCopied, std::memory_order_release);
    g_waker->Wake();
  }
  return g_original(stacks, length);
}

}  // namespace

uintptr_t CatcherOutput::Replacement(uintptr_t original, const core::Waker* waker) {
  g_original = reinterpret_cast<WriteStacks>(original);
  g_waker = waker;
  return reinterpret_cast<uintptr_t>(&OnWriteStacks);
}

void CatcherOutput::Expect(unsigned arrival) {
  State copied = State::kCopied;
  g_state.compare_exchange_strong(copied, State::kIdle, std::memory_order_acquire);
  g_arrival.store(arrival, std::memory_order_release);
  if (g_state.load(std::memory_order_acquire) != State::kIdle) return;
  if (g_buffer == nullptr) g_buffer = static_cast<char*>(malloc(kMaxBytes));
  if (g_buffer != nullptr) g_state.store(State::kWanted, std::memory_order_release);
}

bool CatcherOutput::Take(std::string* text, uint64_t* full_bytes) {
  if (g_state.load(std::memory_order_acquire) != State::kCopied) return false;
  text->assign(g_buffer, g_bytes);
  *full_bytes = g_full_bytes;
  free(g_buffer);
  g_buffer = nullptr;
  g_state.store(State::kIdle, std::memory_order_release);
  return true;
}

}  // namespace stillframe::sigquit
