// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/ingestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "src/dump/reader.h"
#include "src/model/context_names.h"
#include "tools/stillframe/fleet/changes.h"
#include "tools/stillframe/fleet/hash.h"
#include "tools/stillframe/fleet/judged_names.h"
#include "tools/stillframe/fleet/rows.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/input/archive.h"
#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::fleet {
namespace {

using input::Facts;

constexpr size_t kBatch = 4'000;
constexpr size_t kBatchBytes = 16 << 20;
constexpr size_t kMaxFact = 200;
constexpr size_t kMostFacts = 40;
constexpr uint64_t kDayMs = 86'400'000;

Day DayOf(uint64_t time_ms) { return Day{static_cast<int64_t>(time_ms / kDayMs)}; }

// Facts with a column, and ids, which are kept in one place only so that they can be forgotten.
constexpr std::array<std::string_view, 10> kNotOther = {
    "id",      "install", "package", "version_name", "version_code",
    "process", "machine", "model",   "scene",        "api_level"};

std::string OtherFacts(const Facts& facts) {
  std::string out;
  size_t count = 0;
  for (const auto& [name, value] : facts) {
    if (std::ranges::find(kNotOther, name) != kNotOther.end() || value.empty()) continue;
    if (++count > kMostFacts) break;
    out +=
        fmt::format("{}={}\n", index::Truncated(name, kMaxFact), index::Truncated(value, kMaxFact));
  }
  return out;
}

std::string Fact(const Facts& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : index::Truncated(found->second, kMaxFact);
}

int64_t NumberFact(const Facts& facts, const char* name) {
  return Cell{.text = Fact(facts, name)}.Integer();
}

// The highest version of a key counts: the later revision, then the one with more
// facts. A hash makes the choice the same in whatever order they come.
RowVersion VersionOf(uint64_t revision, size_t facts_size, std::string_view bytes) {
  constexpr uint64_t kMost = (1 << 20) - 1;
  const uint64_t version = std::min(revision, kMost) << 43 |
                           std::min<uint64_t>(facts_size, kMost) << 23 | HashOfBytes(bytes) >> 41;
  return RowVersion{static_cast<int64_t>(version)};
}

// "INSTALL-STARTpPID" of "INSTALL-STARTpPID-TOKEN".
std::string SessionOf(const std::string& id) { return id.substr(0, id.rfind('-')); }

// Beginnings of sessions without an install: one that was left out of its record, and sessions made
// up for a record without an id, for a process and for a file.
constexpr const char* kOfRecord = "record-";
constexpr const char* kOfProcess = "process-";
constexpr const char* kOfFile = "file-";
constexpr std::array<std::string_view, 6> kNoInstalls = {"",        "-",        "x-",
                                                         kOfRecord, kOfProcess, kOfFile};

// Without an install, each process counts as one.
InstallKey InstallOf(const Facts& facts, const std::string& session) {
  const auto found = facts.find("install");
  if (found != facts.end() && !found->second.empty()) return KeyHash<InstallKey>(found->second);
  const size_t end = session.rfind('-');
  const std::string_view install = std::string_view(session).substr(0, end + 1);
  const bool is_known = std::ranges::find(kNoInstalls, install) == kNoInstalls.end();
  return KeyHash<InstallKey>(is_known ? install.substr(0, end) : session);
}

Facts FactsOfContext(const model::Document& document) {
  Facts facts;
  for (const model::ContextEntry& entry : document.context) {
    if (entry.state != model::ContextEntry::State::kText &&
        entry.state != model::ContextEntry::State::kNumber)
      continue;
    if (entry.group != model::context::kIdentity && entry.group != model::context::kProcess &&
        entry.group != "device")
      continue;
    facts.try_emplace(entry.name, entry.state == model::ContextEntry::State::kNumber
                                      ? std::to_string(entry.number)
                                      : entry.text);
  }
  facts["process"] = document.identity.process_name;
  facts["scene"] = document.annotations.scene;
  return facts;
}

void AddAnnotations(const model::Annotations& annotations, Facts* facts) {
  for (const auto& annotation : annotations.entries)
    facts->try_emplace(annotation.name, annotation.value);
}

}  // namespace

// A hang before its names are a signature, and its facts columns.
struct Ingestion::Hang {
  HangRow row;
  std::string session;
  CauseNames names;
  Facts facts;
};

