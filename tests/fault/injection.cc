// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/injection.h"

#include <algorithm>

namespace stillframe::fault {
namespace {

// xorshift64* (Marsaglia 2003, Vigna 2016): cheap enough for every load of ten million walks.
uint64_t NextRandom() {
  uint64_t& state = TheInjection().random_state;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DU;
}

uint64_t AnyGarbage(uint64_t truth) {
  const Injection& injection = TheInjection();
  const uint64_t random = NextRandom();
  switch (NextRandom() >> 61) {
    case 0: return random;
    case 1: return random >> 32;
    case 2: return random >> 52;
    case 3: return random >> 58 << 3;
    case 4: return UINT64_MAX;
    case 5: return truth ^ uint64_t { 1 } << (random >> 58);
    case 6: return injection.arena + random % injection.arena_bytes;
    default: return injection.arena + (random % injection.arena_bytes & ~uint64_t{7});
  }
}

}  // namespace

Injection& TheInjection() {
  static Injection injection;
  return injection;
}

Fault NextFault() {
  Injection& injection = TheInjection();
  ++injection.loads;
  if ((injection.fails | injection.garbage) == 0) return Fault::kNone;
  const uint64_t chance = NextRandom() >> 32;
  if (chance >= injection.fails + injection.garbage) return Fault::kNone;
  ++injection.injected;
  return chance < injection.fails ? Fault::kFails : Fault::kGarbage;
}

bool PlaceOfLoad(uintptr_t* address) {
  Injection& injection = TheInjection();
  if (injection.goes_after == 0 || injection.loads < injection.goes_after ||
      *address < injection.code_begin || *address >= injection.code_end)
    return true;
  ++injection.gone;
  ++injection.injected;
  injection.lies.push_back(*address);
  const uintptr_t bytes = injection.code_end - injection.code_begin;
  if (injection.moved == 0) return false;
  *address = injection.code_begin + (*address - injection.code_begin + injection.moved) % bytes;
  return true;
}

uint64_t Garbage(uint64_t truth) {
  for (;;) {
    const uint64_t value = AnyGarbage(truth);
    const auto& never = *TheInjection().never;
    const Injection& injection = TheInjection();
    const bool is_code = value >= injection.code_begin && value < injection.code_end;
    if (value != truth && value != 0 && !is_code &&
        !std::binary_search(never.begin(), never.end(), value))
      return value;
  }
}

}  // namespace stillframe::fault
