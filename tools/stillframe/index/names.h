// SPDX-License-Identifier: Apache-2.0
// What the enumerations of a dump are called in every output that programs read.
#pragma once

#include <string_view>

#include "src/model/document.h"

namespace stillframe::index {

// "sigquit", "long-message", ...
std::string_view NameOf(model::Trigger trigger);

// "timed-waiting", ...
std::string_view NameOf(trace::ThreadState state);

// "stood-still", ...
std::string_view NameOf(model::StackSource source);

// "monitor", ...; "none" when it waits for nothing that is known.
std::string_view NameOf(model::WaitKind kind);

// "quick", "frozen", ...
std::string_view NameOf(model::SpanKind kind);

// "idle-handler", ...; "" for a message.
std::string_view NameOf(model::Segment segment);
// "idle handler", ..., for a person; a word for those that no stack tells, too.
std::string_view SegmentText(model::Segment segment);

// "traversal", ...; "" for what is not a frame.
std::string_view NameOf(model::FrameStage stage);

// "begin", "async-end", ...
std::string_view NameOf(model::TraceEventKind kind);

// "absent", "text" or "number".
std::string_view NameOf(model::ContextEntry::State state);

}  // namespace stillframe::index
