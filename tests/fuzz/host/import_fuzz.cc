// SPDX-License-Identifier: Apache-2.0
// Drives the importers. The first byte chooses: preorder text, collapsed samples, collapsed times,
// which must come out as the same text again; Matrix's issues, BlockCanary's logs, ANR traces,
// which must be judged.
#include <cstdint>
#include <cstdlib>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/input/recognition.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/words/wording.h"

namespace {

using namespace stillframe;

std::string Written(uint8_t choice, const model::Document& document) {
  if (choice == 0) return index::WritePreorderText(document.trees[0], document.frames);
  return exports::CollapsedStacks(
      document, std::nullopt,
      choice == 1 ? exports::CollapsedUnit::kSamples : exports::CollapsedUnit::kMicroseconds);
}

bool Import(uint8_t choice, std::string_view text, model::Document* document) {
  const input::ImportOptions options = {
      .unit = choice == 2 ? input::CountUnit::kMicroseconds : input::CountUnit::kSamples,
      .max_samples = 4096};
  std::string notes;
  std::string error;
  const bool is_read =
      choice == 0   ? input::ImportPreorderText(text, options, document, &error)
      : choice == 3 ? input::ImportMatrixIssue(text, text, document, &notes, &error)
      : choice == 4 ? input::ImportBlockLog(text, document, &notes, &error)
      : choice == 5
          ? input::ImportAny(std::string(text), {.options = options}, document, &notes, &error)
          : input::ImportCollapsed(text, options, document, &notes, &error);
  if (is_read != error.empty()) std::abort();
  return is_read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t choice = data[0] % 6;
  model::Document document;
  if (!Import(choice, {reinterpret_cast<const char*>(data) + 1, size - 1}, &document)) return 0;
  if (choice >= 3) {
    input::CleanDocument(&document);
    if (words::Explain(judge::Judge(index::DumpIndex(document))).sentence.empty()) std::abort();
    return 0;
  }
  const std::string written = Written(choice, document);
  model::Document again;
  if (!Import(choice, written, &again) || Written(choice, again) != written) std::abort();
  return 0;
}
