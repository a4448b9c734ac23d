// SPDX-License-Identifier: Apache-2.0
// Field numbers are from protos/perfetto/trace/*.proto of google/perfetto.
#include <algorithm>
#include <vector>

#include "tools/stillframe/export/chosen_trees.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/export/protobuf_writer.h"
#include "tools/stillframe/index/trace_sections.h"

namespace stillframe::exports {
namespace {

constexpr uint32_t kPacket = 1;  // of Trace
enum PacketField : uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTimestampClock = 58,
  kPacketDefaults = 59,
  kTrackDescriptor = 60,
  kPerfSample = 66
};
enum SnapshotField : uint32_t { kClock = 1, kPrimaryClock = 2 };
enum ClockField : uint32_t { kClockId = 1, kClockTime = 2 };
constexpr uint32_t kRealtime = 1;
constexpr uint32_t kMonotonic = 3;
constexpr uint32_t kBoottime = 6;
enum DescriptorField : uint32_t {
  kNoField = 0,
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8
};
enum ProcessField : uint32_t { kProcessPid = 1, kProcessName = 6 };
enum ThreadField : uint32_t { kThreadPid = 1, kThreadTid = 2, kThreadName = 5 };
enum CounterField : uint32_t { kUnitName = 6 };
enum EventField : uint32_t {
  kAnnotation = 4,
  kEventType = 9,
  kEventTrack = 11,
  kEventCategory = 22,
  kEventName = 23,
  kCounterValue = 30
};
enum EventType : uint32_t { kSliceBegin = 1, kSliceEnd = 2, kCounterEvent = 4 };
enum AnnotationField : uint32_t { kUintValue = 3, kIntValue = 4, kAnnotationName = 10 };
enum InternedField : uint32_t { kFunctionNames = 5, kFrames = 6, kCallstacks = 7 };
enum InternedEntryField : uint32_t { kIid = 1, kText = 2, kInternedFunction = 2, kFrameIds = 2 };
enum PerfField : uint32_t {
  kCpu = 1,
  kPid = 2,
  kTid = 3,
  kCallstack = 4,
  kCpuMode = 5,
  kTimebaseCount = 6
};
constexpr uint32_t kModeUser = 2;
// TracePacketDefaults.perf_sample_defaults, PerfSampleDefaults.timebase, PerfEvents.Timebase
constexpr uint32_t kPerfDefaults = 12;
constexpr uint32_t kTimebase = 1;
enum TimebaseField : uint32_t { kCounterPeriod = 1, kTimebaseName = 10 };

constexpr uint64_t kProcessTrack = 1;
constexpr uint64_t kThreadTrack = 2;
constexpr uint64_t kCpuTrack = 3;
constexpr uint64_t kFirstCounterTrack = 16;
constexpr uint64_t kFirstSectionTrack = uint64_t{1} << 32;
constexpr uint32_t kSequence = 1;
constexpr uint32_t kStateCleared = 1;
constexpr uint32_t kNeedsState = 2;

class PerfettoBuilder {
 public:
  explicit PerfettoBuilder(const index::DumpIndex& index)
      : index_(index), document_(index.document()), slices_(document_) {}

  std::string Build(std::optional<Token> token) {
    AddHead();
    AddTracks();
    AddMessages(token);
    AddSections();
    AddSamples(ChooseTrees(index_, token));
    AddCounters();
    return trace_.bytes();
  }

 private:
  void Add(ProtobufWriter packet, uint32_t flags = kNeedsState) {
    packet.Varint(kSequenceId, kSequence).Varint(kSequenceFlags, flags);
    trace_.Message(kPacket, packet);
  }

  void AddAt(uint64_t time_ns, uint32_t field, const ProtobufWriter& content) {
    Add(ProtobufWriter()
            .Varint(kTimestamp, time_ns)
            .Varint(kTimestampClock, kMonotonic)
            .Message(field, content));
  }

  // Times are CLOCK_MONOTONIC. The wall clock is known for the dump's moment only. Suspended time
  // is unknown, so boot time is set equal to monotonic time.
  void AddHead() {
    ProtobufWriter snapshot;
    for (const auto& [clock, time_ns] : {std::pair{kMonotonic, document_.taken_monotonic_ns},
                                         std::pair{kBoottime, document_.taken_monotonic_ns},
                                         std::pair{kRealtime, document_.taken_realtime_ns}}) {
      snapshot.Message(kClock,
                       ProtobufWriter().Varint(kClockId, clock).Varint(kClockTime, time_ns));
    }
    snapshot.Varint(kPrimaryClock, kMonotonic);
    const ProtobufWriter timebase =
        ProtobufWriter()
            .Varint(kCounterPeriod, 1)
            .Bytes(kTimebaseName, "wall time of the message, microseconds");
    const ProtobufWriter perf_defaults = ProtobufWriter().Message(kTimebase, timebase);
    const ProtobufWriter defaults =
        ProtobufWriter().Varint(kTimestampClock, kMonotonic).Message(kPerfDefaults, perf_defaults);
    Add(ProtobufWriter().Message(kClockSnapshot, snapshot).Message(kPacketDefaults, defaults),
        kStateCleared);
  }

