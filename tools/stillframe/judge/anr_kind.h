// SPDX-License-Identifier: Apache-2.0
// Which of Android's time limits expired.
#pragma once

#include <optional>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Uses the system's own reason, else the waiting system message.
// Source of the reasons: AOSP 8 to 16, services/core/java/com/android/server/am/{ActiveServices,
// BroadcastQueue,ContentProviderHelper}.java, job/JobServiceContext.java and, since 14,
// core/java/com/android/internal/os/TimeoutRecord.java.
// Source of the limits, whose texts are in words/known_texts.cc: am/ActivityManagerService.java,
// am/ActiveServices.java and wm/ActivityTaskManagerService.java of 11, unless a line names another
// release. Returns nothing if the system named no ANR and no waiting message indicates one.
std::optional<judge::Anr> FindAnr(const index::DumpIndex& index, const index::Window& window);

}  // namespace stillframe::judge
