// SPDX-License-Identifier: Apache-2.0
// stillframe store add|rank|show|check|compact|forget|merge|split|query
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tools/stillframe/formats/exports.h"
#include "tools/stillframe/formats/field_import.h"
#include "tools/stillframe/index/archive.h"
#include "tools/stillframe/index/byte_source.h"
#include "tools/stillframe/index/clean_document.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/store/hash.h"
#include "tools/stillframe/store/ingestion.h"
#include "tools/stillframe/store/rank.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/folder_watch.h"
#include "tools/stillframe/verbs/name_files.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;
using index::Counted;
using store::Access;
using store::Engine;

struct StoreOptions {
  std::string store;
  std::vector<std::string> inputs;
  DumpOptions dumps;
  bool watches = false;
  std::vector<std::string> by;
  std::vector<std::string> where;
  std::vector<std::string> percents;
  uint32_t rows = 20;
  bool as_json = false;
  std::string output = "-";
  std::string cluster;
  std::vector<std::string> others;
  std::string collapsed;
  std::string picture;
  std::string examples;
  std::vector<std::string> installs;
  uint32_t keep_days = 0;
  std::string sql;
  std::string format = "csv";
};

// The address without its password.
std::string NameOf(const std::string& store) {
  const size_t at = store.rfind('@');
  const size_t colon = store.find(':', store::kClickHouseScheme.size());
  if (!store.starts_with(store::kClickHouseScheme) || at == std::string::npos || colon > at)
    return store;
  return store.substr(0, colon) + ":..." + store.substr(at);
}

std::unique_ptr<Engine> Open(const StoreOptions& options, Access access) {
  std::string error;
  for (const std::string& output :
       {options.output, options.collapsed, options.picture, options.examples}) {
    std::error_code ignored;
    if (output.empty() || output == "-" || !fs::equivalent(output, options.store, ignored))
      continue;
    Complain(output, "is the store itself; name another output");
    return nullptr;
  }
  std::unique_ptr<Engine> engine = store::OpenEngine(options.store, access, &error);
  if (!engine) Complain(NameOf(options.store), error);
  return engine;
}

int Failed(const StoreOptions& options, const Engine& engine) {
  Complain(NameOf(options.store), engine.error());
  return kExitBadData;
}

// store add

// Leaves out the other files of a web server or a device.
bool IsAdded(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string ending = path.extension().string();
  static const std::set<std::string> ours = {".json", ".sent", ".gz", ".sfdump"};
  const bool is_kept_back = name.starts_with("stillframe-") && !ours.contains(ending);
  return !name.starts_with('.') && !is_kept_back && ending != ".part" && ending != ".tmp";
}

uint64_t NowMs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

std::string AddedText(const store::Added& added) {
  std::string text =
      fmt::format("added {}, {} and {}", Counted(added.records, "record"),
                  Counted(added.sessions, "heartbeat"), Counted(added.dumps, "dump"));
  if (added.forgotten != 0)
    text += fmt::format("; {} of forgotten installs left out", index::Grouped(added.forgotten));
  if (added.refused != 0) text += fmt::format("; {} refused", Counted(added.refused, "file"));
  return text + "\n";
}

class Adding {
 public:
  Adding(const StoreOptions& options, Engine* engine, const NameFiles* names)
      : options_(options), progress_("reading files", 0), ingestion_(engine, Setup(names)) {}

  store::Ingestion& ingestion() { return ingestion_; }
  bool has_trouble() const { return has_trouble_; }

  // False if the store failed.
  bool AddPath(const std::string& path) {
    progress_.Step();
    const std::string file = path == "-" ? "" : fs::path(path).filename().string();
    return index::ForEachFile(
        path,
        [&](const std::string& name, std::string_view bytes) {
          return ingestion_.Add(SubjectOf(path, name), name.empty() ? file : name, bytes);
        },
        [&](const std::string& name, const std::string& what) {
          Trouble(SubjectOf(path, name), what);
        });
  }

