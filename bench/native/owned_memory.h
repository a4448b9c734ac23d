// SPDX-License-Identifier: Apache-2.0
// The counts of the preloaded owned_memory.so. Context: any thread
#pragma once

#include <cstddef>

extern "C" {

struct bench_owned_memory {
  bool is_known;        // the profiler's library is loaded
  size_t heap_bytes;    // live allocations, rounded up as by the allocator
  size_t mapped_bytes;  // anonymous mappings, touched or not
  size_t stack_bytes;   // touched pages of its threads' stacks
  size_t data_bytes;    // the library's writable segments
};

using BenchReadOwnedMemory = bench_owned_memory (*)();

}  // extern "C"
