// SPDX-License-Identifier: Apache-2.0
// Trace events as about:tracing reads them ("Trace Event Format", sections "JSON Object Format",
// "Complete Events", "Stack frames" and "Global samples").
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/exports/chosen_trees.h"
#include "tools/stillframe/exports/exports.h"
#include "tools/stillframe/index/trace_sections.h"

namespace stillframe::exports {
namespace {

using nlohmann::ordered_json;

double Microseconds(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

std::string Text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// An array or object of the file, written entry by entry: a tree may have a million of them.
class List {
 public:
  List(char open, char close) : text_(1, open), close_(close) {}

  void Add(const ordered_json& value) {
    text_ += is_empty_ ? "\n" : ",\n";
    text_ += Text(value);
    is_empty_ = false;
  }
  void Add(const std::string& key, const ordered_json& value) {
    text_ += is_empty_ ? "\n" : ",\n";
    text_ += Text(key) + ":" + Text(value);
    is_empty_ = false;
  }
  std::string Take() { return std::move(text_ += close_); }

 private:
  std::string text_;
  char close_;
  bool is_empty_ = true;
};

ordered_json NameEvent(const char* what, uint32_t pid, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", pid}, {"args", {{"name", name}}}};
}

ordered_json CompleteEvent(const std::string& name, const char* category, uint32_t pid,
                           double start_us, double wall_us, ordered_json arguments) {
  return {{"ph", "X"},  {"name", name},   {"cat", category}, {"pid", pid},
          {"tid", pid}, {"ts", start_us}, {"dur", wall_us},  {"args", std::move(arguments)}};
}

void AddMessages(const index::DumpIndex& index, std::optional<uint64_t> token, List* events) {
  const uint32_t pid = index.document().identity.pid;
  for (const model::Message* message : ChooseMessages(index, token)) {
    events->Add(CompleteEvent(
        MessageTitle(index, *message), "message", pid, Microseconds(message->start_ns),
        Microseconds(EndNs(*message) - message->start_ns),
        {{"token", message->token}, {"cpu_ns", message->cpu_ns}, {"wait_ns", message->wait_ns}}));
  }
}

// A call lasts as long as its samples stand for; each begins where the sample before it ended.
void AddCalls(const ChosenTree& chosen, const trace::FrameTable& frames, uint32_t pid,
              List* events) {
  std::vector<uint64_t> before_us = {0};
  for (const trace::Sample& sample : chosen.tree->samples())
    before_us.push_back(before_us.back() + sample.weight_us);
  for (const trace::Node& node : chosen.tree->nodes().subspan(1)) {
    const uint64_t begin_us = before_us[node.offset];
    events->Add(CompleteEvent(FrameName(frames, node.frame), "call", pid,
                              Microseconds(chosen.start_ns) + static_cast<double>(begin_us),
                              static_cast<double>(before_us[node.end()] - begin_us),
                              {{"place", calltree::SourcePlace(FrameFile(frames, node.frame),
                                                               frames.At(node.frame).line)},
                               {"samples", node.count},
                               {"token", chosen.tree->token()}}));
  }
}

// On rows of their own below the threads: they need not lie within messages.
void AddSections(const model::Document& document, const index::TraceSlices& slices, List* events) {
  constexpr uint32_t kFirstRow = 1U << 22;  // above all thread ids
  const uint32_t pid = document.identity.pid;
  uint32_t named = UINT32_MAX;
  for (size_t i = 0; i < slices.all().size(); ++i) {
    const index::TraceSlice& slice = slices.all()[i];
    const uint32_t row = kFirstRow + slice.looper;
    if (slice.looper != named) {
      named = slice.looper;
      const bool is_main = named == 0 || named >= document.loopers.size();
      ordered_json name = NameEvent(
          "thread_name", pid, (is_main ? "main" : document.loopers[named].thread) + ": sections");
      name["tid"] = row;
      events->Add(name);
    }
    ordered_json event = CompleteEvent(slice.name, "section", pid, Microseconds(slice.begin_ns),
                                       Microseconds(slice.length_ns()), {{"open", slice.is_open}});
    event["tid"] = row;
    if (!slice.is_async) {
      events->Add(event);
      continue;
    }
    event.erase("dur");
    event["id"] = i;
    event["ph"] = "b";
    events->Add(event);
    event["ph"] = "e";
    event["ts"] = Microseconds(slice.end_ns);
    events->Add(event);
  }
}

void AddSamples(const ChosenTree& chosen, const index::TraceSlices& slices, uint32_t pid,
                StackNumbers* numbers, List* samples) {
  const std::vector<uint32_t> stack_of_node = numbers->Add(*chosen.tree);
  const std::vector<trace::NodeId> innermost = InnermostNodes(*chosen.tree);
  const auto sections = slices.OfSamples(*chosen.tree, chosen.start_ns);
  for (uint32_t i = 0; i < chosen.tree->sample_count(); ++i) {
    const trace::Sample& sample = chosen.tree->samples()[i];
    ordered_json event = {
        {"cpu", 0},
        {"tid", pid},
        {"ts", Microseconds(chosen.start_ns) + static_cast<double>(sample.wall_us)},
        {"name", calltree::StateText(sample.state)},
        {"sf", std::to_string(stack_of_node[innermost[i]])},
        {"weight", sample.weight_us}};
    if (sections[i]) event["section"] = slices.all()[*sections[i]].name;
    samples->Add(event);
  }
}

std::string StackFrames(const trace::FrameTable& frames, const StackNumbers& numbers) {
  List list('{', '}');
  list.Add("0", {{"name", "[empty stack]"}, {"category", "call"}});
  for (size_t i = 1; i < numbers.stacks().size(); ++i) {
    const StackNumbers::Stack& stack = numbers.stacks()[i];
    ordered_json frame = {{"name", FrameName(frames, stack.frame)}, {"category", "call"}};
    if (stack.parent != 0) frame["parent"] = std::to_string(stack.parent);
    list.Add(std::to_string(i), frame);
  }
  return list.Take();
}

}  // namespace

uint64_t CallsIn(const index::DumpIndex& index, std::optional<uint64_t> token) {
  uint64_t calls = 0;
  for (const ChosenTree& chosen : ChooseTrees(index, token))
    calls += chosen.tree->nodes().size() - 1;
  return calls;
}

std::string Chrome(const index::DumpIndex& index, const verdict::Verdict& verdict,
                   std::optional<uint64_t> token) {
  const model::Document& document = index.document();
  const uint32_t pid = document.identity.pid;
  const std::vector<ChosenTree> trees = ChooseTrees(index, token);
  List events('[', ']');
  events.Add(NameEvent("process_name", pid, document.identity.process_name));
  events.Add(NameEvent("thread_name", pid, "main"));
  AddMessages(index, token, &events);
  const index::TraceSlices slices(document);
  AddSections(document, slices, &events);
  const bool has_calls = CallsIn(index, token) <= kMaxCalls;
  StackNumbers numbers;
  List samples('[', ']');
  for (const ChosenTree& chosen : trees) {
    if (has_calls) AddCalls(chosen, document.frames, pid, &events);
    AddSamples(chosen, slices, pid, &numbers, &samples);
  }
  std::string out = "{\"displayTimeUnit\":\"ms\",\n\"otherData\":";
  out += Text({{"verdict", verdict.sentence}});
  out += ",\n\"traceEvents\":" + events.Take();
  out += ",\n\"stackFrames\":" + StackFrames(document.frames, numbers);
  return out + ",\n\"samples\":" + samples.Take() + "}\n";
}

}  // namespace stillframe::exports
