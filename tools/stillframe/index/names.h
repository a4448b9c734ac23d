// SPDX-License-Identifier: Apache-2.0
// What the enumerations of a dump are called in every output that programs read.
#pragma once

#include <string_view>

#include "src/model/document.h"

namespace stillframe::index {

// "sigquit", "long-message", ...
std::string_view TriggerName(model::Trigger trigger);

// "timed-waiting", ...
std::string_view StateName(trace::ThreadState state);

// "quick", "frozen", ...
std::string_view SpanKindName(model::SpanKind kind);

// "idle-handler", ...; "" for a message.
std::string_view SegmentName(model::Segment segment);
// "idle handler", ..., for a person; a word for those that no stack tells, too.
std::string_view SegmentText(model::Segment segment);

// "traversal", ...; "" for what is not a frame.
std::string_view StageName(model::FrameStage stage);

}  // namespace stillframe::index
