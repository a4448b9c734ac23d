// SPDX-License-Identifier: Apache-2.0
// Three functions that end in a read of a pipe, compiled in several ways under names of their own
// (SF_CHAIN). Each notes what it returns to.
// Context: any thread of the test
#include "tests/process/native_waits/chain.h"

#include <unistd.h>

#define SF_JOIN2(a, b) a##_##b
#define SF_JOIN(a, b) SF_JOIN2(a, b)
#define SF_NAME(function) SF_JOIN(SF_CHAIN, function)
#define SF_FUNCTION extern "C" [[gnu::noinline, gnu::visibility("default")]] long

SF_FUNCTION SF_NAME(inner)(native_waits::Truth* truth, int pipe);
SF_FUNCTION SF_NAME(middle)(native_waits::Truth* truth, int pipe);
SF_FUNCTION SF_NAME(outer)(native_waits::Truth* truth, int pipe);

SF_FUNCTION SF_NAME(inner)(native_waits::Truth* truth, int pipe) {
  truth->Note(__builtin_return_address(0));
  truth->is_ready.store(true, std::memory_order_release);
  char byte = 0;
  const long got = read(pipe, &byte, 1);
  return got + byte;
}

SF_FUNCTION SF_NAME(middle)(native_waits::Truth* truth, int pipe) {
  truth->Note(__builtin_return_address(0));
#ifdef SF_ROOM
  volatile char* const room = static_cast<volatile char*>(__builtin_alloca(100 + (pipe & 7)));
#else
  volatile char room[100];
#endif
  room[3] = 1;
  return SF_NAME(inner)(truth, pipe) + room[3];
}

SF_FUNCTION SF_NAME(outer)(native_waits::Truth* truth, int pipe) {
  truth->Note(__builtin_return_address(0));
  volatile long one = 1;
  return SF_NAME(middle)(truth, pipe) + one;
}
