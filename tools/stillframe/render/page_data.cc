// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/counters.h>

#include "src/model/message.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/fields_json.h"
#include "tools/stillframe/render/page_rows.h"
#include "tools/stillframe/render/page_sections.h"
#include "tools/stillframe/render/page_states.h"
#include "tools/stillframe/render/page_threads.h"
#include "tools/stillframe/words/wording.h"

// Defined in page_bundle.S.
extern "C" const char stillframe_verdicts[];
extern "C" const char stillframe_verdicts_end[];

namespace stillframe::render {
namespace {

using index::Truncated;
using nlohmann::ordered_json;

constexpr size_t kLongestName = 1000;
constexpr size_t kMaxNodes = 200'000;  // of one tree
constexpr uint32_t kMethodIsTruncated = 1;
constexpr uint32_t kMethodIsPlatform = 2;
constexpr uint32_t kMethodIsNative = 4;

ordered_json FactsJson(const Facts& facts) {
  ordered_json rows = ordered_json::array();
  for (const auto& [label, value] : facts) rows.push_back({label, value});
  return rows;
}

// CounterFacts with the meaning of each counter.
ordered_json CountersJson(const model::Document& document) {
  ordered_json rows = FactsJson(CounterFacts(document));
  for (size_t i = 0; i < rows.size(); ++i)
    if (const CounterRow* row = FindCounter(document.counters[i].name))
      rows[i].push_back(row->meaning);
  return rows;
}

// The text of docs/reading-a-report.md on a kind, below its example.
std::string Meaning(judge::Kind kind) {
  const std::string_view document(
      stillframe_verdicts, static_cast<size_t>(stillframe_verdicts_end - stillframe_verdicts));
  const std::string head = fmt::format("\n### `{}`\n", index::NameOf(kind));
  const size_t begin = document.find(head);
  if (begin == std::string_view::npos) return {};
  std::string_view text = document.substr(begin + head.size());
  text = text.substr(0, text.find("\n##"));
  std::string meaning;
  for (; !text.empty(); text.remove_prefix(std::min(text.find('\n') + 1, text.size()))) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.starts_with('>')) meaning += std::string(line) + "\n";
    if (line.size() == text.size()) break;
  }
  return meaning;
}

Facts SettingFacts(const model::Document& document) {
  Facts settings;
  for (const model::NamedText& setting : document.configuration)
    settings.emplace_back(Truncated(setting.name, 80), Truncated(setting.value, 300));
  return settings;
}

// The nodes of a tree that fit the page, in preorder without the root. A larger tree keeps the
// nodes with most samples; among equals, the first. No node loses its caller, because a caller
// precedes it and has at least as many samples.
std::vector<const model::Node*> NodesToShow(const model::TraceTree& tree) {
  const auto nodes = tree.nodes().subspan(1);
  uint32_t least = 0;
  size_t room_for_least = nodes.size();
  if (nodes.size() > kMaxNodes) {
    std::vector<uint32_t> counts;
    counts.reserve(nodes.size());
    for (const model::Node& node : nodes) counts.push_back(node.count);
    const auto last = counts.begin() + kMaxNodes - 1;
    std::nth_element(counts.begin(), last, counts.end(), std::greater<>());
    least = *last;
    room_for_least = static_cast<size_t>(std::count(counts.begin(), last + 1, least));
  }
  std::vector<const model::Node*> shown;
  shown.reserve(std::min(nodes.size(), kMaxNodes));
  for (const model::Node& node : nodes) {
    if (node.count > least) {
      shown.push_back(&node);
    } else if (node.count == least && room_for_least > 0) {
      --room_for_least;
      shown.push_back(&node);
    }
  }
  return shown;
}

// "name":[1,2,3],
template <typename Values, typename Get>
void AppendColumn(std::string* out, std::string_view name, const Values& values, Get get) {
  *out += fmt::format("\"{}\":[", name);
  bool is_first = true;
  std::array<char, 24> digits;
  for (const auto& value : values) {
    if (!is_first) *out += ',';
    is_first = false;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), get(value)).ptr;
    out->append(digits.data(), end);
  }
  *out += "],";
}

// Removes the comma after the last element.
std::string_view List(const std::string& elements) {
  return std::string_view(elements).substr(0, elements.empty() ? 0 : elements.size() - 1);
}

}  // namespace

PageData::PageData(std::string_view tool_version, size_t examples, std::string_view source_url)
    : tool_version_(tool_version), examples_(examples), source_url_(source_url) {}

void PageData::Forget(Cause* cause) {
  whole_.erase(cause->whole.back());
  cause->whole.pop_back();
}

void PageData::KeepExamples(Cause* cause) {
  std::vector<uint32_t>& whole = cause->whole;
  while (whole.size() > examples_ || (!whole.empty() && rows_[whole.back()].is_copy)) Forget(cause);
}

