// SPDX-License-Identifier: Apache-2.0
#include "src/collector/process.h"

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "src/collector/collector.h"
#include "src/context/identity.h"
#include "src/core/clock.h"
#include "src/settings/config.h"

namespace stillframe::collector {
namespace {

struct Process {
  settings::Configuration configuration;
  context::AnnotationStore annotations;
  FileNews dumps;
  FileNews records;
  Collector collector{{&configuration, &annotations, &dumps, &records}};
};

Process& Ours() {
  static auto* process = new Process;
  return *process;
}

}  // namespace

stillframe_status StartInProcess() {
  const stillframe_status status = Ours().collector.Start([] { Ours().collector.ForgetInChild(); });
  // Registered once, however often it is stopped and started.
  static std::atomic<bool> knows_of_exit{false};
  if (status == STILLFRAME_OK && !knows_of_exit.exchange(true))
    atexit([] { Ours().collector.AtExit(); });
  return status;
}

stillframe_status Configure(const char* name, const char* value) {
  if (name == nullptr || value == nullptr) return STILLFRAME_BAD_ARGUMENT;
  const stillframe_status status = Ours().configuration.Set(name, value);
  if (status == STILLFRAME_OK) Ours().collector.SettingsChanged();
  return status;
}

stillframe_status ConfigureDocument(std::string_view document) {
  const stillframe_status status = Ours().configuration.SetDocument(document);
  if (status == STILLFRAME_OK) Ours().collector.SettingsChanged();
  return status;
}

stillframe_status Identify(const char* install_id, int64_t version) {
  Ours().configuration.Identify(install_id == nullptr ? "" : install_id, version);
  Ours().collector.SettingsChanged();
  return STILLFRAME_OK;
}

void ConfigureByOptions(std::string_view options) {
  for (const model::NamedText& item : settings::ParseOptions(options))
    Ours().configuration.Set(item.name, item.value);
  Ours().collector.SettingsChanged();
}

bool IsStarted() { return Ours().collector.IsStarted(); }
uint32_t NewestDump() { return Ours().dumps.Newest(); }
stillframe_status AwaitDump(uint32_t number, uint32_t timeout_ms, std::string* path) {
  return Ours().dumps.Await(number, timeout_ms, path);
}

uint32_t NewestRecord() { return Ours().records.Newest(); }
stillframe_status AwaitRecord(uint32_t number, uint32_t timeout_ms, std::string* path) {
  return Ours().records.Await(number, timeout_ms, path);
}

stillframe_status WaitForStart(uint32_t timeout_ms) { return Ours().collector.Wait(timeout_ms); }
stillframe_status StopSampling() { return Ours().collector.SetStopped(true); }
stillframe_status ResumeSampling() { return Ours().collector.SetStopped(false); }
stillframe_status WatchThisLooper() { return Ours().collector.WatchLooper(); }
stillframe_status BeginBeat(const char* name) { return Ours().collector.BeginBeat(name); }
stillframe_status EndBeat() { return Ours().collector.EndBeat(); }
const char* StateText() { return Ours().collector.StateText(); }
const char* Group() { return Ours().collector.Group(); }

stillframe_status DumpOnRequest(uint32_t timeout_ms, std::string* path) {
  return Ours().collector.RequestDump(model::Trigger::kApi, timeout_ms, path);
}

stillframe_status Annotate(const char* name, const char* value) {
  return Ours().annotations.Set(name, value, core::MonotonicNs()) ? STILLFRAME_OK
                                                                  : STILLFRAME_BAD_ARGUMENT;
}

stillframe_status SetScene(const char* scene) {
  Ours().collector.SetScene(scene);
  return STILLFRAME_OK;
}

bool IsExitKnown(int32_t pid, uint64_t time_ms) {
  return Ours().collector.IsExitKnown(pid, time_ms);
}
void AddExit(model::SystemExit exit) { Ours().collector.AddExit(std::move(exit)); }
model::ProcessSummary OwnSummary() {
  const pid_t pid = getpid();
  return model::SummaryOf(context::ProcessStartMs(pid), pid);
}

}  // namespace stillframe::collector
