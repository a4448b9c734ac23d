// SPDX-License-Identifier: Apache-2.0
// Old data as documents: preorder text and collapsed stacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::imports {

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

// See tools/stillframe/preorder/preorder_text.h.
bool ImportPreorderText(std::string_view text, const ImportOptions& options,
                        model::Document* document, std::string* error);

// Lines "frame;frame;frame count", outermost first, as exports::CollapsedStacks and
// stackcollapse-*.pl write them. Samples are in the order of the lines. Empty lines are skipped.
bool ImportCollapsed(std::string_view text, const ImportOptions& options, model::Document* document,
                     std::string* error);

}  // namespace stillframe::imports
