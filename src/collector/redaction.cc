// SPDX-License-Identifier: Apache-2.0
#include "src/collector/redaction.h"

#include <algorithm>
#include <string_view>

#include "src/model/context_names.h"

namespace stillframe::collector {
namespace {

using config::Omissions;
using config::Part;

constexpr char kOmitted[] = "left out by STILLFRAME_OMIT";

// Of anything that was dispatched or waits.
template <typename Message>
void ClearNames(Message* message) {
  message->target.clear();
  message->callback.clear();
  message->system_name.clear();
}

// A segment's name is of its stack.
template <typename Message>
void ClearMethod(Message* message) {
  if (message->segment != model::Segment::kNone) message->callback.clear();
}

void RedactMessage(const Omissions& omit, model::Message* message) {
  if (omit.Has(Part::kMessages)) ClearNames(message);
  if (omit.Has(Part::kThreads)) {
    message->lock_owner.clear();
    for (model::LockWait& wait : message->lock_waits) wait.owner.clear();
  }
  if (!omit.Has(Part::kStacks)) return;
  message->flags &= ~uint32_t{model::kMessageHasTree};
  for (model::LockWait& wait : message->lock_waits) wait.lock_class.clear();
  ClearMethod(message);
}

void RedactMessages(const Omissions& omit, model::Dump* dump) {
  for (model::Message& message : dump->history) RedactMessage(omit, &message);
  if (dump->running) RedactMessage(omit, &*dump->running);
  for (model::Looper& looper : dump->loopers)
    if (looper.running) RedactMessage(omit, &*looper.running);
  if (omit.Has(Part::kStacks))
    for (model::HistoryRecord& record : dump->records) ClearMethod(&record);
  if (!omit.Has(Part::kMessages)) return;
  for (model::HistoryRecord& record : dump->records) ClearNames(&record);
  for (model::PendingMessage& message : dump->pending) {
    ClearNames(&message);
    message.component.clear();
    message.object.reset();
  }
}

void RedactQueue(model::Dump* dump) {
  dump->pending.clear();
  dump->pending_total = 0;
  dump->pending_is_truncated = false;
  dump->pending_absent = kOmitted;
}

void RedactStacks(model::Dump* dump) {
  if (dump->thread_stacks) dump->thread_stacks = {kOmitted, dump->thread_stacks->threads, 0, 0, {}};
  dump->modules.clear();
}

// Anybody may have written anything there.
void RedactSections(const Omissions& omit, model::Dump* dump) {
  for (const Part part : {Part::kStacks, Part::kMessages, Part::kThreads, Part::kAnnotations})
    if (dump->sections && omit.Has(part)) dump->sections = {kOmitted, {}};
}

void RedactSetting(std::string_view name, model::Dump* dump) {
  for (model::NamedText& setting : dump->configuration)
    if (setting.name == name && !setting.value.empty()) setting.value = kOmitted;
}

void RedactThreads(model::Dump* dump) {
  RedactSetting("loopers", dump);
  if (dump->threads) dump->threads = {kOmitted, dump->threads->threads, {}};
  for (size_t i = 1; i < dump->loopers.size(); ++i) dump->loopers[i].thread.clear();
}

void RedactAnnotations(model::Dump* dump) {
  dump->annotations = {};
  if (!dump->jank) return;
  for (model::FrozenFrame& frame : dump->jank->frozen) frame.scene.clear();
  dump->jank->scenes.clear();
}

void RedactStack(model::Dump* dump) {
  std::erase_if(
      dump->context,
      [](const model::ContextEntry& entry) {
        return entry.name == model::context::kMainThreadStack;
      });
}

void RedactProcess(model::Dump* dump) {
  dump->identity.process_name.clear();
  dump->identity.uid = 0;
  std::erase_if(dump->context, [](const model::ContextEntry& entry) {
    return entry.group == model::context::kProcess;
  });
  // The folders of an application are named for it.
  for (model::Module& module : dump->modules) module.path.erase(0, module.path.rfind('/') + 1);
  RedactSetting("dump_dir", dump);
  RedactSetting("config", dump);
}

}  // namespace

void Redact(const Omissions& omit, model::Occasion* occasion) {
  if (!omit.Has(Part::kReason)) return;
  occasion->system_reason.clear();
  occasion->system_component.clear();
}

void Redact(const Omissions& omit, model::Dump* dump) {
  Redact(omit, static_cast<model::Occasion*>(dump));
  RedactMessages(omit, dump);
  if (omit.Has(Part::kQueue)) RedactQueue(dump);
  if (omit.Has(Part::kThreads)) RedactThreads(dump);
  if (omit.Has(Part::kStacks)) RedactStack(dump);
  if (omit.Has(Part::kStacks) || omit.Has(Part::kThreads)) RedactStacks(dump);
  RedactSections(omit, dump);
  if (omit.Has(Part::kContext)) dump->context.clear();
  if (omit.Has(Part::kAnnotations)) RedactAnnotations(dump);
  if (omit.Has(Part::kProcess)) RedactProcess(dump);
}

}  // namespace stillframe::collector
