// SPDX-License-Identifier: Apache-2.0
// Drives the step in front of all importers, the recognition and the reader that it chooses, over
// the files of tests/field. What was read must be judged, and what was refused says why.
#include <cstdint>
#include <cstdlib>

#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/input/recognition.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/words/wording.h"

using namespace stillframe;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  model::Document document;
  std::string notes;
  std::string error;
  const input::AnyImport import = {.options = {.max_samples = 4096}};
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (input::ImportAny(bytes, import, &document, &notes, &error) != error.empty()) std::abort();
  if (!error.empty()) return 0;
  input::CleanDocument(&document);
  if (words::Explain(judge::Judge(index::DumpIndex(document))).sentence.empty()) std::abort();
  return 0;
}
