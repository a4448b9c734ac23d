// SPDX-License-Identifier: Apache-2.0
#include "src/dump/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/dump/decoder.h"
#include "src/dump/field_cursor.h"
#include "src/dump/section_scan.h"
#include "src/model/document.h"

namespace stillframe::dump {
namespace {

using model::FrameId;
using model::FrameKind;
using model::PreorderNode;
using model::Sample;
using model::ThreadState;
using model::TraceTree;

// Reads the sections of frames and of trees.
// Context: host tools and tests, any thread

constexpr const char* kMalformed = "its fields are not what the format says";

// Frames must be read before the trees that use them. Each function returns null, or why the
// section was omitted.
class TreeReader {
 public:
  TreeReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document) {}

  const char* ReadFrames(FieldCursor* fields);
  // Maps the file's ids to the document's.
  const char* ReadStacks(model::ThreadStacks* stacks);
  // `payload_bytes` limits the counts in the payload.
  const char* ReadTree(FieldCursor* fields, size_t payload_bytes, std::vector<TraceTree>* trees);

 private:
  model::FrameId FrameOf(uint64_t id, bool* is_missing);
  const char* ReadNodes(std::span<const model::FrameId> frames, uint32_t sample_count,
                        FieldCursor* fields, std::vector<model::PreorderNode>* nodes) const;

