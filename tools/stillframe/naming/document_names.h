// SPDX-License-Identifier: Apache-2.0
// Restores the names that R8 or ProGuard removed from a dump.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::naming {

// Class names in a document's frames, descriptors, messages and thread stacks. The mappings are
// read for these only.
TextSet ClassNames(const model::Document& document);

// Whether two ids of R8 mappings are one. Either may be a prefix of the other: a mapping file, a
// source file and a record have it in different lengths.
bool IsSameMapId(std::string_view a, std::string_view b);

// Result of the restoration.
struct RestoreResult {
  uint64_t frames_named = 0;   // frames whose class a mapping knows
  bool knows_a_class = false;  // a mapping knows a class of a frame or of another place
  // Frames with an original class and an obfuscated method, as another retrace tool leaves them
  // where no range of the mapping holds the line. They keep their names and lose the line.
  uint64_t half_restored = 0;
  // Ids of "r8-map-id-..." (R8's replacement for source files) without a matching mapping. Their
  // frames keep their names.
  std::vector<std::string> unknown_map_ids;
};

// The first of several mappings that know a class is used. A frame with a map id uses only the
// mapping with that id. Samples keep their number, times and weights. A stack of compiler-generated
// frames only becomes empty.
RestoreResult RestoreNames(std::span<const Mapping* const> mappings, model::Document* document);

}  // namespace stillframe::naming
