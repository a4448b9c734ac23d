// Turns the sections of a dump into a document; see reader.h for what it promises.
// Context: host tools and tests, any thread
#include "src/dump/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "src/dump/field_cursor.h"
#include "src/dump/section_scan.h"

namespace stillframe::dump {
namespace {

using trace::FrameId;
using trace::FrameKind;
using trace::PreorderNode;
using trace::Sample;
using trace::ThreadState;
using trace::TraceTree;

template <typename Enum>
Enum KnownOr(uint64_t value, Enum last, Enum unknown) {
  return value <= static_cast<uint64_t>(last) ? static_cast<Enum>(value) : unknown;
}

Message ReadMessage(FieldCursor* list) {
  FieldCursor fields = list->Record();
  Message message;
  message.token = fields.Varint();
  message.start_ns = fields.Varint();
  message.wait_ns = fields.Zigzag();
  message.wall_ns = fields.Zigzag();
  message.cpu_ns = fields.Zigzag();
  message.samples = fields.VarintOf<uint32_t>();
  message.flags = fields.VarintOf<uint32_t>();
  message.what = fields.Zigzag32();
  message.target = fields.String();
  message.callback = fields.String();
  list->Require(fields);
  return message;
}

class DocumentReader {
 public:
  DocumentReader(const ReadLimits& limits, Document* document)
      : limits_(limits), document_(*document) {}

  void Read(std::span<const Section> sections) {
    const auto is_frames = [](const Section& section) {
      return section.header.kind == static_cast<uint32_t>(SectionKind::kFrames);
    };
    for (const Section& section : sections) {  // trees need them, wherever they are
      if (is_frames(section)) {
        ReadSection(section);
      }
    }
    for (const Section& section : sections) {
      if (!is_frames(section)) {
        ReadSection(section);
      }
    }
  }

 private:
  void ReadSection(const Section& section) {
    std::string why;
    const SectionKind kind = static_cast<SectionKind>(section.header.kind);
    if (!IsKnown(kind)) {
      return;
    }
    if (kind != SectionKind::kTree && !seen_.insert(section.header.kind).second) {
      why = "a second one";
    } else if (ReadPayload(section, limits_.max_raw_bytes - raw_bytes_, &payload_, &why)) {
      raw_bytes_ += payload_.size();
      FieldCursor fields(payload_);
      const char* problem = ReadFields(kind, &fields);
      why = problem == nullptr ? "" : problem;
    }
    if (!why.empty()) {
      document_.damage.push_back(
          AtOffset(section.offset, SectionName(section.header.kind) + " left out: " + why));
    }
  }

  static bool IsKnown(SectionKind kind) {
    return kind == SectionKind::kEnd ||
           (kind >= SectionKind::kIdentity && kind <= SectionKind::kTree);
  }

  // Returns nothing, or why the section was left out.
  const char* ReadFields(SectionKind kind, FieldCursor* fields) {
    bool is_whole = true;
    switch (kind) {
      case SectionKind::kIdentity: is_whole = ReadIdentity(fields->Record()); break;
      case SectionKind::kTrigger: is_whole = ReadTrigger(fields->Record()); break;
      case SectionKind::kConfiguration: is_whole = ReadConfiguration(fields); break;
      case SectionKind::kCounters: is_whole = ReadCounters(fields); break;
      case SectionKind::kHistory: is_whole = ReadHistory(fields); break;
      case SectionKind::kRunning: is_whole = ReadRunning(fields); break;
      case SectionKind::kPending: is_whole = ReadPending(fields); break;
      case SectionKind::kFrames: return ReadFrames(fields);
      case SectionKind::kTree: return ReadTree(fields);
      case SectionKind::kEnd: break;
    }
    return is_whole ? nullptr : kMalformed;
  }

  bool ReadIdentity(FieldCursor fields) {
    Identity id;
    id.process_name = fields.String();
    id.pid = fields.VarintOf<uint32_t>();
    id.uid = fields.VarintOf<uint32_t>();
    id.abi = fields.String();
    id.art_release = fields.String();
    id.art_build_id = fields.String();
    id.profiler_version = fields.String();
    id.sampler_state = fields.String();
    id.tap = fields.String();
    id.process_start_ns = fields.Varint();
    if (fields.ok()) {
      document_.identity = std::move(id);
    }
    return fields.ok();
  }