// Decides whether a dump is stored whole. Up to kMostWhole dumps, all are. Beyond that, each cause
// keeps some examples, copies are dropped, and so are the cheapest if there are still too many.
bool PageData::IsWhole(Cause* cause, uint32_t row) {
  rows_[row].is_copy = !cause->messages.insert(rows_[row].texts[PageRow::kMessageKey]).second;
  const auto is_better = [this](uint32_t a, uint32_t b) {
    return std::pair(rows_[b].is_copy, rows_[a].cost) > std::pair(rows_[a].is_copy, rows_[b].cost);
  };
  std::vector<uint32_t>& whole = cause->whole;
  const bool is_crowded = rows_.size() > kMostWhole;
  if (rows_.size() == kMostWhole + 1)
    for (auto& [ignored, each] : causes_) KeepExamples(&each);
  const auto place = std::upper_bound(whole.begin(), whole.end(), row, is_better);
  if (is_crowded &&
      (rows_[row].is_copy || place - whole.begin() >= static_cast<ptrdiff_t>(examples_)))
    return false;
  whole.insert(place, row);
  if (!is_crowded) return true;
  KeepExamples(cause);
  if (whole_.size() < kMostWhole) return true;
  Cause* cheapest = cause;
  for (auto& [ignored, each] : causes_)
    if (!each.whole.empty() && is_better(cheapest->whole.back(), each.whole.back()))
      cheapest = &each;
  const bool is_kept = cheapest->whole.back() != row;
  Forget(cheapest);
  return is_kept;
}

void PageData::Add(std::string_view name, const index::DumpIndex& index,
                   const judge::Verdict& verdict) {
  const model::Document& document = index.document();
  const words::Words words = words::Explain(verdict);
  const PageRow listed = PageRowOf(name, index, verdict, words.headline);
  Row row{.texts = {}, .taken = listed.taken, .cost = listed.cost};
  std::transform(listed.texts.begin(), listed.texts.end(), row.texts.begin(),
                 [this](const std::string& text) { return StringIndex(text); });
  if (rows_.empty()) first_ = {TitleOf(document, verdict), words, !document.damage.empty()};
  rows_.push_back(row);
  Cause& cause = causes_[{row.texts[PageRow::kKind], row.texts[PageRow::kFrame],
                          row.texts[PageRow::kMessage]}];
  ++cause.dumps;
  const auto row_id = static_cast<uint32_t>(rows_.size() - 1);
  if (!IsWhole(&cause, row_id)) return;
  ordered_json dump = {{"name", Truncated(name, 300)}, {"damage", ordered_json::array()}};
  for (const std::string& line : document.damage) dump["damage"].push_back(Truncated(line, 400));
  ordered_json left_out = ordered_json::object();
  AddFields(index, verdict, &dump, &left_out);
  std::vector<model::Message> orphans;
  for (const auto& [token, message] : index.orphans()) orphans.push_back(message);
  dump["page"] = {
      {"title", TitleOf(document, verdict)},
      {"origin", Origin(document, verdict)},
      {"certainty", words.confidence},
      {"meaning", Meaning(verdict.kind)},
      {"slow_ns", index.slow_ns()},
      {"left_out", std::move(left_out)},
      {"orphans", MessagesForPage(index, orphans)},
      {"queue", {{"head", PendingHead(document)}, {"absent", PendingAbsence(document)}}},
      {"health", HealthText(document)},
      {"costs", CountersJson(document)},
      {"context", PageContext(document)},
      {"stacks", PageStacks(document)},
      {"followed", FollowedThreads(index)},
      {"facts",
       ordered_json::array(
           {ordered_json::array({"Process and runtime", FactsJson(ProcessFacts(document))}),
            ordered_json::array({"Settings", FactsJson(SettingFacts(document))})})}};
  Whole& whole = whole_[row_id];
  whole.dump = dump.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  frames_of_dump_.assign(document.frames.size(), 0);
  for (const Token token : index.TreeTokens(verdict.token))
    AddTree(index, *index.MixedTraceOf(token), &whole.trees);
}

std::vector<std::pair<size_t, std::string_view>> PageData::Causes() const {
  std::vector<const Cause*> causes;
  for (const auto& [ignored, cause] : causes_)
    if (!cause.whole.empty()) causes.push_back(&cause);
  std::sort(causes.begin(), causes.end(), [this](const Cause* a, const Cause* b) {
    return rows_[a->whole.front()].cost > rows_[b->whole.front()].cost;
  });
  std::vector<std::pair<size_t, std::string_view>> told;
  told.reserve(causes.size());
  for (const Cause* cause : causes)
    told.emplace_back(cause->dumps,
                      *strings_in_order_[rows_[cause->whole.front()].texts[PageRow::kHeadline]]);
  return told;
}

uint32_t PageData::StringIndex(std::string text) {
  const auto [entry, is_new] =
      strings_.try_emplace(std::move(text), static_cast<uint32_t>(strings_.size()));
  if (is_new) strings_in_order_.push_back(&entry->first);
  return entry->second;
}

