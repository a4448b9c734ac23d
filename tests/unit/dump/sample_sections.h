// SPDX-License-Identifier: Apache-2.0
// Sections of the trace marker with values of every size, and all that there is of them as text.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

#include "src/model/document.h"

namespace stillframe::dump {

inline void AddSampleSections(model::Document* d) {
  using Kind = model::TraceEventKind;
  d->sections = {"\x02",
                 {{0, UINT64_MAX, {}},
                  {UINT32_MAX,
                   1,
                   {{1, Kind::kBegin, 0, "a section", ""},
                    {UINT64_MAX, Kind::kAsyncEnd, INT64_MIN, "", "a track"},
                    {2, Kind::kCounter, INT64_MAX, "", ""}}}}};
}

inline std::string SectionsText(const model::Document& d) {
  std::ostringstream out;
  if (!d.sections) return "none";
  out << d.sections->absent;
  for (const model::LooperSections& s : d.sections->loopers) {
    out << '\n' << s.looper << ' ' << s.lost;
    for (const model::TraceEvent& e : s.events)
      out << '\n'
          << e.at_ns << ' ' << static_cast<int>(e.kind) << ' ' << e.value << ' ' << e.name << ' '
          << e.track;
  }
  return out.str();
}

}  // namespace stillframe::dump
