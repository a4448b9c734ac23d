// SPDX-License-Identifier: Apache-2.0
// From libart's table of imports to an amended dump.
#include "src/collector/catcher_traces.h"

#include "src/art/signal_catcher.h"
#include "src/os/log.h"
#include "src/sigquit/catcher_output.h"

namespace stillframe::collector {

void CatcherTraces::HookSignalCatcher(bool is_wanted, const core::Waker* waker) {
  absent_ = "switched off by STILLFRAME_COPY_TRACES=0";
  if (!is_wanted) return;
  const art::CatcherCall output = art::FindTraceOutput();
  absent_ = "this build of ART does not hand its traces to libartpalette";
  if (output.function == 0) return;
  absent_ = "libart's table of calls cannot be written to";
  if (art::Replace(output, sigquit::CatcherOutput::Replacement(output.function, waker)))
    absent_.clear();
}

std::string CatcherTraces::WhyAbsent() const {
  return absent_.empty() ? "they were not there when this dump was written" : absent_;
}

void CatcherTraces::Expect(unsigned arrival) {
  path_.clear();
  if (absent_.empty()) sigquit::CatcherOutput::Expect(arrival);
}

void CatcherTraces::BelongTo(const std::string& path) {
  if (absent_.empty()) path_ = path;
}

void CatcherTraces::AddToDump(dump::Writer* writer) {
  model::SignalCatcherText traces;
  if (path_.empty() || !sigquit::CatcherOutput::Take(&traces.text, &traces.full_bytes)) return;
  traces.source = "PaletteWriteCrashThreadStacks";
  const dump::WriteResult result = writer->Amend({.signal_catcher = &traces}, path_.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, path_).c_str());
  path_.clear();
}

}  // namespace stillframe::collector
