// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/document_input.h"

#include <filesystem>
#include <utility>

#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/input/archive.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/input/dump_time.h"
#include "tools/stillframe/input/record_file.h"
#include "tools/stillframe/input/zip_input.h"

namespace stillframe::input {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfinished = ".tmp";  // of a dump

std::vector<Input> Only(const std::string& path, dump::ReadResult result) {
  std::vector<Input> inputs(1);
  inputs[0] = {path, std::move(result)};
  return inputs;
}

dump::ReadResult ReadDumpBytes(std::string_view bytes) {
  return dump::ReadDump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

// Adds the context of the record to what was read of it.
void AddContext(const RecordFacts& facts, model::Document* document) {
  document->context.insert(document->context.end(), facts.context.begin(), facts.context.end());
}

// Reads the facts of a jank record as a dump. False if it is not a record, or has the system's
// traces in place of a dump.
bool ReadRecord(const std::string& text, RecordFacts* facts, dump::ReadResult* result) {
  if (!ReadFacts(text, facts) || !facts->traces.empty()) return false;
  if (facts->dump.empty()) {
    result->error = "this is a jank record without a dump; use 'stillframe janks'";
    return true;
  }
  *result = ReadDumpBytes(facts->dump);
  AddContext(*facts, &result->document);
  return true;
}

}  // namespace

std::string SubjectFor(const std::string& path) { return path == "-" ? "standard input" : path; }

bool IsDumpName(const std::string& path) {
  const fs::path name(path);
  return name.extension() == ".sfdump" ||
         (name.extension() == ".gz" && name.stem().extension() == ".sfdump");
}

bool DocumentInput::ReadMappings(const std::vector<std::string>& arguments,
                                 const naming::TextSet* class_names) {
  return names_.Read(files_, arguments, class_names, listener_);
}

bool DocumentInput::OpenSymbols(const std::vector<std::string>& folders) {
  if (folders.empty()) return true;
  for (const std::string& folder : folders) {
    std::error_code error;
    if (fs::is_directory(folder, error)) continue;
    listener_->Complain(folder, "not a folder; name one with unstripped libraries, or by build id");
    return false;
  }
  symbols_.emplace(folders);
  if (symbols_->files() != 0) return true;
  listener_->Complain(folders.front(),
                      "holds no ELF file; name a folder with unstripped libraries");
  return false;
}

bool DocumentInput::Import(const std::string& path, std::string bytes, AnyImport import,
                           model::Document* document, std::string* error) const {
  std::string notes;
  listener_->BeginWork("reading text, bytes", bytes.size());
  import.step = [this](uint64_t read) { listener_->Step(read);
};
const bool is_read = ImportAny(std::move(bytes), import, document, &notes, error);
listener_->EndWork();
if (is_read && !notes.empty()) listener_->Complain(SubjectFor(path), notes);
return is_read;
}  // namespace stillframe::input

dump::ReadResult DocumentInput::Read(const std::string& path, std::string bytes) const {
  dump::ReadResult result = ReadDumpBytes(bytes);
  if (result.status == dump::Status::kEmpty && fs::path(path).extension() == kUnfinished)
    result.error = "is empty: its process died while writing it; take another dump";
  RecordFacts facts;
  if (result.status != dump::Status::kNotADump || ReadRecord(bytes, &facts, &result)) return result;
  if (!facts.traces.empty()) bytes = std::move(facts.traces);
  model::Document document;
  std::string error;
  if (Import(path, std::move(bytes), {}, &document, &error)) {
    result = dump::ReadResult();
    result.document = std::move(document);
    AddContext(facts, &result.document);
  } else if (!IsDumpName(path)) {
    result.error = facts.context.empty() ? error
                                         : "this is a record with the system's traces, which hold "
                                           "no threads; use 'stillframe janks'";
  }
  return result;
}

std::vector<Input> DocumentInput::ReadFile(const std::string& path,
                                           bool (*may_be_dump)(const std::string& name)) const {
  std::string bytes;
  std::string error;
  const bool is_whole = ReadWhole(files_, path, dump::ReadLimits().max_file_bytes, &bytes, &error);
  if (is_whole && IsZip(bytes)) return ReadZip(path, bytes, may_be_dump, *this);
  dump::ReadResult result;
  if (is_whole) {
    result = Read(path, std::move(bytes));
  } else if (bytes.empty()) {
    result.status = dump::Status::kCannotRead;
    result.error = error;
  } else {
    // The bytes that were read of a damaged file may be a dump that can be read in part.
    result = ReadDumpBytes(bytes);
    RecordFacts facts;
    if (result.status == dump::Status::kNotADump) ReadRecord(bytes, &facts, &result);
    result.error = error;
    if (result.readable()) {
      result.status = dump::Status::kDamaged;
      result.document.damage.insert(result.document.damage.begin(), error);
    }
  }
  return Only(path, std::move(result));
}

bool DocumentInput::Prepare(const std::string& path, model::Document* document) const {
  const std::string subject = SubjectFor(path);
  RestoreTime(document);
  index::NameSystemMessages(document);
  if (symbols_) {
    const naming::NativeNames names = naming::NameNativeFrames(*symbols_, document);
    std::string list;
    for (const std::string& library : names.missing) list += (list.empty() ? "" : ", ") + library;
    if (!list.empty())
      listener_->Complain(
          subject,
          "has native frames of libraries that the folders of --symbols lack; add them: " + list);
  }
  const bool is_named = names_.Apply(subject, document, listener_);
  CleanDocument(document);
  return is_named;
}

}  // namespace stillframe::input
