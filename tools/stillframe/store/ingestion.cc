// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/store/ingestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <utility>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_document.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/dump_time.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/judge/message_parts.h"
#include "tools/stillframe/store/hash.h"

namespace stillframe::store {
namespace {

using compare::Facts;

constexpr size_t kBatch = 4'000;
constexpr size_t kBatchBytes = 16 << 20;
constexpr size_t kMaxFact = 200;
constexpr size_t kMostFacts = 40;
constexpr uint64_t kDayMs = 86'400'000;

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

std::string NumberFact(const Facts& facts, const char* name) {
  return std::to_string(Cell{.text = Fact(facts, name)}.Integer());
}

// The highest version of a key counts: the later revision, then the one with more
// facts. A hash makes the choice the same in whatever order they come.
std::string VersionOf(uint64_t revision, size_t facts_size, std::string_view bytes) {
  constexpr uint64_t kMost = (1 << 20) - 1;
  const uint64_t version = std::min(revision, kMost) << 43 |
                           std::min<uint64_t>(facts_size, kMost) << 23 | HashOfBytes(bytes) >> 41;
  return std::to_string(version);
}

// "INSTALL-STARTpPID" of "INSTALL-STARTpPID-TOKEN".
std::string SessionOf(const std::string& id) { return id.substr(0, id.rfind('-')); }

// An install that is left out is written as x. Then each process counts as an install.
int64_t InstallOf(const Facts& facts, const std::string& session) {
  const auto found = facts.find("install");
  if (found != facts.end() && !found->second.empty()) return KeyHash(found->second);
  const size_t end = session.rfind('-');
  const std::string install = end == std::string::npos ? "" : session.substr(0, end);
  return KeyHash(install.empty() || install == "x" ? session : install);
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

struct Ingestion::Hang {
  std::map<uint64_t, uint64_t> histogram = {};
  std::string id;
  std::string version;
  std::string session;
  bool is_dump = false;
  compare::Subject subject;
  Facts facts;
  uint64_t count = 1;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t first_time_ms = 0;
  uint64_t time_ms = 0;
  bool is_running = false;
  bool is_debugged = false;
};

namespace {

constexpr size_t kLongestName = 400;

// Names by the application's frames on the heaviest path that holds two fifths of the message.
// The verdict divides the time by its cause first, so that what it names varies from hang to hang
// where a method both computes and waits.
void NameByWeight(const index::CallTree& tree, const index::OwnCode& own,
                  compare::Subject* subject) {
  std::vector<std::string> names;  // outermost first
  const index::MethodId* leaf = nullptr;
  const std::vector<index::CallNode>& nodes = tree.nodes();
  for (uint32_t node = nodes[0].first_child;
       node != index::kNone && nodes[node].total_us * 5 >= nodes[0].total_us * 2;
       node = nodes[node].first_child) {
    const index::Method& method = tree.methods()[nodes[node].method];
    if (method.is_truncation) continue;
    leaf = &nodes[node].method;
    const std::string_view class_name = tree.ClassName(*leaf);
    if (!own.Has(class_name) || index::IsGlue(class_name, tree.frames().String(method.method_name)))
      continue;
    std::string name = tree.NameOf(*leaf, kLongestName);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  if (names.empty()) return;
  subject->method = names.back();
  subject->caller = names.size() > 1 ? names[names.size() - 2] : "";
  subject->leaf = tree.NameOf(*leaf, kLongestName);
}

// The cause with most of one message's time. What is not recorded counts if no other has a tenth.
judge::Cause CauseOf(const index::DumpIndex& index, const model::Message& message) {
  const std::vector<judge::TimeSpan> frozen = judge::FrozenSpans(index.document());
  const judge::Attribution attribution =
      judge::Attribute(index, message, judge::SpanOf(message), frozen);
  std::map<judge::Cause, uint64_t> us;
  uint64_t all_us = 0;
  for (const judge::Attribution::Part& part : attribution.parts) {
    us[part.cause] += part.us;
    all_us += part.us;
  }
  std::pair<uint64_t, judge::Cause> largest = {0, judge::Cause::kUnseen};
  for (const auto& [cause, of] : us)
    if (cause != judge::Cause::kUnseen && of * 10 >= all_us)
      largest = std::max(largest, std::pair(of, cause));
  return largest.second;
}

}  // namespace

compare::Subject SubjectOf(const index::DumpIndex& index) {
  compare::Subject subject;
  const std::vector<Token> trees = index.TreeTokens();
  const model::Message* only = trees.size() == 1 ? index.MessageOf(trees.front()) : nullptr;
  if (only != nullptr && only->wall_ns > 0) {
    subject.kind = kTableOf<judge::Cause>.Of(CauseOf(index, *only)).name;
    subject.message = index::DispatchText(index.DispatchFor(*only));
    NameByWeight(*index.TreeOf(only->token), index.own(), &subject);
    if (!subject.method.empty()) return subject;
  }
  const judge::Verdict verdict = judge::Judge(index);
  const judge::Contributor* lead = verdict.LeadRow();
  subject.kind = kTableOf<judge::Cause>.Of(verdict.cause).name;
  const judge::Culprit* culprit = verdict.culprit ? &*verdict.culprit : nullptr;
  if (culprit == nullptr && lead != nullptr && lead->place) culprit = &*lead->place;
  if (culprit != nullptr) {
    subject.method = culprit->method;
    subject.caller = culprit->caller;
    subject.leaf = culprit->leaf;
  }
  const Token token =
      verdict.token.value_or(lead != nullptr && !lead->tokens.empty() ? lead->tokens.front()
                             : trees.size() == 1                      ? trees.front()
                                                                      : Token::kNone);
  const index::CallTree* tree = index.TreeOf(token);
  if (tree != nullptr) NameByWeight(*tree, index.own(), &subject);
  const model::Message* message = index.MessageOf(token);
  if (verdict.message)
    subject.message = index::DispatchText(*verdict.message);
  else if (message != nullptr)
    subject.message = index::DispatchText(index.DispatchFor(*message));
  return subject;
}

compare::Subject Completed(compare::Subject judged, const compare::Subject& recorded) {
  if (judged.method.empty()) judged.method = recorded.method;
  // A stack in Matrix's form does not name its message.
  const bool is_named = !judged.message.empty() && judged.message != "unidentified message";
  if (!is_named || recorded.message.starts_with("frozen frame")) judged.message = recorded.message;
  return judged;
}

std::string NowNs() {
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count());
}

namespace {

bool WriteStamp(Engine* engine, const char* prefix) {
  const std::string now = NowNs();
  const Row row = {"stamp", now, prefix + now};
  return engine->Insert(kMeta, std::span(&row, 1));
}

}  // namespace

bool BeginChange(Engine* engine) { return engine->Begin() && WriteStamp(engine, "busy "); }

bool EndChange(Engine* engine) { return WriteStamp(engine, "") && engine->Commit(); }

bool Ingestion::Start() {
  return engine_->Select(
             fmt::format("SELECT install FROM {}", engine_->From(kForgotten)),
             [this](std::span<const Cell> cells) {
               forgotten_.insert(cells[0].Integer());
               return true;
             }) &&
         engine_->Select(
             fmt::format("SELECT cause, id FROM {}", engine_->From(kExamples)),
             [this](std::span<const Cell> cells) {
               std::set<uint64_t>& hashes = examples_of_[cells[0].Integer()];
               hashes.insert(Hash(cells[1].text));
               if (hashes.size() > kExamplesOfCause) hashes.erase(std::prev(hashes.end()));
               return true;
             });
}

bool RemoveSpareExamples(Engine* engine) {
  std::map<int64_t, std::map<uint64_t, std::string>> ids;  // by cause and hash
  std::vector<std::string> spare;
  if (!engine->Select(fmt::format("SELECT cause, id FROM {}", engine->From(kExamples)),
                      [&](std::span<const Cell> cells) {
                        auto& of_cause = ids[cells[0].Integer()];
                        of_cause[Hash(cells[1].text)] = cells[1].text;
                        if (of_cause.size() <= kExamplesOfCause) return true;
                        spare.push_back(Quoted(std::prev(of_cause.end())->second));
                        of_cause.erase(std::prev(of_cause.end()));
                        return true;
                      }))
    return false;
  constexpr size_t kAtOnce = 2'000;  // ClickHouse takes 256 KiB of SQL
  for (size_t i = 0; i < spare.size(); i += kAtOnce) {
    const auto end = spare.begin() + static_cast<ptrdiff_t>(std::min(i + kAtOnce, spare.size()));
    const std::string list =
        fmt::format("{}", fmt::join(spare.begin() + static_cast<ptrdiff_t>(i), end, ", "));
    if (!engine->Delete(kExamples, fmt::format("id IN ({})", list))) return false;
  }
  return true;
}

uint64_t Ingestion::Trusted(uint64_t time_ms) const {
  constexpr uint64_t kFirst = 1'420'070'400'000;  // 2015
  return time_ms >= kFirst && time_ms <= options_.now_ms + 2 * kDayMs ? time_ms : 0;
}

bool Ingestion::IsForgotten(int64_t install) {
  if (!forgotten_.contains(install)) return false;
  ++added_.forgotten;
  return true;
}

int64_t Ingestion::SignatureOf(const compare::Subject& subject) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", ClusterKey(subject, subject.method),
                  index::StableName(subject.caller), index::StableName(subject.leaf), subject.kind);
  const int64_t signature = KeyHash(key);
  const std::string names = fmt::format("{}\n{}\n{}\n{}\n{}", subject.kind, subject.method,
                                        subject.caller, subject.leaf, subject.message);
  if (known_signatures_.size() > 1'000'000) known_signatures_.clear();
  if (known_signatures_.insert(names).second)
    signatures_.push_back({std::to_string(signature), std::to_string(Hash(names) >> 1),
                           subject.kind, subject.method, subject.caller, subject.leaf,
                           subject.message});
  return signature;
}

// "512:3 1024:1". A hang without one is its own.
std::string Ingestion::HistogramText(const Hang& hang) {
  std::map<uint64_t, uint64_t> histogram = hang.histogram;
  if (histogram.empty() && hang.longest_ms != 0)
    histogram[std::bit_floor(hang.longest_ms)] = hang.count;
  std::string text;
  for (const auto& [ms, count] : histogram)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", ms, count);
  return text;
}

void Ingestion::AddHang(const Hang& hang, const std::string& name, std::string_view bytes) {
  const int64_t install = InstallOf(hang.facts, hang.session);
  if (IsForgotten(install)) return;
  ++(hang.is_dump ? added_.dumps : added_.records);
  const int64_t signature = SignatureOf(hang.subject);
  const auto number = [](uint64_t value) { return std::to_string(value); };
  hangs_.push_back({hang.id,
                    hang.version,
                    std::to_string(install),
                    std::to_string(KeyHash(hang.session)),
                    hang.is_dump ? "1" : "0",
                    std::to_string(signature),
                    number(hang.count),
                    number(hang.total_ms),
                    number(hang.longest_ms),
                    number(Trusted(hang.first_time_ms)),
                    number(Trusted(hang.time_ms)),
                    hang.is_running ? "1" : "0",
                    hang.is_debugged ? "1" : "0",
                    Fact(hang.facts, "package"),
                    Fact(hang.facts, "version_name"),
                    NumberFact(hang.facts, "version_code"),
                    Fact(hang.facts, "process"),
                    Fact(hang.facts, "model"),
                    NumberFact(hang.facts, "api_level"),
                    Fact(hang.facts, "machine"),
                    Fact(hang.facts, "scene"),
                    OtherFacts(hang.facts),
                    number(options_.now_ms / kDayMs),
                    HistogramText(hang)});
  // Those whose ids have the smallest hashes: a sample that does not depend on the order.
  if (hang.is_debugged) return;
  const int64_t cause = KeyHash(ClusterKey(hang.subject, hang.subject.method));
  std::set<uint64_t>& hashes = examples_of_[cause];
  const uint64_t hash = Hash(hang.id);
  if (!hashes.contains(hash)) {
    if (hashes.size() >= kExamplesOfCause) {
      if (hash > *hashes.rbegin()) return;
      hashes.erase(std::prev(hashes.end()));
    }
    hashes.insert(hash);
  }
  examples_.push_back({hang.id, hang.version, std::to_string(signature), name, std::string(bytes),
                       std::to_string(cause)});
  example_bytes_ += bytes.size();
}

void Ingestion::AddSession(const compare::SessionFile& session) {
  const int64_t install = InstallOf(session.facts, session.id);
  if (IsForgotten(install)) return;
  ++added_.sessions;
  const compare::Sessions& sums = session.sums;
  const auto number = [](uint64_t value) { return std::to_string(value); };
  std::string text = fmt::format("{} {} {}", session.time_ms, sums.alive_ms, sums.jank_ms);
  sessions_.push_back({session.id,
                       VersionOf(session.revision, 0, text),
                       std::to_string(install),
                       number(Trusted(session.time_ms) / kDayMs),
                       number(sums.rated_ms),
                       number(sums.alive_ms),
                       number(sums.foreground_ms),
                       number(sums.messages),
                       number(sums.janks),
                       number(sums.jank_ms),
                       number(sums.frames),
                       number(sums.frames_missed),
                       number(sums.killed),
                       number(sums.control),
                       Fact(session.facts, "package"),
                       Fact(session.facts, "version_name"),
                       NumberFact(session.facts, "version_code"),
                       Fact(session.facts, "process"),
                       Fact(session.facts, "model"),
                       NumberFact(session.facts, "api_level"),
                       OtherFacts(session.facts),
                       number(options_.now_ms / kDayMs)});
}

void Ingestion::Prepare(const std::string& subject, model::Document* document) {
  index::RestoreTime(document);
  index::NameSystemMessages(document);
  options_.restore(subject, document);
  index::CleanDocument(document);
}

void Ingestion::Name(const std::string& subject, const compare::HangFile& record,
                     model::Document* document, Hang* hang) {
  std::vector<model::ContextEntry> identity = record.Identity();
  document->context.insert(document->context.end(), identity.begin(), identity.end());
  Prepare(subject, document);
  const index::DumpIndex index(*document, options_.packages);
  hang->subject = Completed(SubjectOf(index), record.subject);
  AddAnnotations(document->annotations, &hang->facts);
}

void Ingestion::AddRecord(const std::string& subject, const std::string& name,
                          std::string_view bytes, const compare::HangFile& record) {
  Hang hang;
  hang.id = record.id.empty() ? "record-" + ShortHash(bytes) : record.id;
  hang.version = VersionOf(record.revision + 1, record.facts_size, bytes);
  hang.session = record.id.empty() ? hang.id : SessionOf(record.id);
  hang.subject = record.subject;
  hang.facts = record.facts;
  hang.histogram = record.histogram;
  hang.count = record.count;
  hang.total_ms = record.total_ms;
  hang.longest_ms = record.longest_ms;
  hang.first_time_ms = record.first_time_ms;
  hang.time_ms = record.last_time_ms;
  hang.is_running = record.is_running;
  hang.is_debugged = record.is_debugged;
  bool has_tree = false;
  if (record.facts_size != 0) {
    dump::ReadResult read =
        dump::ReadDump({reinterpret_cast<const uint8_t*>(record.dump.data()), record.dump.size()});
    if (!read.ok()) options_.complain(subject, "its facts: " + read.error);
    has_tree = read.readable();
    if (has_tree) Name(subject, record, &read.document, &hang);
  }
  model::Document stack;
  if (!has_tree && record.has_stack && options_.read_stack(bytes, &stack))
    Name(subject, record, &stack, &hang);
  AddHang(hang, name, bytes);
}

bool Ingestion::AddDump(const std::string& subject, const std::string& name,
                        std::string_view bytes) {
  dump::ReadResult read = options_.read(subject, bytes);
  if (!read.ok()) options_.complain(subject, read.error);
  if (!read.readable()) {
    ++added_.refused;
    return true;
  }
  model::Document& document = read.document;
  Prepare(subject, &document);
  const index::DumpIndex index(document, options_.packages);
  const judge::Verdict verdict = judge::Judge(index);
  const judge::Contributor* lead = verdict.LeadRow();
  Hang hang;
  hang.is_dump = true;
  hang.subject = SubjectOf(index);
  hang.facts = FactsOfContext(document);
  AddAnnotations(document.annotations, &hang.facts);
  const model::Message* message =
      lead == nullptr || lead->tokens.empty() ? nullptr : index.MessageOf(lead->tokens.front());
  if (message != nullptr) {
    hang.total_ms = static_cast<uint64_t>(std::max<int64_t>(message->wall_ns, 0)) / 1'000'000;
    hang.is_running = index.IsRunning(*message);
  }
  hang.longest_ms = hang.total_ms;
  const uint64_t taken_ms = document.taken_realtime_ns / 1'000'000;
  hang.time_ms = hang.first_time_ms = taken_ms;
  const auto id = hang.facts.find("id");
  if (message != nullptr && id != hang.facts.end() && !id->second.empty()) {
    hang.session = id->second;
    hang.id = fmt::format("{}-{}", hang.session, NumberOf(message->token));
  } else if (message != nullptr && document.identity.process_start_ns != 0) {
    hang.session = "process-" + ShortHash(fmt::format("{}\n{}\n{}", document.identity.process_name,
                                                      document.identity.pid,
                                                      document.identity.process_start_ns));
    hang.id = fmt::format("{}-{}", hang.session, NumberOf(message->token));
  } else {
    hang.session = "file-" + ShortHash(bytes);
    hang.id = hang.session + "-0";
  }
  hang.version = VersionOf(0, hang.total_ms, bytes);
  AddHang(hang, name, bytes);
  return true;
}

bool Ingestion::AddOne(const std::string& subject, const std::string& name,
                       std::string_view bytes) {
  compare::HangFile record;
  compare::SessionFile session;
  std::string error;
  switch (bytes.starts_with('{') ? compare::ReadRecordFile(bytes, &record, &session, &error)
                                 : compare::FileKind::kNeither) {
    case compare::FileKind::kHang: AddRecord(subject, name, bytes, record); break;
    case compare::FileKind::kSession: AddSession(session); break;
    case compare::FileKind::kNeither:
      if (bytes.starts_with('[') && bytes.find("\"Trace_EvilMethod\"") != std::string_view::npos) {
        ++added_.refused;
        options_.complain(subject, "is a JSON array; write a record in each line (jq -c '.[]')");
        break;
      }
      // A broken record is not read as another tool's file.
      if (bytes.starts_with('{') && bytes.find("\"Trace_EvilMethod\"") != std::string_view::npos &&
          bytes.find("\"revision\"") != std::string_view::npos) {
        ++added_.refused;
        options_.complain(subject, "is a jank record with a missing or wrong field; send it again");
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
  const bool is_done = BeginChange(engine_) && engine_->Insert(kSignatures, signatures_) &&
                       engine_->Insert(kExamples, examples_) && engine_->Insert(kHangs, hangs_) &&
                       engine_->Insert(kSessions, sessions_) && EndChange(engine_);
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

}  // namespace stillframe::store
