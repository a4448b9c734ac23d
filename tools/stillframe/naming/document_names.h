// SPDX-License-Identifier: Apache-2.0
// Gives a dump back the names that R8 or ProGuard took from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::naming {

// The class names of a document's frames, descriptors, messages and thread stacks: what its
// mappings are read for.
TextSet ClassNames(const model::Document& document);

// What came of it.
struct RestoreResult {
  uint64_t frames_named = 0;  // frames whose class a mapping knew
  // Of "r8-map-id-...", R8's mark in place of source files, those that no mapping answers to. Their
  // frames keep their names.
  std::vector<std::string> unknown_map_ids;
};

// Of several mappings that know a class the first is taken; frames that carry a map id take the
// mapping with that id only. Samples keep their number, times and weights; a stack that had only
// frames of the compiler becomes empty.
RestoreResult RestoreNames(std::span<const Mapping* const> mappings, model::Document* document);

}  // namespace stillframe::naming
