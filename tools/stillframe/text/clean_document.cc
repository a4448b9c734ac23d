// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/text/clean_document.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "tools/stillframe/text/clean_text.h"

namespace stillframe::text {
namespace {

// As large as the reader's.
constexpr trace::TreeLimits kTreeLimits = {.max_samples = 1U << 23, .max_nodes = 1U << 26};

void Clean(std::string* text) {
  if (!IsClean(*text)) *text = CleanText(*text);
}

template <typename... Texts>
void CleanAll(Texts*... texts) {
  (Clean(texts), ...);
}

void CleanIdentity(model::Identity* identity) {
  CleanAll(&identity->process_name, &identity->abi, &identity->art_release, &identity->art_build_id,
           &identity->profiler_version, &identity->sampler_state, &identity->tap);
}

void CleanMessage(model::Message* message) {
  CleanAll(&message->target, &message->callback, &message->system_name, &message->lock_owner);
  for (model::LockWait& wait : message->lock_waits) CleanAll(&wait.owner, &wait.lock_class);
}

void CleanQueue(model::Document* document) {
  CleanAll(&document->pending_source, &document->pending_absent);
  for (model::PendingMessage& message : document->pending) {
    CleanAll(&message.target, &message.callback, &message.system_name, &message.component);
    if (message.object) CleanAll(&message.object->type, &message.object->text);
  }
}

void CleanLoopers(model::Document* document) {
  for (model::Looper& looper : document->loopers) {
    CleanAll(&looper.thread, &looper.tap);
    if (looper.running) CleanMessage(&*looper.running);
  }
}

void CleanHistory(model::Document* document) {
  for (model::Message& message : document->history) CleanMessage(&message);
  if (document->running) CleanMessage(&*document->running);
  for (model::HistoryRecord& record : document->records)
    CleanAll(&record.target, &record.callback, &record.system_name);
}

void CleanJank(model::Jank* jank) {
  Clean(&jank->absent);
  for (model::FrozenFrame& frame : jank->frozen) Clean(&frame.scene);
  for (model::SceneShare& share : jank->scenes) Clean(&share.scene);
}

void CleanThreads(model::ThreadTable* table) {
  Clean(&table->absent);
  for (model::ThreadRow& row : table->rows) {
    Clean(&row.name);
    row.state = row.state > ' ' && row.state <= '~' ? row.state : '?';
  }
}

void CleanStacks(model::ThreadStacks* stacks) {
  Clean(&stacks->absent);
  for (model::ThreadStack& stack : stacks->stacks) {
    CleanAll(&stack.name, &stack.absent, &stack.wait_class, &stack.native_absent);
    for (model::NativeFrame& frame : stack.native) CleanAll(&frame.symbol, &frame.place);
  }
}

void CleanSections(model::TraceSections* sections) {
  Clean(&sections->absent);
  for (model::LooperSections& of_looper : sections->loopers)
    for (model::TraceEvent& event : of_looper.events) CleanAll(&event.name, &event.track);
}

void CleanFacts(model::Document* document) {
  for (model::NamedText& setting : document->configuration) CleanAll(&setting.name, &setting.value);
  for (model::NamedCount& counter : document->counters) Clean(&counter.name);
  for (model::ContextEntry& entry : document->context)
    CleanAll(&entry.group, &entry.name, &entry.text);
  Clean(&document->annotations.scene);
  for (model::Annotation& annotation : document->annotations.entries)
    CleanAll(&annotation.name, &annotation.value);
}

void CleanReport(model::SignalCatcherText* report) {
  CleanAll(&report->source, &report->absent);
  std::string lines;
  for (size_t begin = 0; begin < report->text.size();) {
    const size_t end = std::min(report->text.find('\n', begin), report->text.size());
    lines += CleanText(std::string_view(report->text).substr(begin, end - begin));
    lines += end < report->text.size() ? "\n" : "";
    begin = end + 1;
  }
  report->text = std::move(lines);
}

bool AreClean(const trace::FrameTable& frames) {
  for (trace::StringId id = 0; id < frames.string_count(); ++id)
    if (!IsClean(frames.String(id))) return false;
  return true;
}

// Room for texts of which every byte is written out, as "\xNN".
trace::FrameTableLimits RoomFor(const trace::FrameTable& frames) {
  const uint64_t bytes = uint64_t{frames.string_bytes()} * 4 + 4096;
  return {.max_frames = frames.size() + 1,
          .max_strings = frames.string_count() + 1,
          .max_string_bytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, 1U << 30U))};
}

void CleanFrames(model::Document* document) {
  const trace::FrameTable& old = document->frames;
  trace::FrameTable frames(RoomFor(old));
  std::vector<trace::FrameId> clean;  // by frame of `old`
  clean.reserve(old.size());
  for (trace::FrameId id = 0; id < old.size(); ++id) {
    const trace::Frame& frame = old.At(id);
    clean.push_back(frames.InternFrame(
        CleanText(old.String(frame.class_name)), CleanText(old.String(frame.method_name)),
        CleanText(old.String(frame.signature)), CleanText(old.String(frame.source_file)),
        frame.line, frame.kind));
  }
  for (trace::TraceTree& tree : document->trees) {
    trace::TraceTree rebuilt(tree.token(), kTreeLimits);
    std::vector<trace::FrameId> stack;
    tree.ForEachStack(
        [&](uint32_t, std::span<const trace::FrameId> raw, const trace::Sample& sample) {
          stack.clear();
          for (const trace::FrameId id : raw) stack.push_back(clean[id]);
          rebuilt.Add(stack, sample);
        });
    rebuilt.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
    tree = std::move(rebuilt);
  }
  if (document->thread_stacks)
    for (model::ThreadStack& stack : document->thread_stacks->stacks)
      for (trace::FrameId& id : stack.frames) id = clean[id];
  document->frames = std::move(frames);
}

}  // namespace

void CleanDocument(model::Document* document) {
  CleanAll(&document->trigger_detail, &document->trigger_confirmed, &document->system_reason,
           &document->system_component);
  CleanIdentity(&document->identity);
  CleanFacts(document);
  CleanHistory(document);
  CleanQueue(document);
  CleanLoopers(document);
  if (document->jank) CleanJank(&*document->jank);
  if (document->threads) CleanThreads(&*document->threads);
  if (document->thread_stacks) CleanStacks(&*document->thread_stacks);
  for (model::Module& module : document->modules) CleanAll(&module.path, &module.build_id);
  if (document->sections) CleanSections(&*document->sections);
  if (document->signal_catcher) CleanReport(&*document->signal_catcher);
  if (!AreClean(document->frames)) CleanFrames(document);
  for (std::string& line : document->damage) Clean(&line);
}

}  // namespace stillframe::text