bool Ingestion::Start() {
  constexpr Selection kSelectForgotten(Picked{&ForgottenRow::install, "install"});
  constexpr Selection kSelectExamples(Picked{&ExampleRow::cause, "cause"},
                                      Picked{&ExampleRow::id, "id"});
  return kSelectForgotten.ForEach(
             engine_, "FROM " + engine_->From(kForgotten),
             [this](const ForgottenRow& row) { forgotten_.insert(row.install); }) &&
         kSelectExamples.ForEach(engine_, "FROM " + engine_->From(kExamples),
                                 [this](const ExampleRow& row) {
                                   std::set<uint64_t>& hashes = examples_of_[row.cause];
                                   hashes.insert(Hash(row.id));
                                   if (hashes.size() > kExamplesOfCause)
                                     hashes.erase(std::prev(hashes.end()));
                                 });
}

uint64_t Ingestion::Trusted(uint64_t time_ms) const {
  constexpr uint64_t kFirst = 1'420'070'400'000;  // 2015
  return time_ms >= kFirst && time_ms <= options_.now_ms + 2 * kDayMs ? time_ms : 0;
}

bool Ingestion::IsForgotten(InstallKey install) {
  if (!forgotten_.contains(install)) return false;
  ++added_.forgotten;
  return true;
}

Signature Ingestion::SignatureOf(const CauseNames& names) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", CauseKey(names, names.method), index::StableName(names.caller),
                  index::StableName(names.leaf), names.kind);
  const auto signature = KeyHash<Signature>(key);
  const std::string written = fmt::format("{}\n{}\n{}\n{}\n{}", names.kind, names.method,
                                          names.caller, names.leaf, names.message);
  if (known_signatures_.size() > 1'000'000) known_signatures_.clear();
  if (known_signatures_.insert(written).second)
    signatures_.push_back({.signature = signature,
                           .version = RowVersion{static_cast<int64_t>(Hash(written) >> 1)},
                           .kind = names.kind,
                           .method = names.method,
                           .caller = names.caller,
                           .leaf = names.leaf,
                           .message = names.message});
  return signature;
}

namespace {

// "512:3 1024:1". A hang without one is its own.
std::string HistogramText(std::map<uint64_t, uint64_t> histogram, const HangRow& hang) {
  if (histogram.empty() && hang.longest_ms != 0)
    histogram[std::bit_floor(hang.longest_ms)] = hang.count;
  std::string text;
  for (const auto& [ms, count] : histogram)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", ms, count);
  return text;
}

}  // namespace

// Those whose ids have the smallest hashes: a sample that does not depend on the order.
bool Ingestion::IsExample(CauseHash cause, const std::string& id) {
  std::set<uint64_t>& hashes = examples_of_[cause];
  const uint64_t hash = Hash(id);
  if (hashes.contains(hash)) return true;
  if (hashes.size() >= kExamplesOfCause) {
    if (hash > *hashes.rbegin()) return false;
    hashes.erase(std::prev(hashes.end()));
  }
  hashes.insert(hash);
  return true;
}

void Ingestion::AddHang(Hang hang, const std::string& name, std::string_view bytes) {
  HangRow& row = hang.row;
  row.install = InstallOf(hang.facts, hang.session);
  if (IsForgotten(row.install)) return;
  ++(row.is_dump ? added_.dumps : added_.records);
  row.session = KeyHash<SessionKey>(hang.session);
  row.signature = SignatureOf(hang.names);
  row.first_time_ms = Trusted(row.first_time_ms);
  row.time_ms = Trusted(row.time_ms);
  row.package = Fact(hang.facts, "package");
  row.version_name = Fact(hang.facts, "version_name");
  row.version_code = NumberFact(hang.facts, "version_code");
  row.process = Fact(hang.facts, "process");
  row.model = Fact(hang.facts, "model");
  row.api_level = NumberFact(hang.facts, "api_level");
  row.memory = Fact(hang.facts, "machine");
  row.scene = Fact(hang.facts, "scene");
  row.facts = OtherFacts(hang.facts);
  row.added_day = DayOf(options_.now_ms);
  const auto cause = KeyHash<CauseHash>(CauseKey(hang.names, hang.names.method));
  if (!row.is_debugged && IsExample(cause, row.id)) {
    examples_.push_back({.id = row.id,
                         .version = row.version,
                         .signature = row.signature,
                         .name = name,
                         .bytes = {std::string(bytes)},
                         .cause = cause});
    example_bytes_ += bytes.size();
  }
  hangs_.push_back(std::move(row));
}