 private:
  static std::string SubjectOf(const std::string& path, const std::string& name) {
    return name.empty() ? SubjectFor(path) : fmt::format("{}: {}", SubjectFor(path), name);
  }

  void Trouble(const std::string& subject, const std::string& what) {
    has_trouble_ = true;
    progress_.Clear();
    Complain(subject, what);
  }

  store::IngestionOptions Setup(const NameFiles* names) {
    return {.packages = options_.dumps.packages,
            .now_ms = NowMs(),
            .restore =
                [this, names](const std::string& subject, model::Document* document) {
                  if (!names->Apply(subject, document)) has_trouble_ = true;
                },
            .read = [](const std::string& subject,
                       std::string_view bytes) { return ReadBytes(subject, std::string(bytes)); },
            .read_stack =
                [](std::string_view record, model::Document* document) {
                  std::string notes;
                  std::string error;
                  return formats::ImportMatrixIssue(record, "", document, &notes, &error);
                },
            .complain = [this](const std::string& subject,
                               const std::string& what) { Trouble(subject, what); }};
  }

  const StoreOptions& options_;
  Progress progress_;
  bool has_trouble_ = false;
  store::Ingestion ingestion_;
};

std::sig_atomic_t volatile g_is_ended = 0;
void EndWatch(int) { g_is_ended = 1; }

int Add(const StoreOptions& options) {
  // Each record takes and frees the same memory, which need not go back to the kernel meanwhile.
  constexpr int kKeptBytes = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kKeptBytes / 2);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_TOP_PAD, kKeptBytes / 16);
  std::vector<std::string> paths;
  std::unique_ptr<FolderWatch> watch;
  if (options.watches) {
    std::string error;
    watch = FolderWatch::Start(options.inputs, IsAdded, &error);
    if (!watch) {
      Complain(options.inputs.front(), error);
      return kExitBadData;
    }
    paths = watch->Present();
  } else if (!FindFiles(options.inputs, IsAdded, "files", &paths)) {
    return kExitBadData;
  }
  NameFiles names;
  if (!names.Read(options.dumps.mappings, nullptr)) return kExitBadData;
  const std::unique_ptr<Engine> engine = Open(options, Access::kCreate);
  if (!engine) return kExitBadData;
  Adding adding(options, engine.get(), &names);
  if (watch) {
    std::signal(SIGINT, EndWatch);
    std::signal(SIGTERM, EndWatch);
  }
  bool is_stored = adding.ingestion().Start();
  for (size_t i = 0; is_stored && g_is_ended == 0 && i < paths.size(); ++i)
    is_stored = adding.AddPath(paths[i]);
  is_stored = is_stored && adding.ingestion().Commit();
  if (watch && is_stored) {
    fmt::print("following {}; {}", Counted(options.inputs.size(), "folder"),
               AddedText(adding.ingestion().added()));
    std::fflush(stdout);
    while (is_stored && g_is_ended == 0 && watch->lost_folder().empty()) {
      for (const std::string& path : watch->Wait()) is_stored = is_stored && adding.AddPath(path);
      is_stored = is_stored && adding.ingestion().Commit();
    }
  }
  if (!is_stored) {
    Failed(options, *engine);
    Complain(NameOf(options.store), "what was committed stays; add the same files again");
    return kExitBadData;
  }
  fmt::print("{}", AddedText(adding.ingestion().added()));
  if (watch && !watch->lost_folder().empty()) {
    Complain(watch->lost_folder(), "was moved or removed, and is not followed any more");
    return kExitBadData;
  }
  return adding.has_trouble() ? kExitBadData : kExitFine;
}

// store rank, store show

bool ReadCondition(const std::string& text, const char* option, store::Condition* condition) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    Complain(option, "expected NAME=VALUE, got '" + text + "'");
    return false;
  }
  *condition = {text.substr(0, equals), text.substr(equals + 1)};
  return true;
}