  void AddTrack(uint64_t uuid, uint64_t parent, const std::string& name, uint32_t field = kNoField,
                const ProtobufWriter& content = {}) {
    ProtobufWriter track;
    track.Varint(kUuid, uuid);
    if (parent != 0) track.Varint(kParentUuid, parent);
    track.Bytes(kTrackName, name);
    if (field != kNoField) track.Message(field, content);
    Add(ProtobufWriter().Message(kTrackDescriptor, track));
  }

  void AddTracks() {
    const uint32_t pid = document_.identity.pid;
    const std::string process_name = document_.identity.process_name;
    AddTrack(kProcessTrack, 0, process_name, kProcess,
             ProtobufWriter().Varint(kProcessPid, pid).Bytes(kProcessName, process_name));
    AddTrack(kThreadTrack, kProcessTrack, "main", kThread,
             ProtobufWriter()
                 .Varint(kThreadPid, pid)
                 .Varint(kThreadTid, pid)
                 .Bytes(kThreadName, "main"));
    AddCounterTrack(kCpuTrack, "CPU time of the message", "us");
  }

  void AddCounterTrack(uint64_t uuid, const std::string& name, const std::string& unit) {
    AddTrack(uuid, kProcessTrack, name, kCounter, ProtobufWriter().Bytes(kUnitName, unit));
  }

  static void Annotate(const char* name, uint32_t field, uint64_t value, ProtobufWriter* event) {
    event->Message(kAnnotation, ProtobufWriter().Bytes(kAnnotationName, name).Varint(field, value));
  }

  static ProtobufWriter Event(EventType type, uint64_t track) {
    return ProtobufWriter().Varint(kEventType, type).Varint(kEventTrack, track);
  }

  // Slices of a track end in reverse order of their begins, so inner slices are closed first.
  void AddMessages(std::optional<Token> token) {
    std::vector<uint64_t> open_ends_ns;
    const auto close_until = [&](uint64_t time_ns) {
      while (!open_ends_ns.empty() && open_ends_ns.back() <= time_ns) {
        AddAt(open_ends_ns.back(), kTrackEvent, Event(kSliceEnd, kThreadTrack));
        open_ends_ns.pop_back();
      }
    };
    for (const model::Message* message : ChooseMessages(index_, token)) {
      close_until(message->start_ns);
      ProtobufWriter event = Event(kSliceBegin, kThreadTrack);
      event.Bytes(kEventCategory, "message").Bytes(kEventName, MessageTitle(index_, *message));
      Annotate("token", kUintValue, NumberOf(message->token), &event);
      Annotate("cpu_ns", kIntValue, static_cast<uint64_t>(message->cpu_ns), &event);
      Annotate("wait_ns", kIntValue, static_cast<uint64_t>(message->wait_ns), &event);
      AddAt(message->start_ns, kTrackEvent, event);
      uint64_t end_ns = EndNs(*message);
      if (!open_ends_ns.empty()) end_ns = std::min(end_ns, open_ends_ns.back());
      open_ends_ns.push_back(end_ns);
    }
    close_until(UINT64_MAX);
  }

  // Each thread and each asynchronous section has its own track, because sections may cross
  // messages.
  void AddSections() {
    std::vector<const index::TraceSlice*> open;
    uint64_t next_track = kFirstSectionTrack;
    uint64_t thread_track = 0;
    uint32_t looper = UINT32_MAX;
    const auto close_to = [&](size_t depth) {
      for (; open.size() > depth; open.pop_back())
        AddAt(open.back()->end_ns, kTrackEvent, Event(kSliceEnd, thread_track));
    };
    for (const index::TraceSlice& slice : slices_.all()) {
      if (!slice.is_async && slice.looper != looper) {
        close_to(0);
        looper = slice.looper;
        thread_track = next_track++;
        AddSectionTrack(thread_track, slice.looper, "sections");
      }
      if (slice.is_async) AddSectionTrack(next_track, slice.looper, slice.name);
      if (!slice.is_async) close_to(slice.depth);
      ProtobufWriter event = Event(kSliceBegin, slice.is_async ? next_track : thread_track);
      event.Bytes(kEventCategory, "section").Bytes(kEventName, slice.name);
      AddAt(slice.begin_ns, kTrackEvent, event);
      if (slice.is_async) AddAt(slice.end_ns, kTrackEvent, Event(kSliceEnd, next_track++));
      if (!slice.is_async) open.push_back(&slice);
    }
    close_to(0);
  }

