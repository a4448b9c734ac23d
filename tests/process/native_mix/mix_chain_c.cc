// SPDX-License-Identifier: Apache-2.0
// The chain in C, once with a function in assembly in its middle.
// Context: main thread of the test
#include "tests/process/native_mix/mix.h"

__attribute__((noinline)) long sf_c_inner(int level) {
  sf_mix_note("sf_c_inner", __builtin_return_address(0));
  volatile long one = 1;
  return sf_mix_go_on(level) + one;
}

__attribute__((noinline)) long sf_c_middle(int level) {
  sf_mix_note("sf_c_middle", __builtin_return_address(0));
  volatile long one = 1;
  return sf_c_inner(level) + one;
}

__attribute__((noinline)) long sf_c_outer(int level) {
  sf_mix_note("sf_c_outer", __builtin_return_address(0));
  volatile long one = 1;
  return sf_c_middle(level) + one;
}

__attribute__((noinline)) long sf_assembly_outer(int level) {
  sf_mix_note("sf_assembly_outer", __builtin_return_address(0));
  volatile long one = 1;
  return sf_assembly_middle(level) + one;
}
