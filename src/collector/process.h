// SPDX-License-Identifier: Apache-2.0
// The process's one collector, for the C API. It is never destroyed: signal handlers may outlive
// main.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <stillframe/profiler.h>

#include "src/model/system_exit.h"

namespace stillframe::collector {

// Like the functions of profiler.h with these names.
stillframe_status Configure(const char* name, const char* value);
stillframe_status ConfigureDocument(std::string_view document);
stillframe_status Identify(const char* install_id, int64_t version);
// "name=value,name=value", from an agent.
void ConfigureByOptions(std::string_view options);
stillframe_status StartInProcess();  // also registers for the end of the process
stillframe_status WaitForStart(uint32_t timeout_ms);
stillframe_status StopSampling();
stillframe_status ResumeSampling();
stillframe_status WatchThisLooper();
stillframe_status BeginBeat(const char* name);
stillframe_status EndBeat();
const char* StateText();
const char* Group();
bool IsStarted();
uint32_t NewestDump();
stillframe_status AwaitDump(uint32_t number, uint32_t timeout_ms, std::string* path);
uint32_t NewestRecord();
stillframe_status AwaitRecord(uint32_t number, uint32_t timeout_ms, std::string* path);
stillframe_status DumpOnRequest(uint32_t timeout_ms, std::string* path);
stillframe_status Annotate(const char* name, const char* value);
stillframe_status SetScene(const char* scene);

// See Collector.
bool IsExitKnown(int32_t pid, uint64_t time_ms);
void AddExit(model::SystemExit exit);
model::ProcessSummary OwnSummary();

}  // namespace stillframe::collector
