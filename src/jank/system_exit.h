// SPDX-License-Identifier: Apache-2.0
// How the system says that an earlier process ended (ApplicationExitInfo, API 30 on), joined with
// the record that this process left. An ANR without a record leaves one with the system's own
// stacks.
//
// The process is found by pid and by the start that its summary has (setProcessStateSummary).
// Without our summary it is the last one of this pid that started before the exit. The record is
// the one of the hang that ran, or for an ANR the process's last one of a hang. No time between
// hang and exit decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/context/identity.h"
#include "src/jank/spool.h"
#include "src/model/system_exit.h"
#include "src/settings/config.h"

namespace stillframe::jank {

// Whether this exit needs no further look: it is in the folder's list.
// Context: any thread; reads a file
bool IsExitKnown(const std::string& folder, int32_t pid, uint64_t time_ms);

// Joins the exit and adds it to the folder's list. `*path`: the record that was written; "": the
// exit is of no interest. kBusy: try again.
SpoolResult JoinExit(const settings::Config& config, const context::Identity& identity,
                     const model::SystemExit& exit, std::string* path);

}  // namespace stillframe::jank
