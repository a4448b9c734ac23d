// SPDX-License-Identifier: Apache-2.0
// One dump's row in the page's overview.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

struct PageRow {
  // The cause is the kind of verdict, the frame to blame and the message. Lines and
  // the numbers that compilers give to lambdas are left out: a bug has one cause in all versions.
  enum Text : uint8_t { kKind = 3, kFrame, kMessage, kMessageKey, kHeadline = 10 };
  static constexpr std::array<std::string_view, 11> kTextNames = {
      "id",         "name",    "process", "kind", "frame",   "message",
      "messageKey", "version", "model",   "api",  "headline"};

  std::array<std::string, kTextNames.size()> texts;
  uint64_t taken;  // seconds since 1970; 0: unknown
  int64_t cost;    // us
};

PageRow PageRowOf(std::string_view name, const index::DumpIndex& index,
                  const judge::Verdict& verdict, const std::string& headline);

}  // namespace stillframe::render
