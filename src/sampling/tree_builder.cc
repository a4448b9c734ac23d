// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/tree_builder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "src/art/monitor_owner.h"
#include "src/core/counters.h"

namespace stillframe::sampling {
namespace {

uint32_t Microseconds(uint64_t ns) {
  return static_cast<uint32_t>(std::min<uint64_t>(ns / 1000, UINT32_MAX));
}

}  // namespace

void TreeBuilder::Start(Token token, uint64_t start_ns, uint64_t start_cpu_ns) {
  tree_.Reset(token);
  start_ns_ = start_ns;
  start_cpu_ns_ = start_cpu_ns;
  last_wall_ns_ = start_ns;
  not_blocked_ns_ = start_ns;
  last_state_ = model::ThreadState::kUnknown;
  holders_.Clear();
}

model::Sample TreeBuilder::SampleAt(uint64_t wall_ns, uint64_t cpu_ns, model::ThreadState state) {
  // The handler's sample can be a little older than one that the collector took before.
  wall_ns = std::max(wall_ns, last_wall_ns_);
  const model::Sample sample{
      Microseconds(wall_ns - start_ns_),
      Microseconds(wall_ns - start_ns_) - Microseconds(last_wall_ns_ - start_ns_),
      Microseconds(cpu_ns > start_cpu_ns_ ? cpu_ns - start_cpu_ns_ : 0), state};
  last_wall_ns_ = wall_ns;
  last_state_ = state;
  if (state != model::ThreadState::kBlocked) not_blocked_ns_ = wall_ns;
  return sample;
}

// stack_ is innermost first here. If it lacks frames, the tree keeps fewer of them, since each
// change beyond the marker costs a node per frame. Inlined methods can make a complete stack too
// deep.
void TreeBuilder::ShortenStack(const DeepMark& mark, uint32_t max_depth) {
  constexpr size_t kInnermost = 256;
  constexpr size_t kOutermost = 64;
  const bool lacks_frames = mark.place != SIZE_MAX;
  if (!lacks_frames && stack_.size() <= max_depth) return;
  size_t begin = std::min(kInnermost, mark.place);
  if (mark.missing == core::kNoDexPc) {  // the outermost managed frames are unknown
    stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(begin),
                 stack_.begin() + static_cast<ptrdiff_t>(mark.place));
    return;
  }
  size_t end = stack_.size() - std::min(stack_.size(), kOutermost);
  if (lacks_frames) end = std::max(end, mark.place + 1);
  const auto had_to = static_cast<uint32_t>(mark.missing + end - begin - (lacks_frames ? 1 : 0));
  const uint32_t missing = core::FrameSink::RoundMissing(had_to, static_cast<uint32_t>(begin));
  begin -= missing - had_to;
  stack_[begin] = names_.MissingFrames(missing);
  stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(begin) + 1,
               stack_.begin() + static_cast<ptrdiff_t>(end));
}

void TreeBuilder::AddStack(const core::RawSample& sample) {
  if (sample.truncation != core::Truncation::kNone) {
    core::Counters::Add(Counter::kSamplesCut);
    core::Counters::Add(core::kTruncationRows[static_cast<size_t>(sample.truncation)].counter);
  }
  tree_.Add(stack_, SampleAt(sample.wall_ns, sample.cpu_ns,
                             StateOf(facts_.layout->state_name(sample.thread_state))));
}

// A managed method is in this state only while it waits for a class (ART 10 to 14
// runtime/class_linker.cc, EnsureResolved and WaitForInitializeClass).
model::ThreadState TreeBuilder::StateOf(model::ThreadState state) const {
  if (state != model::ThreadState::kWaiting) return state;
  for (auto id = stack_.rbegin(); id != stack_.rend(); ++id) {
    const model::Frame& frame = frame_table_.At(*id);
    if (frame.kind == model::FrameKind::kNative) continue;
    const bool is_managed = frame.kind != model::FrameKind::kJni &&
                            frame.kind != model::FrameKind::kTruncated &&
                            frame.line != model::kLineNative;
    return is_managed ? model::ThreadState::kWaitingForClass : state;
  }
  return state;
}

std::string TreeBuilder::TextOf(std::span<const core::RawFrame> frames) {
  std::string text;
  model::FrameId ids[names::MethodNames::kMaxFrames];
  for (const core::RawFrame& raw : frames) {
    for (const model::FrameId id : std::span(ids, names_.Resolve(raw, ids))) {
      if (!text.empty()) text += " < ";
      text += TextOf(id);
    }
  }
  return text;
}

bool TreeBuilder::IsMethod(const core::RawFrame& raw, std::string_view class_name,
                           std::string_view method_name) {
  model::FrameId ids[names::MethodNames::kMaxFrames];
  return names_.Resolve(raw, ids) != 0 && frame_table_.MethodName(ids[0]) == method_name &&
         frame_table_.ClassName(ids[0]) == class_name;
}