bool ReadPercent(const std::string& text, store::Share* share) {
  const size_t colon = text.rfind(':');
  const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
  const char* end = number.data() + number.size();
  const auto [rest, code] = std::from_chars(number.data(), end, share->percent);
  if (code != std::errc() || rest != end || !(share->percent > 0) || share->percent > 100) {
    Complain("--percent", "expected a percentage above 0, got '" + number + "'");
    return false;
  }
  if (colon == std::string::npos) return true;
  return ReadCondition(text.substr(0, colon), "--percent", &share->of.emplace());
}

bool ReadRankOptions(const StoreOptions& options, store::RankOptions* rank) {
  rank->by = options.by;
  rank->rows = options.rows;
  for (const std::string& text : options.where)
    if (!ReadCondition(text, "--where", &rank->where.emplace_back())) return false;
  // Those with a condition first.
  for (const bool has_condition : {true, false})
    for (const std::string& text : options.percents)
      if ((text.find(':') != std::string::npos) == has_condition &&
          !ReadPercent(text, &rank->shares.emplace_back()))
        return false;
  return true;
}

std::string Stamp(Engine* engine) {
  std::string stamp;
  engine->Select(
      fmt::format("SELECT value FROM {} WHERE name = 'stamp'", engine->From(store::kMeta)),
      [&stamp](std::span<const store::Cell> cells) {
        stamp = cells[0].text;
        return true;
      });
  return stamp;
}

// The answer kept under the store's present stamp, or "".
std::string Kept(Engine* engine, const std::string& query, const std::string& stamp) {
  std::string answer;
  engine->Select(fmt::format("SELECT stamp, answer FROM {} WHERE query = '{}'",
                             engine->From(store::kKept), query),
                 [&](std::span<const store::Cell> cells) {
                   if (cells[0].text == stamp) answer = cells[1].text;
                   return true;
                 });
  return answer;
}

// A question is answered even if the answer cannot be kept.
void Keep(const StoreOptions& options, const std::string& query, const std::string& stamp,
          const std::string& answer) {
  std::string error;
  const std::unique_ptr<Engine> engine = store::OpenEngine(options.store, Access::kKeep, &error);
  const store::Row row = {query, store::NowNs(), stamp, answer};
  if (engine && engine->Begin() &&
      !(engine->Insert(store::kKept, std::span(&row, 1)) && engine->Commit()))
    engine->Rollback();
}

bool HasFacts(const store::Ranking& ranking) {
  for (const std::string& name : ranking.missing_facts)
    Complain(name,
             "no record has this fact; name version, version_code, api, model, memory, process, "
             "scene, package or an annotation");
  return ranking.missing_facts.empty();
}

int Rank(const StoreOptions& options) {
  store::RankOptions rank;
  if (!ReadRankOptions(options, &rank)) return kExitUsage;
  std::unique_ptr<Engine> engine = Open(options, Access::kRead);
  if (!engine) return kExitBadData;
  std::string question = fmt::format("rank 2 {} {}", options.rows, options.as_json);
  for (const std::vector<std::string>* texts : {&options.by, &options.where, &options.percents}) {
    question += "\n";
    for (const std::string& text : *texts) question += fmt::format("{}:{} ", text.size(), text);
  }
  const std::string query = "rank-" + store::ShortHash(question);
  const std::string stamp = Stamp(engine.get());
  // An answer is kept only if the store did not change meanwhile.
  const bool is_settled = !stamp.empty() && !stamp.starts_with("busy");
  std::string answer = is_settled ? Kept(engine.get(), query, stamp) : "";
  if (answer.empty()) {
    store::Ranking ranking;
    if (!store::Rank(engine.get(), rank, &ranking)) return Failed(options, *engine);
    if (!HasFacts(ranking)) return kExitUsage;
    answer = options.as_json ? store::RankJson(ranking) : store::RankText(ranking);
    const bool is_kept = is_settled && Stamp(engine.get()) == stamp;
    engine.reset();  // SQLite's last user removes its log; one that only reads cannot
    if (is_kept) Keep(options, query, stamp, answer);
  }
  return WriteOutput(options.output, answer);
}

