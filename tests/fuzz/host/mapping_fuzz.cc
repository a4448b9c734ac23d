// SPDX-License-Identifier: Apache-2.0
// Drives the mapping reader with any bytes, cut into blocks, and restores a document with what it
// read.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tools/stillframe/naming/document_names.h"

namespace {

using namespace stillframe;

model::Document Obfuscated() {
  model::Document document;
  model::TraceTree tree(Token{1});
  std::vector<model::FrameId> stack;
  for (const char* class_name : {"a", "b", "a.b", "c"}) {
    for (const char* method : {"a", "b"}) {
      for (const int32_t line : {model::kLineNative, model::kLineUnknown, 0, 1, 4, 27}) {
        stack.push_back(
            document.frames.InternFrame(class_name, method, line == 4 ? "(La;I[Lb;)V" : "([[",
                                        "r8-map-id-1234567", line, model::FrameKind::kInterpreted));
        tree.Add(stack, {static_cast<uint32_t>(stack.size()), 1, 0, model::ThreadState::kRunnable});
      }
    }
    stack.clear();
  }
  document.trees.push_back(std::move(tree));
  return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t block = size_t{data[0]} + 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  model::Document document = Obfuscated();
  document.signal_catcher = {
      "", "", 0, "  at a.a(r8-map-id-1234567:4)\n  - locked <0> (a b)\n" + std::string(text)};
  const naming::TextSet wanted = naming::ClassNames(document);
  naming::Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  bool is_read = true;
  for (size_t i = 0; i < text.size() && is_read; i += block)
    is_read = reader.Feed(text.substr(i, block));
  if (!is_read || !reader.Finish()) {
    if (reader.error().empty()) std::abort();
    return 0;
  }
  const std::vector<const naming::Mapping*> mappings = {&mapping};
  const uint32_t samples = document.trees[0].sample_count();
  naming::RestoreNames(mappings, &document);
  if (document.trees[0].sample_count() != samples) std::abort();
  return 0;
}
