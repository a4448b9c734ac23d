// SPDX-License-Identifier: Apache-2.0
// A library that computes for a moment, behind GUEST_FUNCTIONS uncalled functions. Its two builds
// thus have their code and its description at different places.
#include <time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

template <size_t kNumber>
[[gnu::noinline]] int Unused(const volatile int* values) {
  volatile int sum[kNumber % 40 + 1] = {};
  for (volatile int& part : sum) part = values[kNumber];
  return sum[0];
}

using Function = int (*)(const volatile int*);

template <size_t... kNumbers>
constexpr std::array<Function, sizeof...(kNumbers)> All(std::index_sequence<kNumbers...>) {
  return {Unused<kNumbers>...};
}

uint64_t CpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

extern "C" {

// Keeps the functions in the library.
extern const std::array<Function, GUEST_FUNCTIONS> guest_functions;
const std::array<Function, GUEST_FUNCTIONS> guest_functions =
    All(std::make_index_sequence<GUEST_FUNCTIONS>());

void guest_spin(uint64_t ns);
void guest_spin(uint64_t ns) {
  const uint64_t end_ns = CpuNs() + ns;
  for (volatile uint32_t i = 0; CpuNs() < end_ns;)
    for (uint32_t turn = 0; turn < 2'000; ++turn) i = i + turn;
}

// Calls back from behind `depth` calls of its own.
int guest_call(int depth, int (*call)());
int guest_call(int depth, int (*call)()) {
  volatile int sum = depth == 0 ? call() : guest_call(depth - 1, call);
  sum = sum + 1;  // no tail call
  return sum;
}

}  // extern "C"