// Calls `use` with each line's stack and microseconds.
template <typename Use>
void ForEachStack(std::string_view collapsed, const Use& use) {
  while (!collapsed.empty()) {
    const std::string_view line = collapsed.substr(0, collapsed.find('\n'));
    collapsed.remove_prefix(std::min(line.size() + 1, collapsed.size()));
    const size_t space = line.rfind(' ');
    if (space == std::string_view::npos) continue;
    uint64_t us = 0;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), us);
    use(line.substr(0, space), us);
  }
}

// Stacks of all examples as one, in collapsed form.
std::string Merged(const std::vector<store::Example>& examples, const NameFiles& names) {
  std::map<std::string, uint64_t> us_of;
  for (const store::Example& example : examples) {
    dump::ReadResult read = ReadBytes(example.name, example.bytes);
    if (!read.readable()) continue;
    names.Apply(example.name, &read.document);
    index::CleanDocument(&read.document);
    ForEachStack(
        formats::CollapsedStacks(read.document, std::nullopt,
                                 formats::CollapsedUnit::kMicroseconds),
        [&us_of](std::string_view stack, uint64_t us) { us_of[std::string(stack)] += us; });
  }
  std::string out;
  for (const auto& [stack, us] : us_of) out += fmt::format("{} {}\n", stack, us);
  return out;
}

// The methods in which the examples spent their time.
std::string SelfText(std::string_view collapsed, size_t examples) {
  std::map<std::string, uint64_t> us_of;
  uint64_t all_us = 0;
  ForEachStack(collapsed, [&](std::string_view stack, uint64_t us) {
    us_of[std::string(stack.substr(stack.rfind(';') + 1))] += us;
    all_us += us;
  });
  if (all_us == 0) return "";
  std::vector<std::pair<uint64_t, std::string>> largest;
  largest.reserve(us_of.size());
  for (const auto& [name, us] : us_of) largest.emplace_back(us, name);
  std::ranges::sort(largest, std::greater<>());
  constexpr size_t kMost = 8;
  largest.resize(std::min(largest.size(), kMost));
  std::string text = fmt::format("\nmost self time in {}:\n", Counted(examples, "example"));
  for (const auto& [us, name] : largest)
    text += fmt::format("  {:>5.1f}%  {}\n",
                        100.0 * static_cast<double>(us) / static_cast<double>(all_us), name);
  return text;
}

int WriteFlame(const StoreOptions& options, const store::RankRow& row, const std::string& collapsed,
               size_t examples) {
  model::Document document;
  std::string notes;
  std::string error;
  if (!formats::ImportCollapsed(collapsed, {.unit = formats::CountUnit::kMicroseconds}, &document,
                                &notes, &error) ||
      document.trees.empty()) {
    Complain(NameOf(options.store), "no example of this cause has stacks");
    return kExitBadData;
  }
  index::CleanDocument(&document);
  const index::DumpIndex index(document);
  const std::vector<Token> tokens = index.TreeTokens();
  render::FlameOptions flame;
  flame.title = row.subject.method.empty() ? row.subject.message : row.subject.method;
  flame.subtitle =
      fmt::format("{} of {}", Counted(examples, "example"), Counted(row.all.hangs, "hang"));
  return WriteOutput(options.picture, render::FlameSvg(*index.TreeOf(tokens.front()), flame));
}

int WriteExamples(const StoreOptions& options, const std::vector<store::Example>& examples) {
  std::error_code error;
  fs::create_directories(options.examples, error);
  int exit_code = kExitFine;
  for (const store::Example& example : examples) {
    // The name is a device's: its folders are not taken.
    std::string name = index::CleanText(fs::path(example.name).filename().string(), 150);
    if (name.empty() || name.starts_with('.')) name = store::ShortHash(example.id) + ".json";
    exit_code = std::max(exit_code,
                         WriteOutput((fs::path(options.examples) / name).string(), example.bytes));
  }
  return exit_code;
}