  const ReadLimits& limits_;
  model::Document& document_;
  std::unordered_set<Token> tokens_;
  std::unordered_map<uint64_t, model::FrameId> frame_ids_;
};

constexpr uint32_t kMaxFrames = 1U << 26;
constexpr uint32_t kSpareFrames = 1024;

// Adds modulo 2^32, like the writer's subtractions.
void ReadSamples(FieldCursor* fields, std::vector<Sample>* samples) {
  std::vector<uint32_t> deltas;
  uint32_t wall_us = 0;
  for (Sample& sample : *samples) {
    deltas.push_back(fields->VarintOf<uint32_t>());
    wall_us += deltas.back();
    sample.wall_us = wall_us;
  }
  for (size_t i = 0; i < samples->size(); ++i)
    (*samples)[i].weight_us = deltas[i] + static_cast<uint32_t>(fields->Zigzag());
  uint32_t cpu_us = 0;
  for (size_t i = 0; i < samples->size(); ++i) {
    cpu_us += deltas[i] + static_cast<uint32_t>(fields->Zigzag());
    (*samples)[i].cpu_us = cpu_us;
  }
  for (Sample& sample : *samples) sample.state = KnownOf<ThreadState>(fields->Byte());
}

const char* TreeReader::ReadFrames(FieldCursor* fields) {
  const uint32_t string_count = fields->Count(std::min(limits_.max_frames, kMaxFrames) * 4);
  std::vector<std::string_view> strings;
  uint64_t string_bytes = 0;
  for (uint32_t i = 0; i < string_count && fields->ok(); ++i) {
    strings.push_back(fields->Text());
    string_bytes += strings.back().size();
  }
  const uint32_t method_count = fields->Count(limits_.max_frames);
  std::vector<std::array<std::string_view, 4>> methods;
  Decoder records(fields, limits_.max_records);
  for (uint32_t i = 0; i < method_count && fields->ok(); ++i) {
    MethodRecord method;
    records.AsRecord(method);
    std::array<std::string_view, 4>& texts = methods.emplace_back();
    for (size_t text = 0; const uint64_t reference : {method.class_name, method.method_name,
                                                      method.signature, method.source_file}) {
      if (reference > strings.size()) return "a frame names a text that does not exist";
      if (reference != 0) texts[text] = strings[static_cast<size_t>(reference) - 1];
      ++text;
    }
  }
  const uint32_t frame_count = fields->Count(limits_.max_frames);
  if (!fields->ok()) return kMalformed;
  if (string_bytes > limits_.max_string_bytes) return "larger than the limit";
  // Spare entries are for FrameOf.
  model::FrameTable table({frame_count + kSpareFrames, string_count + kSpareFrames,
                           static_cast<uint32_t>(string_bytes) + kSpareFrames * 32});
  std::unordered_map<uint64_t, FrameId> ids;
  uint64_t id = 0;
  for (uint32_t i = 0; i < frame_count; ++i) {
    FrameRecord frame;
    records.AsRecord(frame);
    if (!fields->ok() || frame.method >= methods.size() || frame.id_rise > UINT32_MAX ||
        id + frame.id_rise > UINT32_MAX || (i > 0 && frame.id_rise == 0))
      return kMalformed;
    id += frame.id_rise;
    const auto& [class_name, method_name, signature, source_file] =
        methods[static_cast<size_t>(frame.method)];
    ids[id] =
        table.InternFrame(class_name, method_name, signature, source_file, frame.line, frame.kind);
  }
  document_.frames = std::move(table);
  frame_ids_ = std::move(ids);
  return nullptr;
}

// The frame of a file's id. A missing one becomes a placeholder, so that the tree keeps its shape.
FrameId TreeReader::FrameOf(uint64_t id, bool* is_missing) {
  const auto found = frame_ids_.find(id);
  if (found != frame_ids_.end()) return found->second;
  *is_missing = true;
  return document_.frames.InternFrame("", "unknown frame " + std::to_string(id), "", "",
                                      model::kLineUnknown, FrameKind::kTruncated);
}

const char* TreeReader::ReadTree(FieldCursor* fields, size_t payload_bytes,
                                 std::vector<TraceTree>* trees) {
  TreeHead head;
  Decoder(fields, limits_.max_records).AsRecord(head);
  // Each node and each sample takes at least four bytes, so the payload limits the allocation.
  if (!fields->ok() || head.frames > payload_bytes || head.nodes > payload_bytes / 4 ||
      head.samples > payload_bytes / 4)
    return kMalformed;
  if (head.nodes > limits_.max_nodes || head.samples > limits_.max_samples ||
      head.frames > limits_.max_frames)
    return "larger than the limit";
  if (head.sample_version > kSampleVersion) return "samples of a newer version";
  if (tokens_.contains(head.token)) return "a second tree of the same message";
  std::vector<FrameId> frames;
  uint64_t id = 0;
  bool is_missing = false;
  for (uint64_t i = 0; i < head.frames && fields->ok(); ++i) {
    id += fields->VarintOf<uint32_t>();
    frames.push_back(FrameOf(id, &is_missing));
  }
  std::vector<PreorderNode> nodes(static_cast<size_t>(head.nodes));
  const char* problem = ReadNodes(frames, static_cast<uint32_t>(head.samples), fields, &nodes);
  std::vector<Sample> samples(static_cast<size_t>(head.samples));
  ReadSamples(fields, &samples);
  if (problem != nullptr || !fields->ok()) return problem != nullptr ? problem : kMalformed;
  std::optional<TraceTree> tree =
      TraceTree::FromPreorder(head.token, nodes, samples, document_.frames.size(), &problem);
  if (!tree) return problem;
  tree->SetHistory(head.interval_scale, head.samples_added, head.truncated_stacks);
  trees->push_back(std::move(*tree));
  tokens_.insert(head.token);
  if (is_missing) {
    document_.damage.push_back("tree " + std::to_string(NumberOf(head.token)) +
                               ": some of its frames are not in the file");
  }
  return nullptr;
}

const char* TreeReader::ReadStacks(model::ThreadStacks* stacks) {
  bool is_missing = false;
  for (model::ThreadStack& stack : stacks->stacks) {
    if (stack.frames.size() > limits_.max_depth) return "deeper than the limit";
    for (FrameId& frame : stack.frames) frame = FrameOf(frame, &is_missing);
  }
  if (is_missing)
    document_.damage.emplace_back("stacks of threads: some of their frames are not in the file");
  return nullptr;
}

const char* TreeReader::ReadNodes(std::span<const FrameId> frames, uint32_t sample_count,
                                  FieldCursor* fields, std::vector<PreorderNode>* nodes) const {
  uint64_t depth = 0;
  for (PreorderNode& node : *nodes) {
    const uint64_t rise = fields->Varint();
    if (rise > depth) return "a node's depth jumps";
    depth = depth + 1 - rise;
    if (depth > limits_.max_depth) return "deeper than the limit";
    node.depth = static_cast<uint32_t>(depth);
  }
  for (PreorderNode& node : *nodes) {
    const uint64_t index = fields->Varint();
    if (index >= frames.size()) return "a node's frame does not exist";
    node.frame = frames[static_cast<size_t>(index)];
  }
  std::vector<uint64_t> gaps(nodes->size());
  for (uint64_t& gap : gaps) gap = fields->VarintOf<uint32_t>();
  // Path to the current node: where each node's next child may begin, and its end. [0]: the root.
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
    if (offset + rest >= parent.end)
      return "a node's samples are not its parent's, or are another node's";
    const uint64_t end = parent.end - rest;
    node.offset = static_cast<uint32_t>(offset);
    node.count = static_cast<uint32_t>(end - offset);
    parent.next = end;
    path.push_back({offset, end});
  }
  return nullptr;
}