void Ingestion::AddSession(const input::SessionFile& session) {
  const InstallKey install = InstallOf(session.facts, session.id);
  if (IsForgotten(install)) return;
  ++added_.sessions;
  const std::string text =
      fmt::format("{} {} {}", session.time_ms, session.alive_ms, session.hang_ms);
  sessions_.push_back({.id = session.id,
                       .version = VersionOf(session.revision, 0, text),
                       .install = install,
                       .day = DayOf(Trusted(session.time_ms)),
                       .rated_ms = session.was_watched ? session.foreground_ms : 0,
                       .alive_ms = session.alive_ms,
                       .foreground_ms = session.foreground_ms,
                       .messages = session.messages,
                       .hangs = session.hangs,
                       .hang_ms = session.hang_ms,
                       .frames = session.frames,
                       .frames_missed = session.frames_missed,
                       .is_killed = session.is_killed,
                       .is_control = session.is_control,
                       .unsampled = session.unsampled,
                       .package = Fact(session.facts, "package"),
                       .version_name = Fact(session.facts, "version_name"),
                       .version_code = NumberFact(session.facts, "version_code"),
                       .process = Fact(session.facts, "process"),
                       .model = Fact(session.facts, "model"),
                       .api_level = NumberFact(session.facts, "api_level"),
                       .facts = OtherFacts(session.facts),
                       .added_day = DayOf(options_.now_ms)});
}

void Ingestion::Name(const std::string& subject, const input::HangFile& record,
                     model::Document* document, Hang* hang) {
  std::vector<model::ContextEntry> context = record.Context();
  document->context.insert(document->context.end(), context.begin(), context.end());
  options_.documents->Prepare(subject, document);
  const index::DumpIndex index(*document, options_.packages);
  hang->names = Completed(JudgedNames(index), record.method, record.message);
  AddAnnotations(document->annotations, &hang->facts);
}

void Ingestion::AddRecord(const std::string& subject, const std::string& name,
                          std::string_view bytes, const input::HangFile& record) {
  const std::string id = record.id.empty() ? kOfRecord + ShortHash(bytes) : record.id;
  Hang hang = {.row = {.id = id,
                       .version = VersionOf(record.revision + 1, record.facts_size, bytes),
                       .count = record.count,
                       .total_ms = record.total_ms,
                       .longest_ms = record.longest_ms,
                       .first_time_ms = record.first_time_ms,
                       .time_ms = record.last_time_ms,
                       .is_running = record.is_running,
                       .is_debugged = record.is_debugged},
               .session = record.id.empty() ? id : SessionOf(id),
               .names = {.method = record.method, .message = record.message},
               .facts = record.facts};
  hang.row.histogram = HistogramText(record.histogram, hang.row);
  bool has_tree = false;
  if (record.facts_size != 0) {
    dump::ReadResult read =
        dump::ReadDump({reinterpret_cast<const uint8_t*>(record.dump.data()), record.dump.size()});
    if (!read.ok()) options_.documents->Complain(subject, "its facts: " + read.error);
    has_tree = read.readable();
    if (has_tree) Name(subject, record, &read.document, &hang);
  }
  if (!has_tree && !record.system_traces.empty()) {
    dump::ReadResult read = options_.documents->Read(subject, record.system_traces);
    has_tree = read.readable();
    if (has_tree) Name(subject, record, &read.document, &hang);
  }
  model::Document stack;
  std::string notes;
  std::string error;
  if (!has_tree && record.has_stack && input::ImportMatrixIssue(bytes, "", &stack, &notes, &error))
    Name(subject, record, &stack, &hang);
  // So it is never one with a cause of the main thread.
  if (!record.thread.empty()) hang.names.message.insert(0, record.thread + ": ");
  AddHang(std::move(hang), name, bytes);
}

