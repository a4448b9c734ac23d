// SPDX-License-Identifier: Apache-2.0
// Three functions, compiled in several ways under names of their own (SF_CHAIN). Each notes what it
// returns to; one that is left by a jump is on no stack afterwards.
// Context: main thread of the test
#include "tests/process/native_mix/mix.h"

#define SF_TEXT2(a) #a
#define SF_TEXT(a) SF_TEXT2(a)
#define SF_JOIN2(a, b) a##_##b
#define SF_JOIN(a, b) SF_JOIN2(a, b)
#define SF_NAME(function) SF_JOIN(SF_CHAIN, function)
#define SF_FUNCTION(function) \
  extern "C" [[gnu::noinline, gnu::visibility("default")]] long SF_NAME(function)(int level)
#define SF_NOTE(function) sf_mix_note(SF_TEXT(SF_NAME(function)), __builtin_return_address(0))

SF_FUNCTION(inner);
SF_FUNCTION(middle);

SF_FUNCTION(inner) {
  SF_NOTE(inner);
  volatile long one = 1;
  return sf_mix_go_on(level) + one;
}

SF_FUNCTION(middle) {
  SF_NOTE(middle);
#ifdef SF_ROOM
  volatile char* const room = static_cast<volatile char*>(__builtin_alloca(100 + (level & 7)));
#else
  volatile char room[100];
#endif
  room[3] = 1;
  return SF_NAME(inner)(level) + room[3];
}

SF_FUNCTION(outer) {
#ifdef SF_TAIL
  return SF_NAME(middle)(level);
#else
  SF_NOTE(outer);
  volatile long one = 1;
  return SF_NAME(middle)(level) + one;
#endif
}
