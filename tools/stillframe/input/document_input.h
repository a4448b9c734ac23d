// SPDX-License-Identifier: Apache-2.0
// The way in: bytes of any origin become one clean, named document. `report`, `store add`, `import`
// and programs that use this library take the same way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/dump/reader.h"
#include "src/model/document.h"
#include "tools/stillframe/input/byte_source.h"
#include "tools/stillframe/input/listener.h"
#include "tools/stillframe/input/name_files.h"
#include "tools/stillframe/input/recognition.h"
#include "tools/stillframe/naming/native_names.h"

namespace stillframe::input {

// A document as it was read, before DocumentInput::Prepare.
struct Input {
  std::string path = {};  // of a file in a zip: "ZIP: FILE"
  dump::ReadResult result;
};

// Dumps by name.
bool IsDumpName(const std::string& path);

class DocumentInput {
 public:
  // They must outlive this object.
  DocumentInput(const Files& files, Listener* listener) : files_(files), listener_(listener) {}

  // Mapping files (NameFiles::Read), and folders with unstripped libraries. Both complain and
  // return false if they cannot be used.
  bool ReadMappings(const std::vector<std::string>& arguments, const naming::TextSet* class_names);
  bool OpenSymbols(const std::vector<std::string>& folders);

  // Reads a dump, the facts of a record, or another tool's file. `path` names it in complaints.
  dump::ReadResult Read(const std::string& path, std::string bytes) const;

  // Reads a file; of a zip, what it holds. `may_be_dump` chooses by the name in it. Never empty: if
  // nothing could be read, one input has the error.
  std::vector<Input> ReadFile(const std::string& path,
                              bool (*may_be_dump)(const std::string& name)) const;

  // Reads another tool's file. False, and an error, if it cannot be read.
  bool Import(const std::string& path, std::string bytes, AnyImport import,
              model::Document* document, std::string* error) const;

  // Makes a document that was read ready for index, judge and exports: restores time and names,
  // and cleans texts. Complains and returns false if a mapping does not fit; the names are then as
  // they were.
  bool Prepare(const std::string& path, model::Document* document) const;

  // To the listener.
  void Complain(const std::string& subject, const std::string& what) const {
    listener_->Complain(subject, what);
  }

 private:
  const Files& files_;
  Listener* listener_;
  NameFiles names_;
  std::optional<naming::SymbolFolders> symbols_;
};

// "standard input" for "-", else the path.
std::string SubjectFor(const std::string& path);

}  // namespace stillframe::input
