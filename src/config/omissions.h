// SPDX-License-Identifier: Apache-2.0
// What a dump shall not carry: a set of words, as STILLFRAME_OMIT names them (docs/privacy.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::config {

enum class Part : uint8_t {
  kStacks,
  kMessages,
  kQueue,
  kThreads,
  kContext,
  kAnnotations,
  kReason,
  kProcess,
  kCount
};

class Omissions {
 public:
  bool Has(Part part) const { return (bits_ & BitOf(part)) != 0; }
  void Add(Part part) { bits_ |= BitOf(part); }
  void Add(const Omissions& more) { bits_ |= more.bits_; }
  bool Covers(const Omissions& others) const { return (others.bits_ & ~bits_) == 0; }

  // Adds what `words`, separated by commas, name; gives back those that name nothing.
  std::vector<std::string> AddWords(std::string_view words);

  // The words, separated by commas, in the order of Part.
  std::string Words() const;

 private:
  static uint32_t BitOf(Part part) { return uint32_t{1} << static_cast<unsigned>(part); }

  uint32_t bits_ = 0;
};

// All words, separated by blanks.
std::string KnownParts();

}  // namespace stillframe::config
