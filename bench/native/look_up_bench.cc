// SPDX-License-Identifier: Apache-2.0
// Looks up addresses in tables of artificial libraries under the trap flag.
#include "bench/native/look_up_bench.h"

#include <cstdint>
#include <memory>
#include <string>

#include "bench/native/instruction_count.h"
#include "bench/native/rows.h"
#include "src/unwind/code_modules.h"

namespace bench {
namespace {

using stillframe::unwind::CodeModule;
using stillframe::unwind::CodeModules;

constexpr uint32_t kFew = 30;
constexpr uint32_t kMany = 400;
// Each library covers half of the distance to the next.
constexpr uintptr_t kFirst = 0x7000'0000;
constexpr uintptr_t kStride = 0x10'0000;
constexpr uintptr_t kBytes = kStride / 2;

// The start of a library's .eh_frame_hdr: encodings, offset of .eh_frame, number of entries.
constexpr uint32_t kHeader[] = {0x3b031b01, 64, 10};

uint64_t InstructionsOfFind(const CodeModules& modules, uintptr_t pc, bool expected) {
  CodeModule module = {};
  InstructionCount::Begin();
  const uint64_t around = InstructionCount::End();
  InstructionCount::Begin();
  const bool is_found = modules.Find(pc, &module);
  const uint64_t count = InstructionCount::End() - around;
  if (is_found != expected || (expected && pc - module.begin >= kBytes)) Fail("a wrong look-up");
  return count;
}

// Mean over a hit in each library and a miss after each.
double MeanOf(uint32_t libraries) {
  const auto modules = std::make_unique<CodeModules>();
  const auto begin_of = [](uint32_t i) { return kFirst + i * kStride; };
  for (uint32_t i = 0; i < libraries; ++i) {
    const uintptr_t begin = begin_of(i);
    modules->Add({.begin = begin,
                  .end = begin + kBytes,
                  .header = reinterpret_cast<uintptr_t>(kHeader),
                  .frames = kHeader[1],
                  .index_count = kHeader[2]});
  }
  uint64_t sum = 0;
  for (uint32_t i = 0; i < libraries; ++i) {
    sum += InstructionsOfFind(*modules, begin_of(i) + kBytes / 2, true);
    sum += InstructionsOfFind(*modules, begin_of(i) + kBytes, false);
  }
  return static_cast<double>(sum) / (2 * libraries);
}

}  // namespace

void MeasureLookUps(JNIEnv*, jclass) {
  const double few = MeanOf(kFew);
  const double many = MeanOf(kMany);
  Report("lookup_instructions_" + std::to_string(kFew), few, "count");
  Report("lookup_instructions_" + std::to_string(kMany), many, "count");
  Report("lookup_instructions_" + std::to_string(kMany) + "_vs_" + std::to_string(kFew), many / few,
         "ratio");
}

}  // namespace bench
