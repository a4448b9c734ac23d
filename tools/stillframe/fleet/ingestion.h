// SPDX-License-Identifier: Apache-2.0
// Adds records, sessions, dumps and other tools' files to a store. Adding a file again changes
// nothing, so a run that was killed is repeated as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tools/stillframe/fleet/cause_names.h"
#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/input/document_input.h"
#include "tools/stillframe/input/record_file.h"

namespace stillframe::fleet {

constexpr size_t kExamplesOfCause = 20;

struct Added {
  uint64_t records = 0;
  uint64_t sessions = 0;
  uint64_t dumps = 0;
  uint64_t forgotten = 0;  // left out: of installs that are to be forgotten
  uint64_t refused = 0;    // files that are none of these
};

struct IngestionOptions {
  std::vector<std::string> packages;  // the application's
  uint64_t now_ms = 0;                // since 1970
  const input::DocumentInput* documents = nullptr;
};

class Ingestion {
 public:
  Ingestion(Engine* engine, IngestionOptions options)
      : engine_(engine), options_(std::move(options)) {}

  // These return false if the store failed, see Engine::error(). Nothing that was committed is
  // lost then.
  bool Start();
  // `subject` names the file in complaints, `name` as an example. JSON lines are several files.
  bool Add(const std::string& subject, const std::string& name, std::string_view bytes);
  bool Commit();

  const Added& added() const { return added_; }

 private:
  struct Hang;
  bool AddOne(const std::string& subject, const std::string& name, std::string_view bytes);
  void AddHang(Hang hang, const std::string& name, std::string_view bytes);
  void AddSession(const input::SessionFile& session);
  void AddRecord(const std::string& subject, const std::string& name, std::string_view bytes,
                 const input::HangFile& record);
  void Name(const std::string& subject, const input::HangFile& record, model::Document* document,
            Hang* hang);
  bool AddDump(const std::string& subject, const std::string& name, std::string_view bytes);
  Signature SignatureOf(const CauseNames& names);
  bool IsForgotten(InstallKey install);
  bool IsExample(CauseHash cause, const std::string& id);
  // 0: the clock was wrong.
  uint64_t Trusted(uint64_t time_ms) const;

  Engine* engine_;
  IngestionOptions options_;
  Added added_;
  std::vector<HangRow> hangs_;
  std::vector<SessionRow> sessions_;
  std::vector<SignatureRow> signatures_;
  std::vector<ExampleRow> examples_;
  size_t example_bytes_ = 0;
  std::string lines_of_;  // the subject of the last JSON lines
  uint64_t lines_ = 0;    // read of it
  std::set<InstallKey> forgotten_;
  std::unordered_set<std::string> known_signatures_;     // with the names as written
  std::map<CauseHash, std::set<uint64_t>> examples_of_;  // hashes of ids, by cause
};

}  // namespace stillframe::fleet
