// SPDX-License-Identifier: Apache-2.0
// Facts of the install, the process and the device, for records, sessions and dumps. A fact that is
// not known is absent with the reason.
// Context: collector; reads files
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/omit_part.h"
#include "src/model/process.h"

namespace stillframe::context {

// A fact's name in files, its meaning, and the word of the setting `omit` that leaves it out.
struct IdentityRow {
  const char* name;
  const char* what;
  model::OmitPart omit;
};

// Order of the facts in files. Those without another source are annotations of the application.
constexpr IdentityRow kIdentityRows[] = {
    {"id", "INSTALL-STARTpPID: the install, or x; the process's start in ms since 1970; its pid",
     model::OmitPart::kContext},
    {"install", "Id that the application gave, or a random one kept in the dump folder",
     model::OmitPart::kInstall},
    {"package", "ApplicationInfo.packageName", model::OmitPart::kProcess},
    {"version_name", "Annotation of the application", model::OmitPart::kAnnotations},
    {"version_code", "As identify() has it, or ApplicationInfo", model::OmitPart::kContext},
    {"map_id", "Id of the R8 mapping; annotation of the application",
     model::OmitPart::kAnnotations},
    {"model", "Build.MODEL", model::OmitPart::kContext},
    {"api_level", "Build.VERSION.SDK_INT", model::OmitPart::kContext},
    {"security_patch", "Build.VERSION.SECURITY_PATCH", model::OmitPart::kContext},
    {"emulator", "1 on an emulator, by Build.HARDWARE; else 0", model::OmitPart::kContext},
    {"abi", "ABI of the process", model::OmitPart::kContext},
    {"art_build_id", "Build id of libart", model::OmitPart::kContext},
    {"library_build_id", "Build id of this library", model::OmitPart::kContext},
    {"oom_score_adj", "0: the foreground application; more: less important",
     model::OmitPart::kContext},
    {"cohort", "Group, control_percent, and the cohorts of settings documents",
     model::OmitPart::kContext},
    {"battery", "Annotation of the application", model::OmitPart::kAnnotations},
    {"thermal", "Annotation of the application", model::OmitPart::kAnnotations},
    {"network", "Annotation of the application", model::OmitPart::kAnnotations},
};
constexpr size_t kIdentityFacts = std::size(kIdentityRows);

class Identity {
 public:
  struct Setup {
    std::string folder;       // for the random install id; "": none
    std::string app_install;  // the application's id of the install; "": none
    int64_t app_version;      // below 0: unknown
    std::string abi;
    std::string art_build_id;
    std::string library_build_id;
    std::string cohort;
  };
  // Reads the install id, or makes it. Later calls keep the ids that files may already have.
  void Start(const Setup& setup);

  // Takes what it knows from facts of the runtime (groups "device" and "process").
  void TakeRuntimeFacts(const std::vector<model::ContextEntry>& facts);
  bool has_runtime_facts() const { return has_runtime_facts_; }

  // All facts, without those that `omit` (bits of OmitPart) leaves out.
  std::vector<model::ContextEntry> Describe(const model::Annotations& annotations,
                                            uint16_t omit) const;
  // "INSTALL-STARTpPID".
  std::string ProcessId(uint16_t omit) const;

 private:
  model::ContextEntry* Fact(std::string_view name);
  void ReadInstall(const Setup& setup);

  std::array<model::ContextEntry, kIdentityFacts> facts_;
  std::string install_;
  uint64_t start_ms_ = 0;
  bool has_runtime_facts_ = false;
};

// When process `pid` started, in ms since 1970, accurate to about 20 ms; 0: no such process, or a
// zombie.
uint64_t ProcessStartMs(int32_t pid);

}  // namespace stillframe::context
