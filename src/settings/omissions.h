// SPDX-License-Identifier: Apache-2.0
// The parts that a dump omits: words of STILLFRAME_OMIT (docs/production.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/omit_part.h"

namespace stillframe::settings {

using Part = model::OmitPart;

class Omissions {
 public:
  bool Has(Part part) const { return (bits_ & model::BitOf(part)) != 0; }
  void Add(Part part) { Add(model::BitOf(part)); }
  void Add(const Omissions& more) { Add(more.bits_); }
  bool Covers(const Omissions& others) const { return (others.bits_ & ~bits_) == 0; }

  // A bit for each word: model::BitOf.
  uint16_t bits() const { return bits_; }

  // Adds `words`, separated by commas. Returns the unknown ones.
  std::vector<std::string> AddWords(std::string_view words);

  // The words, separated by commas, in the order of Part.
  std::string Words() const;

 private:
  void Add(uint16_t bits) { bits_ = static_cast<uint16_t>(bits_ | bits); }

  uint16_t bits_ = 0;
};

// All words, separated by spaces.
std::string KnownParts();

}  // namespace stillframe::settings