  bool ReadTrigger(FieldCursor fields) {
    const uint64_t trigger = fields.Varint();
    const uint32_t sequence = fields.VarintOf<uint32_t>();
    const uint64_t monotonic_ns = fields.Varint();
    const uint64_t realtime_ns = fields.Varint();
    if (fields.ok()) {
      document_.trigger = KnownOr(trigger, Trigger::kExit, Trigger::kUnknown);
      document_.sequence = sequence;
      document_.taken_monotonic_ns = monotonic_ns;
      document_.taken_realtime_ns = realtime_ns;
    }
    return fields.ok();
  }

  // Reads `count` records by `read` into `*out`, all of them or none.
  template <typename T, typename ReadOne>
  static bool ReadList(FieldCursor* list, uint32_t count, std::vector<T>* out,
                       const ReadOne& read) {
    std::vector<T> items;
    for (uint32_t i = 0; i < count && list->ok(); ++i) {
      items.push_back(read(list));
    }
    if (list->ok()) {
      *out = std::move(items);
    }
    return list->ok();
  }

  bool ReadConfiguration(FieldCursor* list) {
    const uint32_t count = list->Count(limits_.max_records);
    return ReadList(list, count, &document_.configuration, [](FieldCursor* cursor) {
      FieldCursor fields = cursor->Record();
      NamedText entry;
      entry.name = fields.String();
      entry.value = fields.String();
      cursor->Require(fields);
      return entry;
    });
  }

  bool ReadCounters(FieldCursor* list) {
    const uint32_t count = list->Count(limits_.max_records);
    return ReadList(list, count, &document_.counters, [](FieldCursor* cursor) {
      FieldCursor fields = cursor->Record();
      NamedCount counter;
      counter.name = fields.String();
      counter.value = fields.Varint();
      cursor->Require(fields);
      return counter;
    });
  }

  bool ReadHistory(FieldCursor* list) {
    const uint64_t lost = list->Varint();
    const uint32_t count = list->Count(limits_.max_records);
    if (!ReadList(list, count, &document_.history, ReadMessage)) {
      return false;
    }
    document_.history_lost = lost;
    return true;
  }

  bool ReadRunning(FieldCursor* list) {
    std::vector<Message> messages;
    if (!ReadList(list, list->Count(1), &messages, ReadMessage)) {
      return false;
    }
    if (!messages.empty()) {
      document_.running = std::move(messages[0]);
    }
    return true;
  }

  bool ReadPending(FieldCursor* list) {
    std::string source = list->String();
    std::string absent = list->String();
    const uint32_t count = list->Count(limits_.max_records);
    const bool is_whole = ReadList(list, count, &document_.pending, [](FieldCursor* cursor) {
      FieldCursor fields = cursor->Record();
      PendingMessage message;
      message.delay_ms = fields.Zigzag();
      message.what = fields.Zigzag32();
      const uint64_t bits = fields.Varint();
      message.is_asynchronous = (bits & 1U) != 0;
      message.is_barrier = (bits & 2U) != 0;
      message.target = fields.String();
      message.callback = fields.String();
      cursor->Require(fields);
      return message;
    });
    if (is_whole) {
      document_.pending_source = std::move(source);
      document_.pending_absent = std::move(absent);
    }
    return is_whole;
  }

  const char* ReadFrames(FieldCursor* fields) {
    const uint32_t string_count = fields->Count(std::min(limits_.max_frames, kMostFrames) * 4);
    std::vector<std::string_view> strings;
    uint64_t string_bytes = 0;
    for (uint32_t i = 0; i < string_count && fields->ok(); ++i) {
      strings.push_back(fields->Text());
      string_bytes += strings.back().size();
    }
    const uint32_t method_count = fields->Count(limits_.max_frames);
    std::vector<std::array<std::string_view, 4>> methods;
    for (uint32_t i = 0; i < method_count && fields->ok(); ++i) {
      FieldCursor record = fields->Record();
      for (std::string_view& text : methods.emplace_back()) {
        const uint64_t reference = record.Varint();
        if (reference > strings.size()) {
          return "a frame names a text that does not exist";
        }
        text = reference == 0 ? std::string_view() : strings[static_cast<size_t>(reference) - 1];
      }
      fields->Require(record);
    }
    const uint32_t frame_count = fields->Count(limits_.max_frames);
    if (!fields->ok()) {
      return kMalformed;
    }
    if (string_bytes > limits_.max_string_bytes) {
      return "larger than the limit";
    }
    // With some room for FrameOf.
    trace::FrameTable table({frame_count + kSpareFrames, string_count + kSpareFrames,
                             static_cast<uint32_t>(string_bytes) + kSpareFrames * 32});
    std::unordered_map<uint64_t, FrameId> ids;
    uint64_t id = 0;
    for (uint32_t i = 0; i < frame_count; ++i) {
      FieldCursor record = fields->Record();
      const uint64_t delta = record.Varint();
      const uint64_t method = record.Varint();
      const int32_t line = record.Zigzag32();
      const FrameKind kind = KnownOr(record.Varint(), FrameKind::kCut, FrameKind::kInterpreted);
      if (!record.ok() || method >= methods.size() || delta > UINT32_MAX ||
          id + delta > UINT32_MAX || (i > 0 && delta == 0)) {
        return kMalformed;
      }
      id += delta;
      const auto& [class_name, method_name, signature, source_file] =
          methods[static_cast<size_t>(method)];
      ids[id] = table.InternFrame(class_name, method_name, signature, source_file, line, kind);
    }
    document_.frames = std::move(table);
    frame_ids_ = std::move(ids);
    return nullptr;
  }

