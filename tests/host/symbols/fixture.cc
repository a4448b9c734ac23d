// SPDX-License-Identifier: Apache-2.0
// Functions inlined into each other, twice and at different depths. They have linkage names:
// without one, addr2line misnames a function inlined at the first byte of another, with the outer
// one's name.
#include <cstdint>

namespace symbol_fixture {

[[gnu::always_inline]] inline uint32_t Mix(uint32_t value) {
  value ^= value >> 15;
  value *= 0x85eb'ca6b;
  return value ^ (value >> 13);
}

[[gnu::always_inline]] inline uint32_t MixTwice(uint32_t value) {
  const uint32_t once = Mix(value + 3);
  return Mix(once) + once;
}

namespace {

[[gnu::noinline]] uint32_t Hidden(uint32_t value, volatile uint32_t* sink) {
  for (uint32_t i = 0; i < value % 7; ++i) *sink = Mix(i + value);
  return *sink;
}

}  // namespace

class Cart {
 public:
  [[gnu::noinline, gnu::visibility("default")]] uint32_t Add(uint32_t item);

 private:
  volatile uint32_t sum_ = 0;
};

uint32_t Cart::Add(uint32_t item) {
  sum_ = sum_ + MixTwice(item);
  return Hidden(item, &sum_) + MixTwice(sum_);
}

}  // namespace symbol_fixture

extern "C" [[gnu::visibility("default")]] uint32_t symbol_fixture_entry(uint32_t value);
uint32_t symbol_fixture_entry(uint32_t value) {
  symbol_fixture::Cart cart;
  return cart.Add(value) + symbol_fixture::MixTwice(value);
}
