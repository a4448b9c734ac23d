// SPDX-License-Identifier: Apache-2.0
// Sections of the trace marker for the documents of the tests.
#include "tests/host/sample_documents.h"

namespace stillframe::host_test {

void AddSections(model::Document* document) {
  using Kind = model::TraceEventKind;
  const uint64_t end_ns = document->taken_monotonic_ns;
  const auto before = [end_ns](uint64_t ms) { return end_ns - ms * 1'000'000; };
  document->sections = {
      "",
      {{0,
        12,
        {{before(12'000), Kind::kEnd, 0, "", ""},
         {before(6'890), Kind::kAsyncBegin, 7, "download", ""},
         {before(6'880), Kind::kBegin, 0, "inflate feed", ""},
         {before(6'700), Kind::kBegin, 0,
          "monitor contention with owner loader (4750) at void fixture.Store.load()", ""},
         {before(6'400), Kind::kEnd, 0, "", ""},
         {before(6'300), Kind::kCounter, -3, "images", ""},
         {before(5'720), Kind::kEnd, 0, "", ""},
         {before(5'000), Kind::kAsyncEnd, 7, "download", ""},
         {before(4'990), Kind::kInstant, 0, "drawn", "screen"},
         {before(2'900), Kind::kBegin, 0, "checkout", ""},
         {before(2'500), Kind::kBegin, 0, "total", ""}}}}};
}

}  // namespace stillframe::host_test
