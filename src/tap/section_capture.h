// SPDX-License-Identifier: Apache-2.0
// Sections that the process writes to the trace marker, captured on watched threads.
//
// All writers end in libcutils: android.os.Trace, ATrace_beginSection, and ART's own through
// libartpalette (AOSP 8 to 15). It calls write() with the marker's descriptor. The function here
// takes that call's place in libcutils' own table, keeps the text in the ring of the thread, and
// passes on what the system's own trace wants; writers ask libcutils which tags are on, so ours are
// switched on there. Whatever else libcutils writes goes on untouched.
//
// Hazards: a thread may be in the function when it is taken out: it stays loaded, and passes all
// on. libcutils is held while its table is ours. Another component that takes the same place after
// us keeps it: ours is then left in the chain. The system may set the tags anew: looked after by
// Keep.
// Context: OnWrite: any thread. The rest: collector
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/model/outcome.h"
#include "src/model/trace_sections.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::tap {

// Reads what libcutils writes to the trace marker (AOSP 8 to 16, libcutils/trace-dev.cpp).
// Context: collector
// Whether this may be one, by its beginning. Context: any thread
bool IsSectionText(std::string_view text);

// Empty when it is none. The time is the caller's to set.
std::optional<model::TraceEvent> ParseSectionText(std::string_view text);

class SectionCapture {
 public:
  // Once per process. `loopers` must outlive it.
  void Start(WatchedLoopers* loopers);
  // Installs what is not, gives new watched threads their rings, looks after the tags; or, if not
  // `is_wanted`, undoes it.
  void Keep(bool is_wanted);

  // Null without Start.
  model::TraceSections Describe() const;

  // In the child of a fork: nothing is kept any more. Context: the only thread
  static void Forget();

 private:
  model::Outcome Install();
  void Undo();
  void KeepTags();

  WatchedLoopers* loopers_ = nullptr;
  model::Outcome installed_ = {model::Status::kTooEarly, "not tried yet"};
  const char* library_ = nullptr;  // the end of its path
  void* hold_ = nullptr;      // of dlopen; null where that is refused: a system's library stays
  uint64_t* tags_ = nullptr;  // libcutils' own: what it writes by
  uint64_t system_tags_ = 0;
};

}  // namespace stillframe::tap