// The cause that has this id now, or a complaint.
bool FindCause(const StoreOptions& options, Engine* engine, const std::string& id,
               std::string* cause) {
  if (!store::FindCluster(engine, id, cause)) {
    Failed(options, *engine);
    return false;
  }
  if (!cause->empty()) return true;
  Complain(NameOf(options.store),
           fmt::format("has no cause '{}'; 'stillframe store rank' lists them", id));
  return false;
}

int Show(const StoreOptions& options) {
  store::RankOptions rank;
  if (!ReadRankOptions(options, &rank)) return kExitUsage;
  const std::unique_ptr<Engine> engine = Open(options, Access::kRead);
  if (!engine) return kExitBadData;
  if (!FindCause(options, engine.get(), options.cluster, &rank.cluster)) return kExitBadData;
  store::Ranking ranking;
  if (!store::Rank(engine.get(), rank, &ranking)) return Failed(options, *engine);
  if (!HasFacts(ranking)) return kExitUsage;
  if (ranking.rows.empty()) {
    Complain(NameOf(options.store), "has no hang of this cause with the facts of --where");
    return kExitBadData;
  }
  const store::RankRow& row = ranking.rows.front();
  std::vector<store::Example> examples;
  if (!store::Examples(engine.get(), row, &examples)) return Failed(options, *engine);
  int exit_code = kExitFine;
  NameFiles names;
  if (!names.Read(options.dumps.mappings, nullptr)) return kExitBadData;
  const std::string collapsed = Merged(examples, names);
  if (!options.collapsed.empty() || !options.picture.empty()) {
    if (!options.collapsed.empty()) exit_code = WriteOutput(options.collapsed, collapsed);
    if (!options.picture.empty())
      exit_code = std::max(exit_code, WriteFlame(options, row, collapsed, examples.size()));
  }
  if (!options.examples.empty()) exit_code = std::max(exit_code, WriteExamples(options, examples));
  std::map<uint64_t, uint64_t> histogram;
  if (!store::Histogram(engine.get(), row, &histogram)) return Failed(options, *engine);
  std::string text =
      options.as_json ? store::RankJson(ranking) : store::ClusterText(ranking, histogram);
  if (!options.as_json) {
    text += SelfText(collapsed, examples.size());
    text += "\nexamples:\n";
    for (const store::Example& example : examples) text += "  " + example.name + "\n";
  }
  return std::max(exit_code, WriteOutput(options.output, text));
}

// The others

int Check(const StoreOptions& options) {
  const std::unique_ptr<Engine> engine = Open(options, Access::kWrite);
  if (!engine) return kExitBadData;
  if (!engine->Check()) return Failed(options, *engine);
  std::string out;
  for (const store::Table* table : store::kTables) {
    if (table == &store::kKept || table == &store::kMeta) continue;
    if (!engine->Select(fmt::format("SELECT count(*) FROM {}", engine->From(*table)),
                        [&](std::span<const store::Cell> cells) {
                          out += fmt::format(
                              "{:<12} {:>12}\n", table->name,
                              index::Grouped(static_cast<uint64_t>(cells[0].Integer())));
                          return true;
                        }))
      return Failed(options, *engine);
  }
  uint64_t lost = 0;
  if (!engine->Select(
          fmt::format("SELECT count(*) FROM {} WHERE signature NOT IN (SELECT signature "
                      "FROM {})",
                      engine->From(store::kHangs), engine->From(store::kSignatures)),
          [&lost](std::span<const store::Cell> cells) {
            lost = static_cast<uint64_t>(cells[0].Integer());
            return true;
          }))
    return Failed(options, *engine);
  if (Stamp(engine.get()).starts_with("busy"))
    out += "a run that added files was killed, or goes on: add the same files again\n";
  if (lost != 0) {
    Complain(NameOf(options.store),
             fmt::format("{} have no names; add their files again", Counted(lost, "hang")));
    return kExitBadData;
  }
  return WriteOutput("-", out + "fine\n");
}

