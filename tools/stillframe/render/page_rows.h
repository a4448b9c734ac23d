// SPDX-License-Identifier: Apache-2.0
// One dump's row in the overview of a page.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

struct PageRow {
  // Kind of verdict, frame to blame and message are the cause: the same for one bug in all versions
  // of an application, without lines, and without the numbers that compilers give to lambdas.
  enum Text : uint8_t { kKind = 3, kFrame, kMessage, kMessageKey, kHeadline = 10 };
  static constexpr std::array<std::string_view, 11> kTextNames = {
      "id",         "name",    "process", "kind", "frame",   "message",
      "messageKey", "version", "model",   "api",  "headline"};

  std::array<std::string, kTextNames.size()> texts;
  uint64_t taken;  // seconds since 1970, 0 is unknown
  int64_t cost;    // us
};

PageRow PageRowOf(std::string_view name, const index::DumpIndex& index,
                  const judge::Verdict& verdict, const std::string& headline);

}  // namespace stillframe::render