  void AddSectionTrack(uint64_t uuid, uint32_t looper, const std::string& name) {
    const bool is_known = looper != 0 && looper < document_.loopers.size();
    AddTrack(uuid, is_known ? kProcessTrack : kThreadTrack,
             is_known ? document_.loopers[looper].thread + ": " + name : name);
  }

  // Interns names, frames and stacks under their number plus one, because 0 means "not set".
  void AddStacks(const StackNumbers& numbers, const std::vector<bool>& is_sampled) {
    ProtobufWriter interned;
    std::vector<bool> is_known(document_.frames.size());
    for (const StackNumbers::Stack& stack : numbers.stacks().subspan(1)) {
      if (is_known[stack.frame]) continue;
      is_known[stack.frame] = true;
      const uint64_t iid = uint64_t{stack.frame} + 1;
      const std::string name = FrameName(document_.frames, stack.frame);
      interned.Message(kFunctionNames, ProtobufWriter().Varint(kIid, iid).Bytes(kText, name))
          .Message(kFrames, ProtobufWriter().Varint(kIid, iid).Varint(kInternedFunction, iid));
    }
    std::vector<uint64_t> path;
    for (size_t i = 0; i < numbers.stacks().size(); ++i) {
      if (!is_sampled[i]) continue;
      path.clear();
      for (size_t at = i; at != 0; at = numbers.stacks()[at].parent)
        path.push_back(uint64_t{numbers.stacks()[at].frame} + 1);
      ProtobufWriter callstack;
      callstack.Varint(kIid, i + 1);
      for (auto frame = path.rbegin(); frame != path.rend(); ++frame)
        callstack.Varint(kFrameIds, *frame);
      interned.Message(kCallstacks, callstack);
    }
    Add(ProtobufWriter().Message(kInternedData, interned));
  }

  void AddSamples(const std::vector<ChosenTree>& trees) {
    StackNumbers numbers;
    std::vector<std::vector<uint32_t>> stacks;  // by tree and sample
    stacks.reserve(trees.size());
    for (const ChosenTree& chosen : trees) stacks.push_back(numbers.Add(*chosen.tree));
    std::vector<bool> is_sampled(numbers.stacks().size());
    for (const std::vector<uint32_t>& of_samples : stacks)
      for (const uint32_t stack : of_samples) is_sampled[stack] = true;
    AddStacks(numbers, is_sampled);
    const uint32_t pid = document_.identity.pid;
    uint64_t covered_us = 0;
    for (size_t i = 0; i < trees.size(); ++i) {
      const model::TraceTree& tree = *trees[i].tree;
      for (uint32_t j = 0; j < tree.sample_count(); ++j) {
        const model::Sample& sample = tree.samples()[j];
        const uint64_t time_ns = trees[i].start_ns + uint64_t{sample.wall_us} * 1000;
        covered_us += sample.weight_us;
        AddAt(time_ns, kPerfSample,
              ProtobufWriter()
                  .Varint(kCpu, 0)
                  .Varint(kPid, pid)
                  .Varint(kTid, pid)
                  .Varint(kCallstack, uint64_t{stacks[i][j]} + 1)
                  .Varint(kCpuMode, kModeUser)
                  .Varint(kTimebaseCount, covered_us));
        AddAt(time_ns, kTrackEvent,
              Event(kCounterEvent, kCpuTrack).Varint(kCounterValue, sample.cpu_us));
      }
    }
  }

  void AddCounters() {
    for (size_t i = 0; i < document_.counters.size(); ++i) {
      const model::NamedCount& counter = document_.counters[i];
      AddCounterTrack(kFirstCounterTrack + i, "stillframe: " + counter.name, "");
      AddAt(document_.taken_monotonic_ns, kTrackEvent,
            Event(kCounterEvent, kFirstCounterTrack + i).Varint(kCounterValue, counter.value));
    }
  }

  const index::DumpIndex& index_;
  const model::Document& document_;
  const index::TraceSlices slices_;
  ProtobufWriter trace_;
};

}  // namespace

std::string Perfetto(const index::DumpIndex& index, std::optional<Token> token) {
  return PerfettoBuilder(index).Build(token);
}

}  // namespace stillframe::exports