int Compact(const StoreOptions& options) {
  const std::unique_ptr<Engine> engine = Open(options, Access::kWrite);
  if (!engine) return kExitBadData;
  const uint64_t today = NowMs() / 86'400'000;
  if (options.keep_days != 0) {
    const std::string old = fmt::format("added_day + {} <= {}", options.keep_days, today);
    const std::string examples = fmt::format("id NOT IN (SELECT id FROM {})", store::kHangs.name);
    if (!store::BeginChange(engine.get()) || !engine->Delete(store::kHangs, old) ||
        !engine->Delete(store::kSessions, old) || !engine->Delete(store::kExamples, examples) ||
        !store::EndChange(engine.get())) {
      engine->Rollback();
      return Failed(options, *engine);
    }
  }
  if (!store::RemoveSpareExamples(engine.get()) || !engine->Delete(store::kKept, "version > 0") ||
      !engine->Compact())
    return Failed(options, *engine);
  return kExitFine;
}

int Forget(const StoreOptions& options) {
  const std::unique_ptr<Engine> engine = Open(options, Access::kWrite);
  if (!engine) return kExitBadData;
  std::string hashes;
  std::vector<store::Row> rows;
  for (const std::string& install : options.installs) {
    const std::string hash = std::to_string(store::KeyHash(install));
    hashes += (hashes.empty() ? "" : ", ") + hash;
    rows.push_back({hash, store::NowNs()});
  }
  const std::string theirs = fmt::format("install IN ({})", hashes);
  std::vector<uint64_t> removed;
  for (const store::Table* table : {&store::kHangs, &store::kSessions})
    if (!engine->Select(
            fmt::format("SELECT count(*) FROM {} WHERE {}", engine->From(*table), theirs),
            [&removed](std::span<const store::Cell> cells) {
              removed.push_back(static_cast<uint64_t>(cells[0].Integer()));
              return true;
            }))
      return Failed(options, *engine);
  // The list comes first, so that a kill here leaves the install on it.
  const bool is_done =
      store::BeginChange(engine.get()) && engine->Insert(store::kForgotten, rows) &&
      engine->Delete(store::kExamples, fmt::format("id IN (SELECT id FROM {} WHERE {})",
                                                   store::kHangs.name, theirs)) &&
      engine->Delete(store::kHangs, theirs) && engine->Delete(store::kSessions, theirs) &&
      engine->Delete(store::kKept, "version > 0") && store::EndChange(engine.get());
  if (!is_done) {
    engine->Rollback();
    return Failed(options, *engine);
  }
  fmt::print("removed {} and {} of {}\n", Counted(removed[0], "record"),
             Counted(removed[1], "heartbeat"), Counted(rows.size(), "install"));
  return kExitFine;
}

int Decide(const StoreOptions& options, bool merges) {
  const std::unique_ptr<Engine> engine = Open(options, Access::kWrite);
  if (!engine) return kExitBadData;
  std::vector<store::Row> rows;
  std::string into;
  if (merges && !FindCause(options, engine.get(), options.cluster, &into)) return kExitBadData;
  for (const std::string& id : options.others) {
    std::string now;
    if (!FindCause(options, engine.get(), id, &now)) return kExitBadData;
    constexpr size_t kPartDigits = 16;
    if (!merges)
      rows.push_back({id, store::NowNs(), id});
    else if (now != into)  // a cause brings along what was merged into it
      rows.push_back({id.size() == kPartDigits ? id : now, store::NowNs(), into});
  }
  // A cause that others belong to is where their ways end.
  if (merges) rows.push_back({into, store::NowNs(), into});
  if (!store::BeginChange(engine.get()) || !engine->Insert(store::kDecisions, rows) ||
      !store::EndChange(engine.get())) {
    engine->Rollback();
    return Failed(options, *engine);
  }
  return kExitFine;
}

