// SPDX-License-Identifier: Apache-2.0
// The methods of QuickCode.java in this process: their ArtMethods, which calls which at which dex
// pc, and the machine code that replaces them.
// Context: an ART process, on an attached thread
#pragma once

#include <jni.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/testbed/oracle/art_oracle.h"
#include "tests/testbed/quick_code/code_area.h"
#include "tests/testbed/quick_code/compiled_method.h"

namespace testbed::quick_code {

// The numbers that QuickCode.java calls methods by.
enum Kind : uint32_t {
  kProbe,
  kPlain,
  kLarge,
  kAhead,
  kJust,
  kNterp,
  kInterpreted,
  kThrough,
  kLeaf,
  kSpilling,
  kThrower,
  kRoot,  // calls the first of each chain
  kKinds,
};

struct Installed {
  Kind kind;
  uintptr_t entry;
  CompiledMethod method;
};

struct ReleaseFacts;

class Fixture {
 public:
  // Looks the methods up. False when one is missing.
  bool Open(JNIEnv* env, jclass type);

  // Notes the dex pc of each call on `stack`, innermost first.
  void Learn(const std::vector<OracleFrame>& stack);

  // Replaces the methods by machine code and sends kInterpreted through the interpreter. False,
  // with a line in `why`, when something is not as the release is known to have it.
  bool Install(int release, JavaVM* vm, std::string* why);

  uint64_t MethodOf(Kind kind) const { return methods_[kind]; }
  jmethodID IdOf(Kind kind) const { return ids_[kind]; }
  // Once installed:
  uintptr_t EntryOf(Kind kind) const;
  bool HasNterp() const { return EntryOf(kNterp) != EntryOf(kInterpreted); }
  // Where the dex instructions of a method with code begin.
  uintptr_t InstructionsOf(uint64_t method) const;
  const std::vector<Installed>& installed() const { return installed_; }

 private:
  std::optional<uint32_t> DexPc(uint64_t caller, uint64_t callee) const;
  std::vector<CallSite> SitesOf(uint64_t caller) const;
  std::vector<CallSite> InlinedSites(uint64_t outer, uint64_t inner, uint64_t innermost,
                                     std::optional<uint32_t> index_at) const;
  bool Put(int release, Kind kind, const CompiledMethod& method);

  std::array<jmethodID, kKinds> ids_ = {};
  std::array<uint64_t, kKinds> methods_ = {};
  std::map<std::string, uint64_t> inner_;                      // the methods that others inline
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> dex_pcs_;  // {caller, callee}
  std::vector<Installed> installed_;
  const ReleaseFacts* facts_ = nullptr;
  CodeArea area_{1U << 16};
};

const char* NameOf(Kind kind);

}  // namespace testbed::quick_code