  // The frame of a file's id. One that the file does not have is shown as such, so that the tree
  // keeps its shape.
  FrameId FrameOf(uint64_t id, bool* is_missing) {
    const auto found = frame_ids_.find(id);
    if (found != frame_ids_.end()) {
      return found->second;
    }
    *is_missing = true;
    return document_.frames.InternFrame("", "unknown frame " + std::to_string(id), "", "",
                                        trace::kLineUnknown, FrameKind::kCut);
  }

  const char* ReadTree(FieldCursor* fields) {
    FieldCursor record = fields->Record();
    const uint64_t token = record.Varint();
    const uint32_t interval_scale = record.VarintOf<uint32_t>();
    const uint64_t samples_added = record.Varint();
    const uint64_t cut_stacks = record.Varint();
    const uint64_t sample_count = record.Varint();
    const uint64_t node_count = record.Varint();
    const uint64_t frame_count = record.Varint();
    // Each node has at least four bytes, each sample too, so the payload bounds what is allocated.
    if (!record.ok() || frame_count > payload_.size() || node_count > payload_.size() / 4 ||
        sample_count > payload_.size() / 4) {
      return kMalformed;
    }
    if (node_count > limits_.max_nodes || sample_count > limits_.max_samples ||
        frame_count > limits_.max_frames) {
      return "larger than the limit";
    }
    if (tokens_.contains(token)) {
      return "a second tree of the same message";
    }
    std::vector<FrameId> frames;
    uint64_t id = 0;
    bool is_missing = false;
    for (uint64_t i = 0; i < frame_count && fields->ok(); ++i) {
      id += fields->VarintOf<uint32_t>();
      frames.push_back(FrameOf(id, &is_missing));
    }
    std::vector<PreorderNode> nodes(static_cast<size_t>(node_count));
    const char* problem = ReadNodes(frames, static_cast<uint32_t>(sample_count), fields, &nodes);
    std::vector<Sample> samples(static_cast<size_t>(sample_count));
    ReadSamples(fields, &samples);
    if (problem != nullptr || !fields->ok()) {
      return problem != nullptr ? problem : kMalformed;
    }
    std::optional<TraceTree> tree =
        TraceTree::FromPreorder(token, nodes, samples, document_.frames.size(), &problem);
    if (!tree) {
      return problem;
    }
    tree->SetHistory(interval_scale, samples_added, cut_stacks);
    document_.trees.push_back(std::move(*tree));
    tokens_.insert(token);
    if (is_missing) {
      document_.damage.push_back("tree of message " + std::to_string(token) +
                                 ": some of its frames are not in the file");
    }
    return nullptr;
  }