uint32_t PageData::FrameIndex(const index::DumpIndex& index, model::FrameId id) {
  const model::FrameTable& frames = index.document().frames;
  if (frames_of_dump_[id] != 0) return frames_of_dump_[id] - 1;
  const model::Frame& frame = frames.At(id);
  const bool is_truncated = frame.kind == model::FrameKind::kTruncated;
  const bool is_native = frame.kind == model::FrameKind::kNative;
  const std::string_view class_name = frames.String(frame.class_name);
  const uint32_t bits = (is_truncated ? kMethodIsTruncated : 0U) |
                        (index.own().Has(class_name) && !is_native ? 0U : kMethodIsPlatform) |
                        (is_native ? kMethodIsNative : 0U);
  const std::tuple method{
      StringIndex(index::MethodName(class_name, frames.MethodName(id), frame.kind, kLongestName)),
      StringIndex(Truncated(frames.String(frame.signature), kLongestName)),
      StringIndex(Truncated(frames.String(frame.source_file), kLongestName)), bits};
  const uint32_t method_id =
      method_ids_.try_emplace(method, static_cast<uint32_t>(method_ids_.size())).first->second;
  const uint32_t frame_id =
      frame_ids_.try_emplace({method_id, frame.line}, static_cast<uint32_t>(frame_ids_.size()))
          .first->second;
  frames_of_dump_[id] = frame_id + 1;
  return frame_id;
}

void PageData::AddTree(const index::DumpIndex& index, const model::TraceTree& tree,
                       std::string* out) {
  const std::vector<const model::Node*> nodes = NodesToShow(tree);
  *out += fmt::format(R"({{"token":"{}","taken":{},"cuts":{},"left":{},)", NumberOf(tree.token()),
                      tree.samples_added(), tree.truncated_stacks(),
                      tree.nodes().size() - 1 - nodes.size());
  AppendColumn(
      out, "frame", nodes, [&](const model::Node* node) { return FrameIndex(index, node->frame); });
  AppendColumn(
      out, "depth", nodes, [](const model::Node* node) { return node->depth; });
  AppendColumn(
      out, "offset", nodes, [](const model::Node* node) { return node->offset; });
  AppendColumn(
      out, "count", nodes, [](const model::Node* node) { return node->count; });
  AppendColumn(out, "weight", tree.samples(),
               [](const model::Sample& sample) { return sample.weight_us; });
  *out += "\"state\":\"" + PageStates(index, tree);
  *out += "\"},";
}

std::string PageData::Json() const {
  ordered_json strings = ordered_json::array();
  for (const std::string* text : strings_in_order_) strings.push_back(*text);
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> methods(method_ids_.size());
  for (const auto& [method, id] : method_ids_) methods[id] = method;
  std::vector<std::pair<uint32_t, int32_t>> frames(frame_ids_.size());
  for (const auto& [frame, id] : frame_ids_) frames[id] = frame;
  std::string out =
      fmt::format(R"({{"version":{},"sourceUrl":{},"strings":{},"methods":{{)",
                  ordered_json(tool_version_).dump(), ordered_json(source_url_).dump(),
                  strings.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  AppendColumn(
      &out, "name", methods, [](const auto& method) { return std::get<0>(method); });
  AppendColumn(
      &out, "signature", methods, [](const auto& method) { return std::get<1>(method); });
  AppendColumn(
      &out, "file", methods, [](const auto& method) { return std::get<2>(method); });
  AppendColumn(&out, "bits", methods, [](const auto& method) { return std::get<3>(method); });
  out.back() = '}';
  out += ",";
  AppendColumn(
      &out, "frameMethod", frames, [](const auto& frame) { return frame.first; });
  AppendColumn(&out, "frameLine", frames, [](const auto& frame) { return frame.second; });
  out += "\"list\":{";
  for (size_t i = 0; i < PageRow::kTextNames.size(); ++i)
    AppendColumn(
        &out, PageRow::kTextNames[i], rows_, [i](const Row& row) { return row.texts[i]; });
  AppendColumn(
      &out, "taken", rows_, [](const Row& row) { return row.taken; });
  AppendColumn(&out, "cost", rows_, [](const Row& row) { return row.cost; });
  std::vector<uint32_t> whole;
  for (const auto& [row, ignored] : whole_) whole.push_back(row);
  AppendColumn(&out, "whole", whole, std::identity());
  out.back() = '}';
  std::string_view before = ",\"dumps\":[";
  for (const auto& [ignored, each] : whole_) {
    out.append(before).append(each.dump);
    before = ",";
  }
  before = "],\"trees\":[[";
  for (const auto& [ignored, each] : whole_) {
    out.append(before).append(List(each.trees));
    before = "],[";
  }
  return out += "]]}";
}

}  // namespace stillframe::render