std::string TreeBuilder::TextOf(model::FrameId id) const {
  const model::Frame& frame = frame_table_.At(id);
  std::string text;
  if (frame.kind != model::FrameKind::kTruncated)
    text.append(frame_table_.ClassName(id)).append(".");
  text += frame_table_.MethodName(id);
  if (frame.line > 0) {
    text.append("(")
        .append(frame_table_.String(frame.source_file))
        .append(":")
        .append(std::to_string(frame.line))
        .append(")");
  }
  return text;
}

std::string TreeBuilder::NewestStack(size_t max_bytes) const {
  std::string stack;
  const std::span<const model::NodeId> path = tree_.newest_stack();
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    const std::string frame = TextOf(tree_.At(*node).frame) + "\n";
    if (stack.size() + frame.size() > max_bytes) break;
    stack += frame;
  }
  return stack;
}

void TreeBuilder::AddRepeat(uint64_t wall_ns, uint64_t cpu_ns) {
  tree_.AddRepeat(SampleAt(wall_ns, cpu_ns, last_state_));
}

void TreeBuilder::AddPageFault(uint64_t wall_ns, uint64_t cpu_ns) {
  if (!tree_.empty())
    tree_.AddRepeatIn(native_.KernelFrame(native::kPageFault),
                      SampleAt(wall_ns, cpu_ns, last_state_));
}

void TreeBuilder::Keep(const model::TraceTree& tree, uint64_t wall_ns) {
  if (wall_ns < limits_.min_wall_ns) return;
  auto encoded = std::make_unique<dump::EncodedTree>();
  if (writer_.EncodeTree(tree, encoded.get()) == dump::Status::kOk) {
    encoded->payload.shrink_to_fit();
    kept_bytes_ += encoded->memory_bytes();
    kept_.push_back(std::move(encoded));
  }
  while (kept_.size() > limits_.max_kept ||
         (kept_.size() > 1 && kept_bytes_ > limits_.budget_bytes))
    DropOldest();
}

void TreeBuilder::Finish(uint64_t end_ns) {
  if (tree_.token() != Token::kNone && !tree_.empty()) {
    tree_.CloseAt(Microseconds(end_ns - start_ns_));
    Keep(tree_, end_ns - start_ns_);
  }
  tree_.Reset(Token::kNone);
}

int64_t TreeBuilder::BlockedNs() const {
  int64_t blocked_us = 0;
  for (const model::Sample& sample : tree_.samples())
    if (sample.state == model::ThreadState::kBlocked) blocked_us += sample.weight_us;
  return tree_.empty() ? model::kTimeUnknown : blocked_us * 1000;
}

void TreeBuilder::NoteLockHolder(uintptr_t thread) {
  if (last_state_ != model::ThreadState::kBlocked || last_wall_ns_ <= not_blocked_ns_) return;
  const int32_t owner = art::MonitorOwner(facts_, thread);
  std::string lock_class;
  if (owner != 0 && waits_ != nullptr)
    lock_class = waits_->ClassOf(static_cast<uint32_t>(art::MonitorEntered(facts_, thread)));
  holders_.Note(owner, lock_class, Microseconds(not_blocked_ns_ - start_ns_),
                Microseconds(last_wall_ns_ - start_ns_));
  not_blocked_ns_ = last_wall_ns_;
}

void TreeBuilder::DropOldest() {
  kept_bytes_ -= kept_.front()->memory_bytes();
  kept_.erase(kept_.begin());
}

void TreeBuilder::KeepFrames(const NameShares& shares, model::LiveNames* live) {
  const model::LiveNames without_trees = *live;
  const auto add_running = [&] {
    *live = without_trees;
    for (const model::Node& node : tree_.nodes()) live->AddFrame(node.frame);
  };
  add_running();
  for (; live->percent() > shares.running_percent && tree_.sample_count() > 2; add_running())
    tree_.Coarsen();

  size_t kept = 0;
  for (; kept < kept_.size(); ++kept) {
    model::LiveNames with_it = *live;
    for (const model::FrameId id : kept_[kept_.size() - 1 - kept]->frames) with_it.AddFrame(id);
    if (with_it.percent() > shares.trees_percent) break;
    *live = std::move(with_it);
  }
  while (kept_.size() > kept) {
    DropOldest();
    core::Counters::Add(Counter::kTreesLostForNames);
  }
}

bool TreeBuilder::HasKept(Token token) const {
  return std::any_of(
      kept_.begin(), kept_.end(), [token](const auto& tree) { return tree->token == token; });
}

size_t TreeBuilder::memory_bytes() const { return tree_.memory_bytes() + kept_bytes_; }

}  // namespace stillframe::sampling
