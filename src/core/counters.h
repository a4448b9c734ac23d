// SPDX-License-Identifier: Apache-2.0
// The profiler's own counters, in one place for the process.
//
// Events are added here. A part that keeps its own figure publishes a function that reads it.
// Context: Add: signal and any thread. All else: collector
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <stillframe/counters.h>

namespace stillframe::core {

class Counters {
 public:
  using Reader = uint64_t (*)(void* part);

  static void Add(Counter counter, uint64_t count = 1) {
    cells[Index(counter)].fetch_add(count, std::memory_order_relaxed);
  }
  static void Set(Counter counter, uint64_t value) {
    cells[Index(counter)].store(value, std::memory_order_relaxed);
  }

  // From now on dumps have the counter, read through `read`. `part` must outlive all dumps.
  static void Publish(Counter counter, Reader read, void* part);
  // The same with a member function: Publish<&Part::bytes>(counter, &part).
  template <auto kRead, typename Part>
  static void Publish(Counter counter, Part* part) {
    Publish(
        counter,
        [](void* any) { return static_cast<uint64_t>((static_cast<Part*>(any)->*kRead)()); }, part);
  }
  // From now on dumps have the counter. Counters without a condition need no call.
  static void Show(Counter counter, bool is_shown = true);

  // The published value, else the added one.
  static uint64_t Read(Counter counter);
  static uint64_t Added(Counter counter) {
    return cells[Index(counter)].load(std::memory_order_relaxed);
  }
  // Whether dumps have the counter.
  static bool IsShown(Counter counter);
  static const char* NameOf(Counter counter);

 private:
  static constexpr size_t kCount = static_cast<size_t>(Counter::kCount);
  static constexpr size_t Index(Counter counter) { return static_cast<size_t>(counter); }

  struct Published {
    Reader read = nullptr;
    void* part = nullptr;
    bool is_shown = false;
  };
  static std::array<std::atomic<uint64_t>, kCount> cells;
  static std::array<Published, kCount> published;
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

}  // namespace stillframe::core
