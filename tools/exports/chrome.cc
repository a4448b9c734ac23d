// Trace events as about:tracing reads them ("Trace Event Format", sections "JSON Object Format",
// "Complete Events", "Stack frames" and "Global samples").
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/calltree/clean_text.h"
#include "tools/calltree/method_name.h"
#include "tools/exports/chosen_trees.h"
#include "tools/exports/exports.h"

namespace stillframe::exports {
namespace {

using nlohmann::ordered_json;

double Microseconds(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

ordered_json NameEvent(const char* what, uint32_t pid, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", pid}, {"args", {{"name", name}}}};
}

ordered_json CompleteEvent(const std::string& name, const char* category, uint32_t pid,
                           double start_us, double wall_us, ordered_json arguments) {
  return {{"ph", "X"},  {"name", name},   {"cat", category}, {"pid", pid},
          {"tid", pid}, {"ts", start_us}, {"dur", wall_us},  {"args", std::move(arguments)}};
}

// A call lasts as long as its samples stand for; each begins where the sample before it ended.
void AddCalls(const ChosenTree& chosen, const trace::FrameTable& frames, uint32_t pid,
              ordered_json* events) {
  std::vector<uint64_t> before_us = {0};
  for (const trace::Sample& sample : chosen.tree->samples()) {
    before_us.push_back(before_us.back() + sample.weight_us);
  }
  for (const trace::Node& node : chosen.tree->nodes().subspan(1)) {
    const uint64_t begin_us = before_us[node.offset];
    events->push_back(CompleteEvent(FrameName(frames, node.frame), "call", pid,
                                    Microseconds(chosen.start_ns) + static_cast<double>(begin_us),
                                    static_cast<double>(before_us[node.end()] - begin_us),
                                    {{"place", calltree::SourcePlace(FrameFile(frames, node.frame),
                                                                     frames.At(node.frame).line)},
                                     {"samples", node.count},
                                     {"token", chosen.tree->token()}}));
  }
}

}  // namespace

std::string Chrome(const verdict::Case& evidence, std::optional<uint64_t> token) {
  const dump::Document& document = evidence.document();
  const uint32_t pid = document.identity.pid;
  ordered_json events = {
      NameEvent("process_name", pid, calltree::CleanText(document.identity.process_name)),
      NameEvent("thread_name", pid, "main")};
  for (const dump::Message* message : ChooseMessages(evidence, token)) {
    events.push_back(CompleteEvent(
        MessageTitle(evidence, *message), "message", pid, Microseconds(message->start_ns),
        Microseconds(static_cast<uint64_t>(std::max<int64_t>(message->wall_ns, 0))),
        {{"token", message->token}, {"cpu_ns", message->cpu_ns}, {"wait_ns", message->wait_ns}}));
  }
  StackNumbers numbers;
  ordered_json samples = ordered_json::array();
  for (const ChosenTree& chosen : ChooseTrees(evidence, token)) {
    AddCalls(chosen, document.frames, pid, &events);
    const std::vector<uint32_t> stack_of_node = numbers.Add(*chosen.tree);
    const std::vector<trace::NodeId> innermost = InnermostNodes(*chosen.tree);
    for (uint32_t i = 0; i < chosen.tree->sample_count(); ++i) {
      const trace::Sample& sample = chosen.tree->samples()[i];
      samples.push_back(
          {{"cpu", 0},
           {"tid", pid},
           {"ts", Microseconds(chosen.start_ns) + static_cast<double>(sample.wall_us)},
           {"name", calltree::StateText(sample.state)},
           {"sf", std::to_string(stack_of_node[innermost[i]])},
           {"weight", sample.weight_us}});
    }
  }
  ordered_json stack_frames = ordered_json::object();
  stack_frames["0"] = {{"name", "[empty stack]"}, {"category", "call"}};
  for (size_t i = 1; i < numbers.stacks().size(); ++i) {
    const StackNumbers::Stack& stack = numbers.stacks()[i];
    ordered_json frame = {{"name", FrameName(document.frames, stack.frame)}, {"category", "call"}};
    if (stack.parent != 0) {
      frame["parent"] = std::to_string(stack.parent);
    }
    stack_frames[std::to_string(i)] = std::move(frame);
  }
  const ordered_json json = {{"displayTimeUnit", "ms"},
                             {"otherData", {{"verdict", evidence.verdict().sentence}}},
                             {"traceEvents", std::move(events)},
                             {"stackFrames", std::move(stack_frames)},
                             {"samples", std::move(samples)}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stillframe::exports