  const char* ReadNodes(std::span<const FrameId> frames, uint32_t sample_count, FieldCursor* fields,
                        std::vector<PreorderNode>* nodes) const {
    uint64_t depth = 0;
    for (PreorderNode& node : *nodes) {
      const uint64_t rise = fields->Varint();
      if (rise > depth) {
        return "a node's depth jumps";
      }
      depth = depth + 1 - rise;
      if (depth > limits_.max_depth) {
        return "deeper than the limit";
      }
      node.depth = static_cast<uint32_t>(depth);
    }
    for (PreorderNode& node : *nodes) {
      const uint64_t index = fields->Varint();
      if (index >= frames.size()) {
        return "a node's frame does not exist";
      }
      node.frame = frames[static_cast<size_t>(index)];
    }
    std::vector<uint64_t> gaps(nodes->size());
    for (uint64_t& gap : gaps) {
      gap = fields->VarintOf<uint32_t>();
    }
    // Of the path to the node before: where the next child may begin, and where the node ends. [0]
    // is the root.
    struct Open {
      uint64_t next;
      uint64_t end;
    };
    std::vector<Open> path = {{0, sample_count}};
    for (size_t i = 0; i < nodes->size(); ++i) {
      PreorderNode& node = (*nodes)[i];
      path.resize(node.depth);
      Open& parent = path.back();
      const uint64_t offset = parent.next + gaps[i];
      const uint64_t rest = fields->VarintOf<uint32_t>();
      if (offset + rest >= parent.end) {
        return "a node's samples are not its parent's, or are another node's";
      }
      const uint64_t end = parent.end - rest;
      node.offset = static_cast<uint32_t>(offset);
      node.count = static_cast<uint32_t>(end - offset);
      parent.next = end;
      path.push_back({offset, end});
    }
    return nullptr;
  }

  // Additions are modulo 2^32, as the writer's subtractions.
  static void ReadSamples(FieldCursor* fields, std::vector<Sample>* samples) {
    std::vector<uint32_t> deltas;
    uint32_t wall_us = 0;
    for (Sample& sample : *samples) {
      deltas.push_back(fields->VarintOf<uint32_t>());
      wall_us += deltas.back();
      sample.wall_us = wall_us;
    }
    for (size_t i = 0; i < samples->size(); ++i) {
      (*samples)[i].weight_us = deltas[i] + static_cast<uint32_t>(fields->Zigzag());
    }
    uint32_t cpu_us = 0;
    for (size_t i = 0; i < samples->size(); ++i) {
      cpu_us += deltas[i] + static_cast<uint32_t>(fields->Zigzag());
      (*samples)[i].cpu_us = cpu_us;
    }
    for (Sample& sample : *samples) {
      sample.state = KnownOr(fields->Byte(), ThreadState::kOther, ThreadState::kUnknown);
    }
  }

  static constexpr uint32_t kMostFrames = 1U << 26;
  static constexpr uint32_t kSpareFrames = 1024;
  static constexpr const char* kMalformed = "its fields are not what the format says";

  const ReadLimits& limits_;
  Document& document_;
  uint64_t raw_bytes_ = 0;
  std::vector<uint8_t> payload_;
  std::unordered_set<uint32_t> seen_;
  std::unordered_set<uint64_t> tokens_;
  std::unordered_map<uint64_t, FrameId> frame_ids_;
};

}  // namespace

ReadResult ReadDump(std::span<const uint8_t> bytes, const ReadLimits& limits) {
  ReadResult result;
  ScanResult scan = ScanSections(bytes, limits);
  if (scan.status != Status::kOk) {
    result.status = scan.status;
    result.error = std::move(scan.error);
    return result;
  }
  Document& document = result.document;
  document.format_version = kFormatMajor;
  document.damage = std::move(scan.damage);
  DocumentReader(limits, &document).Read(scan.sections);
  if (!document.damage.empty()) {
    result.status = Status::kDamaged;
    result.error = document.damage[0];
    if (document.damage.size() > 1) {
      result.error += " (and " + std::to_string(document.damage.size() - 1) + " more)";
    }
    result.error += "; what could be read is shown, copy the file again or take another dump";
  }
  return result;
}

ReadResult ReadDumpFile(const char* path, const ReadLimits& limits) {
  ReadResult result;
  const auto fail = [&result](int error) {
    result.status = Status::kCannotRead;
    result.error = std::string(strerror(error)) + "; give the path of a dump that you may read";
    return std::move(result);
  };
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path, "rbe"), fclose);
  if (!file) {
    return fail(errno);
  }
  std::vector<uint8_t> bytes;
  constexpr size_t kChunk = 64 * 1024;
  size_t count = kChunk;
  while (count == kChunk && bytes.size() <= limits.max_file_bytes) {
    bytes.resize(bytes.size() + kChunk);
    count = fread(bytes.data() + bytes.size() - kChunk, 1, kChunk, file.get());
    bytes.resize(bytes.size() - kChunk + count);
  }
  if (ferror(file.get()) != 0) {
    return fail(errno);
  }
  return ReadDump(bytes, limits);
}

}  // namespace stillframe::dump
