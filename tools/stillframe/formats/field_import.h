// SPDX-License-Identifier: Apache-2.0
// What other monitors of the main thread leave behind: Matrix's issues and BlockCanary's logs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::formats {

// All of these: false if the text is not of the form; then `*error` is one line, and the document
// is not to be used.

// One issue "Trace_EvilMethod" or a list of them, each with its fields beside or in "content". Of
// their stacks ("depth,id,count,ms" lines) each entry's own time is one sample. `methods` is
// Matrix's methodMapping.txt, or ""; ids that neither it nor the issue's "methods" name stay
// numbers. Its other texts become annotations. Source: Tencent/matrix 2.0, Issue.java,
// EvilMethodTracer.java, MethodItem.java.
bool ImportMatrixIssue(std::string_view text, std::string_view methods, model::Document* document,
                       std::string* error);

// A log of "name = value" lines with stacks of the main thread, each under its time; each stands
// for its part of the block, and the values become annotations. Source:
// markzhai/AndroidPerformanceMonitor 1.5, BlockInfo.java.
bool ImportBlockLog(std::string_view text, model::Document* document, std::string* error);

// What the system writes at an ANR: /data/anr/anr_* or traces.txt, or a bug report with it. The
// first process is taken. Its text is kept whole, for its stacks, owners of locks and CPU times.
// Source: AOSP 8 to 16, ActivityManagerService.java, StackTracesDumpHelper.java, art/runtime:
// SignalCatcher::Output, Thread::DumpState.
bool ImportAnrTraces(std::string_view text, model::Document* document, std::string* error);

// Old data as documents: preorder text and collapsed stacks.
// What the number behind a collapsed stack counts.
enum class CountUnit : uint8_t { kSamples, kMicroseconds };

struct ImportOptions {
  CountUnit unit = CountUnit::kSamples;
  uint32_t interval_us = 10'000;  // that a sample stands for, where the text counts samples
  uint32_t max_samples = 1U << 20;
};

// Both give the document one message, token 1, with one tree. False if the text is not of the form:
// then
// `*error` is one line with the offset, and the document is not to be used.

// See tools/stillframe/index/preorder_text.h.
bool ImportPreorderText(std::string_view text, const ImportOptions& options,
                        model::Document* document, std::string* error);

// Lines "frame;frame;frame count", outermost first, as formats::CollapsedStacks and
// stackcollapse-*.pl write them. Samples are in the order of the lines. Empty lines are skipped.
bool ImportCollapsed(std::string_view text, const ImportOptions& options, model::Document* document,
                     std::string* error);

}  // namespace stillframe::formats
