// SPDX-License-Identifier: Apache-2.0
// Any file that somebody hands over, recognised by its content and read.
#pragma once

#include <string>
#include <string_view>

#include "src/model/document.h"
#include "tools/stillframe/input/field_import.h"

namespace stillframe::input {

enum class Form : uint8_t {
  kTraces,       // of ART or Dalvik, alone or within a bug report
  kFrames,       // of one thread, without its head
  kMatrix,       // issues, JSON
  kBlockCanary,  // logs of blocks
  kPreorder,     // "frame;count;offset;children;"
  kCollapsed,    // "frame;frame count"
  kUnreadable,   // known, but without stacks that can be read
  kUnknown,
};

struct Recognition {
  Form form = Form::kUnknown;
  // For kUnreadable and kUnknown: what the text is, and what to give instead.
  std::string refusal = {};
};

// `text`: after Unwrap.
Recognition Recognise(std::string_view text);

struct AnyImport {
  ImportOptions options = {};
  std::string format = {};   // "traces" and the like; "": recognised
  std::string methods = {};  // Matrix's methodMapping.txt
  ReadStep step = {};        // of a long read
};

// Undoes pasting, recognises the text and reads it. `*notes`: what was removed or not understood,
// one line, or "". False with one line in `*error`; the document is then unusable.
bool ImportAny(std::string bytes, const AnyImport& import, model::Document* document,
               std::string* notes, std::string* error);

}  // namespace stillframe::input
