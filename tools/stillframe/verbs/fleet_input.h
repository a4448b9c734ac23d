// SPDX-License-Identifier: Apache-2.0
// Files, folders and archives of a fleet's records on their way into a store.
#pragma once

#include <filesystem>
#include <string>

#include "tools/stillframe/fleet/ingestion.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"

namespace stillframe::verbs {

// False for the other files of a web server or a device, in a folder or an archive.
bool MayBeRecord(const std::filesystem::path& path);

// "added 3 records, 2 sessions and 1 dump", and what was left out.
std::string AddedText(const fleet::Added& added);

// Milliseconds since 1970.
uint64_t NowMs();

class FleetInput {
 public:
  explicit FleetInput(const DumpOptions& options) : options_(options) {}

  // Complains and returns false if a mapping cannot be read.
  bool ReadMappings() { return documents_.ReadMappings(options_.mappings, nullptr); }

  // They refer to this object.
  fleet::IngestionOptions Options();

  // Adds a file, or those in an archive. False if the store failed.
  bool AddPath(const std::string& path, fleet::Ingestion* ingestion);

  // Complained about something.
  bool has_trouble() const { return listener_.has_trouble; }

 private:
  struct Troubles : TerminalListener {
    void Complain(const std::string& subject, const std::string& what) override {
      has_trouble = true;
      reading.Clear();
      TerminalListener::Complain(subject, what);
    }
    bool has_trouble = false;
    Progress reading{"reading files", 0};
  };

  const DumpOptions& options_;
  input::DiskFiles files_;
  Troubles listener_;
  input::DocumentInput documents_{files_, &listener_};
};

}  // namespace stillframe::verbs