bool Ingestion::AddDump(const std::string& subject, const std::string& name,
                        std::string_view bytes) {
  dump::ReadResult read = options_.documents->Read(subject, std::string(bytes));
  if (!read.ok()) options_.documents->Complain(subject, read.error);
  if (!read.readable()) {
    ++added_.refused;
    return true;
  }
  model::Document& document = read.document;
  options_.documents->Prepare(subject, &document);
  const index::DumpIndex index(document, options_.packages);
  const judge::Verdict verdict = judge::Judge(index);
  const judge::Contributor* lead = verdict.LeadRow();
  Hang hang;
  HangRow& row = hang.row;
  row.is_dump = true;
  row.count = 1;
  hang.names = JudgedNames(index);
  hang.facts = FactsOfContext(document);
  AddAnnotations(document.annotations, &hang.facts);
  const model::Message* message =
      lead == nullptr || lead->tokens.empty() ? nullptr : index.MessageOf(lead->tokens.front());
  if (message != nullptr) {
    row.total_ms = static_cast<uint64_t>(std::max<int64_t>(message->wall_ns, 0)) / 1'000'000;
    row.is_running = index.IsRunning(*message);
  }
  row.longest_ms = row.total_ms;
  row.histogram = HistogramText({}, row);
  row.time_ms = row.first_time_ms = document.taken_realtime_ns / 1'000'000;
  const auto id = hang.facts.find("id");
  const model::Identity& process = document.identity;
  const bool is_known = message != nullptr && id != hang.facts.end() && !id->second.empty();
  if (is_known)
    hang.session = id->second;
  else if (message != nullptr && process.process_start_ns != 0)
    hang.session = kOfProcess + ShortHash(fmt::format("{}\n{}\n{}", process.process_name,
                                                      process.pid, process.process_start_ns));
  else
    hang.session = kOfFile + ShortHash(bytes);
  const bool has_token = is_known || hang.session.starts_with(kOfProcess);
  row.id = fmt::format("{}-{}", hang.session, has_token ? NumberOf(message->token) : 0);
  row.version = VersionOf(0, row.total_ms, bytes);
  AddHang(std::move(hang), name, bytes);
  return true;
}

bool Ingestion::AddOne(const std::string& subject, const std::string& name,
                       std::string_view bytes) {
  input::HangFile record;
  input::SessionFile session;
  std::string error;
  switch (bytes.starts_with('{') ? input::ReadRecordFile(bytes, &record, &session, &error)
                                 : input::FileKind::kNeither) {
    case input::FileKind::kHang: AddRecord(subject, name, bytes, record); break;
    case input::FileKind::kSession: AddSession(session); break;
    case input::FileKind::kNeither:
      if (bytes.starts_with('[') && bytes.find("\"Trace_EvilMethod\"") != std::string_view::npos) {
        ++added_.refused;
        options_.documents->Complain(subject,
                                     "is a JSON array; write a record in each line (jq -c '.[]')");
        break;
      }
      // A broken record is not read as another tool's file.
      if (bytes.starts_with('{') && bytes.find("\"Trace_EvilMethod\"") != std::string_view::npos &&
          bytes.find("\"revision\"") != std::string_view::npos) {
        ++added_.refused;
        options_.documents->Complain(
            subject, "is a jank record with a missing or wrong field; send it again");
      } else {
        AddDump(subject, name, bytes);
      }
  }
  const size_t rows = hangs_.size() + sessions_.size() + signatures_.size();
  return (rows < kBatch && example_bytes_ < kBatchBytes) || Commit();
}

namespace {

// Records, a line each. A text that does not begin with one has a damaged line, or was put
// together.
bool AreLines(std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return false;
  char last = 0;  // before the spaces
  bool is_new_line = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      is_new_line = is_new_line || c == '\n';
      continue;
    }
    if (is_new_line && last == '}' && c == '{')
      return text.starts_with('{') || text.find("\"Trace_EvilMethod\"") != std::string_view::npos ||
             text.find("\"alive_ms\"") != std::string_view::npos;
    last = c;
    is_new_line = false;
  }
  return false;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

}  // namespace

bool Ingestion::Add(const std::string& subject, const std::string& name, std::string_view bytes) {
  if (input::IsZip(bytes) || input::IsTar(bytes)) {
    ++added_.refused;
    options_.documents->Complain(subject, "is an archive within another; unpack it");
    return true;
  }
  const std::string_view text = Trimmed(bytes);
  if (!AreLines(text)) return AddOne(subject, name, text.starts_with('{') ? text : bytes);
  // Long files come in pieces.
  if (subject != lines_of_) lines_ = 0;
  lines_of_ = subject;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = Trimmed(bytes.substr(0, end));
    ++lines_;
    if (!line.empty() && !AddOne(fmt::format("{}:{}", subject, lines_), name, line)) return false;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return true;
}

bool Ingestion::Commit() {
  if (hangs_.empty() && sessions_.empty()) return true;
  const bool is_done = BeginChange(engine_) && InsertRows(engine_, signatures_) &&
                       InsertRows(engine_, examples_) && InsertRows(engine_, hangs_) &&
                       InsertRows(engine_, sessions_) && EndChange(engine_);
  if (!is_done) {
    engine_->Rollback();
    return false;
  }
  hangs_.clear();
  sessions_.clear();
  signatures_.clear();
  examples_.clear();
  example_bytes_ = 0;
  return true;
}

}  // namespace stillframe::fleet
