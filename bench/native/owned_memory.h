// SPDX-License-Identifier: Apache-2.0
// What owned_memory.so, which is preloaded, counts. Context: any thread
#pragma once

#include <cstddef>

extern "C" {

struct bench_owned_memory {
  bool is_known;        // the profiler's library is there
  size_t heap_bytes;    // allocated and not freed, with what the allocator rounds up to
  size_t mapped_bytes;  // anonymous mappings, touched or not
  size_t stack_bytes;   // pages touched of the stacks of its threads
  size_t data_bytes;    // writable segments of the library
};

using BenchReadOwnedMemory = bench_owned_memory (*)();

}  // extern "C"