// Other bytes than text are written in hexadecimal digits.
std::string Printable(std::string_view text) {
  std::string without(text);
  std::erase_if(without, [](char c) { return c == '\n' || c == '\t'; });
  if (index::IsClean(without)) return std::string(text);
  std::string out;
  for (const char c : text) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string CsvCell(const store::Cell& cell) {
  if (cell.type != store::Cell::Type::kText) return std::string(cell.text);
  std::string text = Printable(cell.text);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

nlohmann::ordered_json JsonCell(const store::Cell& cell) {
  switch (cell.type) {
    case store::Cell::Type::kNull: return nullptr;
    case store::Cell::Type::kInteger: {
      uint64_t number = 0;
      const char* end = cell.text.data() + cell.text.size();
      if (std::from_chars(cell.text.data(), end, number).ptr == end) return number;
      return cell.Integer();
    }
    case store::Cell::Type::kReal: {
      // Twelve digits, so that the engines' ways to add do not show.
      const double value = std::strtod(std::string(cell.text).c_str(), nullptr);
      return std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
    }
    case store::Cell::Type::kText: return Printable(cell.text);
  }
  return nullptr;
}

int Query(const StoreOptions& options) {
  const std::unique_ptr<Engine> engine = Open(options, Access::kRead);
  if (!engine) return kExitBadData;
  std::string out;
  std::vector<std::string> names;
  const bool is_csv = options.format == "csv";
  const bool is_done = engine->Select(
      options.sql, true,
      [&](std::span<const std::string> columns) {
        names.assign(columns.begin(), columns.end());
        for (size_t i = 0; is_csv && i < names.size(); ++i)
          out +=
              (i == 0 ? "" : ",") + CsvCell({.type = store::Cell::Type::kText, .text = names[i]});
        if (is_csv) out += "\n";
      },
      [&](std::span<const store::Cell> cells) {
        if (is_csv) {
          for (size_t i = 0; i < cells.size(); ++i) {
            // Each engine has its own form of a fraction.
            const bool is_real = cells[i].type == store::Cell::Type::kReal;
            out += (i == 0 ? "" : ",") + (is_real ? JsonCell(cells[i]).dump() : CsvCell(cells[i]));
          }
        } else {
          nlohmann::ordered_json row = nlohmann::ordered_json::object();
          for (size_t i = 0; i < cells.size(); ++i) row[names[i]] = JsonCell(cells[i]);
          out += row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        }
        out += "\n";
        return true;
      });
  if (!is_done) return Failed(options, *engine);
  return WriteOutput(options.output, out);
}

}  // namespace

void AddStore(CLI::App* app, Action* action) {
  auto options = std::make_shared<StoreOptions>();
  CLI::App* verb =
      app->add_subcommand("store", "Keep the records of a fleet, and rank what they cost users");
  verb->require_subcommand(1);
  const auto sub = [&](const char* name, const char* what, int (*run)(const StoreOptions&)) {
    CLI::App* added = verb->add_subcommand(name, what);
    added
        ->add_option("--to,--in", options->store,
                     "The store: a file, or clickhouse://[USER:PASSWORD@]HOST:PORT/DATABASE")
        ->required()
        ->option_text("STORE");
    added->callback([options, action, run] { *action = [options, run] { return run(*options); }; });
    return added;
  };
  const auto conditions = [&](CLI::App* to) {
    to->add_option("--by", options->by,
                   "Divide each row by these facts: version, api, model, memory, process, scene, "
                   "package, or another name in the records")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->take_all()
        ->option_text("NAME[,NAME]");
    to->add_option("--where", options->where,
                   "Count only records and heartbeats with this fact; may be repeated")
        ->allow_extra_args(false)
        ->take_all()
        ->option_text("NAME=VALUE");
    to->add_option("--percent", options->percents,
                   "The percentage of installs that take part, of all or of those with a fact; "
                   "may be repeated")
        ->allow_extra_args(false)
        ->take_all()
        ->option_text("[NAME=VALUE:]P");
    to->add_flag("--json", options->as_json, "Write JSON instead of a table");
    to->add_option("-o,--output", options->output, "The table; - is standard output (default: -)");
  };
  CLI::App* add = sub("add", "Add records, heartbeats, dumps and other tools' files", Add);
  add->add_option("PATH", options->inputs,
                  "Files, folders, archives (tar, zip), JSON lines; - is standard input")
      ->required();
  add->add_flag("--watch", options->watches,
                "Follow the folders, not those in them, until SIGINT or SIGTERM");
  AddDumpOptions(add, &options->dumps);
  AddAppOption(add, &options->dumps);
  CLI::App* rank = sub("rank", "List the causes of hangs by the time that users lost", Rank);
  conditions(rank);
  rank->add_option("--rows", options->rows, "How many causes to list (default: 20)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
  CLI::App* show = sub("show", "Show one cause, its parts and examples", Show);
  show->add_option("CAUSE", options->cluster, "Its id, as 'rank' shows it")->required();
  conditions(show);
  show->add_option("--collapsed", options->collapsed, "Write the examples' stacks, merged");
  show->add_option("--svg", options->picture, "Draw the examples' flame graph, merged");
  show->add_option("--examples", options->examples, "Write at most 20 examples into this folder")
      ->option_text("DIR");
  AddDumpOptions(show, &options->dumps);
  sub("check", "Check that the store is whole; bring its tables up to date", Check)
      ->footer("Example:\n  stillframe store check --in fleet.db");
  CLI::App* compact = sub("compact", "Free the space of what was replaced or removed", Compact);
  compact
      ->add_option("--keep", options->keep_days, "First remove what was added before so many days")
      ->check(CLI::Range(1U, 100'000U))
      ->option_text("DAYS");
  CLI::App* forget = sub("forget", "Remove all of an install, for good", Forget);
  forget->add_option("--install", options->installs, "Its id; may be repeated")
      ->required()
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("ID");
  CLI::App* merge = sub("merge", "Count causes as one from now on",
                        [](const StoreOptions& asked) { return Decide(asked, true); });
  merge->add_option("INTO", options->cluster, "The cause that stays")->required();
  merge->add_option("CAUSE", options->others, "Causes or parts that belong to it")->required();
  CLI::App* split = sub("split", "Count causes or parts on their own from now on",
                        [](const StoreOptions& asked) { return Decide(asked, false); });
  split->add_option("CAUSE", options->others, "Causes or parts, as 'show' lists them")->required();
  CLI::App* query = sub("query", "Answer SQL over the store's tables", Query);
  query->add_option("SQL", options->sql, "One statement that reads")->required();
  query->add_option("--format", options->format, "csv (default) or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->option_text("NAME");
  query->add_option("-o,--output", options->output,
                    "The answer; - is standard output (default: -)");
  add->footer("Example:\n  stillframe store add records/ --watch --to fleet.db");
  rank->footer("Example:\n  stillframe store rank --in fleet.db --by version,model");
  show->footer("Example:\n  stillframe store show 445e5c05a8d4 --in fleet.db");
  forget->footer("Example:\n  stillframe store forget --install 1dce125a97409993 --in fleet.db");
  compact->footer("Example:\n  stillframe store compact --in fleet.db --keep 90");
  merge->footer("Example:\n  stillframe store merge 445e5c05a8d4 445e5c05a8d4 --in fleet.db");
  split->footer("Example:\n  stillframe store split 445e5c05a8d4 --in fleet.db");
  query->footer(
      "Example:\n  stillframe store query 'SELECT model, sum(total_ms) FROM hangs GROUP BY model' "
      "--in fleet.db");
  verb->footer(
      "Example:\n  stillframe store add records/ --to fleet.db\n"
      "  stillframe store rank --in fleet.db --by version");
}

}  // namespace stillframe::verbs