// Whether this version has a section of that kind.
bool IsKnown(SectionKind kind) {
  const auto number = static_cast<uint32_t>(kind);
  return kind == SectionKind::kEnd || (number >= 1 && number <= kLastSectionKind);
}

bool ReadSectionFields(SectionKind kind, FieldCursor fields, uint32_t max_records,
                       model::Dump* dump) {
  Decoder decoder(&fields, max_records);
  SectionFields(decoder, kind, *dump);
  return fields.ok();
}

class DocumentReader {
 public:
  DocumentReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document), trees_(limits, document) {}

  void Read(std::span<const Section> sections) {
    const auto is_frames = [](const Section& section) {
      return section.header.kind == static_cast<uint32_t>(SectionKind::kFrames);
    };
    for (const Section& section : sections)  // first, since trees need them
      if (is_frames(section)) ReadSection(section);
    for (const Section& section : sections)
      if (!is_frames(section)) ReadSection(section);
  }

 private:
  void ReadSection(const Section& section) {
    std::string why;
    const SectionKind kind = static_cast<SectionKind>(section.header.kind);
    if (!IsKnown(kind)) return;
    const bool is_tree = kind == SectionKind::kTree || kind == SectionKind::kThreadTree;
    if (!is_tree && !seen_.insert(section.header.kind).second) {
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

  // Returns null, or why the section was omitted.
  const char* ReadFields(SectionKind kind, FieldCursor* fields) {
    if (kind == SectionKind::kFrames) return trees_.ReadFrames(fields);
    if (kind == SectionKind::kTree)
      return trees_.ReadTree(fields, payload_.size(), &document_.trees);
    if (kind == SectionKind::kThreadTree)
      return trees_.ReadTree(fields, payload_.size(), &document_.thread_trees);
    // Decode into a trial first: a damaged section must not change the document.
    model::Dump trial;
    if (!ReadSectionFields(kind, *fields, limits_.max_records, &trial)) return kMalformed;
    if (kind == SectionKind::kThreadStacks) {
      if (const char* problem = trees_.ReadStacks(&*trial.thread_stacks)) return problem;
      document_.thread_stacks = std::move(trial.thread_stacks);
      return nullptr;
    }
    ReadSectionFields(kind, *fields, limits_.max_records, &document_);
    return nullptr;
  }

  const ReadLimits& limits_;
  model::Document& document_;
  TreeReader trees_;
  uint64_t raw_bytes_ = 0;
  std::vector<uint8_t> payload_;
  std::unordered_set<uint32_t> seen_;
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
  model::Document& document = result.document;
  document.format_version = kFormatMajor;
  document.damage = std::move(scan.damage);
  DocumentReader(limits, &document).Read(scan.sections);
  if (!document.damage.empty()) {
    result.status = Status::kDamaged;
    result.error = document.damage[0];
    if (document.damage.size() > 1)
      result.error += " (and " + std::to_string(document.damage.size() - 1) + " more)";
    result.error += "; what could be read is shown, copy the file again or take another dump";
  }
  return result;
}

}  // namespace stillframe::dump
