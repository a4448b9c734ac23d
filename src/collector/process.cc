// SPDX-License-Identifier: Apache-2.0
#include "src/collector/process.h"

#include <stdlib.h>

#include <atomic>

#include "src/collector/collector.h"
#include "src/core/clock.h"
#include "src/settings/config.h"

namespace stillframe::collector {
namespace {

Collector& OfProcess() {
  static auto* collector = new Collector;
  return *collector;
}

}  // namespace

stillframe_status StartInProcess() {
  const stillframe_status status = OfProcess().Start([] { OfProcess().ForgetInChild(); });
  // Once, however often it is stopped and started again.
  static std::atomic<bool> knows_of_exit{false};
  if (status == STILLFRAME_OK && !knows_of_exit.exchange(true))
    atexit([] { OfProcess().AtExit(); });
  return status;
}

stillframe_status Configure(const char* name, const char* value) {
  if (name == nullptr || value == nullptr) return STILLFRAME_BAD_ARGUMENT;
  const stillframe_status status = OfProcess().configuration().Set(name, value);
  if (status == STILLFRAME_OK) OfProcess().SettingsChanged();
  return status;
}

stillframe_status ConfigureDocument(std::string_view document) {
  const stillframe_status status = OfProcess().configuration().SetDocument(document);
  if (status == STILLFRAME_OK) OfProcess().SettingsChanged();
  return status;
}

stillframe_status Identify(const char* install_id, int64_t version) {
  OfProcess().configuration().Identify(install_id == nullptr ? "" : install_id, version);
  OfProcess().SettingsChanged();
  return STILLFRAME_OK;
}

void ConfigureByOptions(std::string_view options) {
  for (const model::NamedText& item : settings::ItemsOfOptions(options))
    OfProcess().configuration().Set(item.name, item.value);
  OfProcess().SettingsChanged();
}

bool IsStarted() { return OfProcess().IsStarted(); }
uint32_t NewestDump() { return OfProcess().dump_news().Newest(); }
stillframe_status AwaitDump(uint32_t number, uint32_t timeout_ms, std::string* path) {
  return OfProcess().dump_news().Await(number, timeout_ms, path);
}

uint32_t NewestRecord() { return OfProcess().record_news().Newest(); }
stillframe_status AwaitRecord(uint32_t number, uint32_t timeout_ms, std::string* path) {
  return OfProcess().record_news().Await(number, timeout_ms, path);
}

stillframe_status WaitForStart(uint32_t timeout_ms) { return OfProcess().Wait(timeout_ms); }
stillframe_status StopSampling() { return OfProcess().SetStopped(true); }
stillframe_status ResumeSampling() { return OfProcess().SetStopped(false); }
stillframe_status WatchThisLooper() { return OfProcess().WatchLooper(); }
const char* StateText() { return OfProcess().StateText(); }
const char* Group() { return OfProcess().Group(); }

stillframe_status DumpOnRequest(uint32_t timeout_ms, std::string* path) {
  return OfProcess().RequestDump(model::Trigger::kApi, timeout_ms, path);
}

stillframe_status Annotate(const char* name, const char* value) {
  return OfProcess().annotations().Set(name, value, core::MonotonicNs()) ? STILLFRAME_OK
                                                                         : STILLFRAME_BAD_ARGUMENT;
}

stillframe_status SetScene(const char* scene) {
  OfProcess().SetScene(scene);
  return STILLFRAME_OK;
}

}  // namespace stillframe::collector
