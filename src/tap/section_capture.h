// SPDX-License-Identifier: Apache-2.0
// Sections that the process writes to the trace marker, captured on watched threads.
//
// All writers end in libcutils: android.os.Trace, ATrace_beginSection, and ART through
// libartpalette (AOSP 8 to 15). libcutils calls write() with the marker's descriptor. We replace
// that import in libcutils' own table: our function keeps the text in the thread's ring, and
// forwards what the system's trace wants. Writers ask libcutils which tags are on, so ours are
// switched on there. All other writes are forwarded unchanged.
//
// Problem: a thread may be in our function when it is removed; another component may replace the
// same import after us; the system may reset the tags.
// Rule: our function stays loaded and forwards everything. libcutils is held while its table is
// ours. A later component keeps the import, with ours behind it. Keep restores the tags.
// Context: OnWrite: any thread. The rest: collector
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/model/outcome.h"
#include "src/model/trace_sections.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::tap {

// Parses what libcutils writes to the trace marker (AOSP 8 to 16, libcutils/trace-dev.cpp).
// Context: collector
// Whether this may be a section, by its first bytes. Context: any thread
bool IsSectionText(std::string_view text);

// Empty if it is not a section. The caller sets the time.
std::optional<model::TraceEvent> ParseSectionText(std::string_view text);

class SectionCapture {
 public:
  // Once per process. `loopers` must outlive this.
  void Start(WatchedLoopers* loopers);
  // If `is_wanted`: installs the function, gives new watched threads their rings, restores the
  // tags. Otherwise undoes it.
  void Keep(bool is_wanted);

  // Without rings before Start.
  model::TraceSections Describe() const;

  // In the child of a fork: keeps nothing from now on. Context: the only thread
  static void Forget();

 private:
  model::Outcome Install();
  void Undo();
  void KeepTags();

  WatchedLoopers* loopers_ = nullptr;
  model::Outcome installed_ = {model::Status::kTooEarly, "not tried yet"};
  const char* library_ = nullptr;  // the end of its path
  void* hold_ = nullptr;           // of dlopen; null if refused: a system library stays loaded
  uint64_t* tags_ = nullptr;       // libcutils' variable: enabled tags
  uint64_t system_tags_ = 0;
};

}  // namespace stillframe::tap
