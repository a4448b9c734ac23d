// SPDX-License-Identifier: Apache-2.0
// Files, folders and archives of a fleet's records on their way into a store.
#pragma once

#include <filesystem>
#include <string>

#include "tools/stillframe/fleet/ingestion.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/name_files.h"
#include "tools/stillframe/verbs/output.h"

namespace stillframe::verbs {

// False for the other files of a web server or a device.
bool MayBeRecord(const std::filesystem::path& path);

// "added 3 records, 2 sessions and 1 dump", and what was left out.
std::string AddedText(const fleet::Added& added);

// Milliseconds since 1970.
uint64_t NowMs();

class FleetInput {
 public:
  FleetInput(const DumpOptions& options, const NameFiles& names)
      : options_(options), names_(names), progress_("reading files", 0) {}

  // They refer to this object.
  fleet::IngestionOptions Options();

  // Adds a file, or those in an archive. False if the store failed.
  bool AddPath(const std::string& path, fleet::Ingestion* ingestion);

  // Complained about something.
  bool has_trouble() const { return has_trouble_; }

 private:
  void Trouble(const std::string& subject, const std::string& what);

  const DumpOptions& options_;
  const NameFiles& names_;
  Progress progress_;
  bool has_trouble_ = false;
};

}  // namespace stillframe::verbs
