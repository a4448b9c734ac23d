// SPDX-License-Identifier: Apache-2.0
// Damaged dumps: sections recombined with content of other sections under right checksums, and
// bytes changed at random.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/model/document.h"

namespace stillframe::host_test {

using Bytes = std::vector<uint8_t>;

struct Part {
  uint32_t kind = 0;  // of a section
  Bytes payload;      // inflated
};

// The dump's sections without the end section.
std::vector<Part> PartsOf(std::span<const uint8_t> dump);
// The sections as a file, with an end section.
Bytes FileOf(std::span<const Part> parts);

// `document` as the real writer writes it.
Bytes Written(const model::Document& document);

// `dump` damaged in a way that `seed` chooses: bits, stretches, cuts, sections lost, emptied, cut,
// exchanged, or with other content.
Bytes Damaged(std::span<const uint8_t> dump, uint64_t seed);

}  // namespace stillframe::host_test
