// SPDX-License-Identifier: Apache-2.0
// Imports files of other monitors of the main thread: Matrix's issues and BlockCanary's logs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::input {

// All return false if the text has another form. Then `*error` is one line, and the document is
// unusable. Parts that cannot be read are left out, with a note in `*notes`, if others can.

// Issues anywhere in the text: one, a list, one a line, or within a log. Each has its fields beside
// or in "content", an object or a string. In "stack" ("depth,id,count,ms" lines), each entry's own
// time is one sample. "threadStack" becomes the main thread's stack. `methods` is Matrix's
// methodMapping.txt, or ""; ids without a name in it or in the issue's "methods" stay numbers. Its
// other texts become annotations. Source: Tencent/matrix 2.0, Issue.java, EvilMethodTracer.java,
// MethodItem.java, SignalAnrTracer.java.
bool ImportMatrixIssue(std::string_view text, std::string_view methods, model::Document* document,
                       std::string* notes, std::string* error);

// Logs of blocks, one message each: "name = value" lines with stacks of the main thread, each below
// its time. Each stack covers its part of the block. The values become annotations. Source:
// markzhai/AndroidPerformanceMonitor 1.5, BlockInfo.java, LogWriter.java.
bool ImportBlockLog(std::string_view text, model::Document* document, std::string* notes,
                    std::string* error);

// Called with the count of bytes read since the last call.
using ReadStep = std::function<void(uint64_t bytes)>;

// The system's files of an ANR in all forms: /data/anr/anr_* or traces.txt, a bug report, Play
// Console's and Crashlytics' texts, ApplicationExitInfo, Dalvik's. Reads the process of the ANR.
// `*notes` gets what was not understood. Source: AOSP 8 to 16, ActivityManagerService.java,
// StackTracesDumpHelper.java, dumpstate.cpp.
bool ImportAnrTraces(std::string_view text, model::Document* document, std::string* notes,
                     std::string* error, const ReadStep& step = {});

// Name of the annotation with a time whose zone is not written: "2014-06-01 10:00:01".
constexpr const char* kTimeAsWritten = "time as written";

// Preorder text and collapsed stacks as documents.
// The number after a collapsed stack.
enum class CountUnit : uint8_t { kSamples, kMicroseconds };

struct ImportOptions {
  CountUnit unit = CountUnit::kSamples;
  uint32_t interval_us = 10'000;  // weight of a sample, if the text counts samples
  uint32_t max_samples = 1U << 20;
};

// Both give the document one message, token 1, with one tree. False if the text has another form.
// Then `*error` is one line with the offset, and the document is unusable.

// See tools/stillframe/index/preorder_text.h.
bool ImportPreorderText(std::string_view text, const ImportOptions& options,
                        model::Document* document, std::string* error);

// Lines "frame;frame;frame count", outermost first, as CollapsedStacks and
// stackcollapse-*.pl write them. Samples follow the order of the lines. Empty lines and lines with
// count 0 are skipped, and a last line without a count, if there are others. Frames may have a
// place, "app.Feed.sort(Feed.java:88)", and async-profiler's marks: "java/lang/Thread.run_[j]".
bool ImportCollapsed(std::string_view text, const ImportOptions& options, model::Document* document,
                     std::string* notes, std::string* error);

}  // namespace stillframe::input
