// SPDX-License-Identifier: Apache-2.0
// The columns of a tree, and the part of the frame table that trees use.
// Context: any thread, one at a time; no JNI, no locks
#include "src/dump/write_trees.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "src/dump/encoder.h"

namespace stillframe::dump {
namespace {

using trace::FrameId;
using trace::kRootNode;
using trace::Node;
using trace::NodeId;
using trace::Sample;
using trace::TraceTree;

// Class name, method name, signature, source file.
using Method = std::array<trace::StringId, 4>;

Method MethodOf(const trace::Frame& frame) {
  return {frame.class_name, frame.method_name, frame.signature, frame.source_file};
}

template <typename T>
void SortUnique(std::vector<T>* items) {
  std::ranges::sort(*items);
  items->erase(std::unique(items->begin(), items->end()), items->end());
}

template <typename T>
uint64_t IndexIn(const std::vector<T>& sorted, const T& item) {
  return static_cast<uint64_t>(std::ranges::lower_bound(sorted, item) - sorted.begin());
}

// The four columns of the nodes, as dump_format.h has them.
void AddNodes(const TraceTree& tree, const std::vector<FrameId>& frames, Deflater* out) {
  const std::span<const Node> nodes = tree.nodes();
  for (NodeId id = kRootNode + 1; id < nodes.size(); ++id)
    out->Varint(nodes[id - 1].depth + 1 - nodes[id].depth);
  for (const Node& node : nodes.subspan(1)) out->Varint(IndexIn(frames, node.frame));
  // The end of the sibling before a node: found from each node for the one after it.
  for (const Node& node : nodes.subspan(1)) {
    const Node& parent = nodes[node.parent];
    uint32_t from = parent.offset;
    const NodeId id = static_cast<NodeId>(&node - nodes.data());
    if (parent.first_child != id) {
      // In preorder the node before is the sibling or in its subtree.
      NodeId sibling = id - 1;
      while (nodes[sibling].depth > node.depth) sibling = nodes[sibling].parent;
      from = nodes[sibling].end();
    }
    out->Varint(node.offset - from);
  }
  for (const Node& node : nodes.subspan(1)) out->Varint(nodes[node.parent].end() - node.end());
}

void AddSamples(std::span<const Sample> samples, Deflater* out) {
  const auto for_each = [samples](const auto& add) {
    Sample before = {};
    for (const Sample& sample : samples) {
      // Modulo 2^32, as the reader adds: also times that run backwards survive.
      add(sample, sample.wall_us - before.wall_us, sample.cpu_us - before.cpu_us);
      before = sample;
    }
  };
  for_each([out](const Sample&, uint32_t wall_us, uint32_t) { out->Varint(wall_us); });
  for_each([out](const Sample& sample, uint32_t wall_us, uint32_t) {
    out->Zigzag(int64_t{sample.weight_us} - wall_us);
  });
  for_each([out](const Sample&, uint32_t wall_us, uint32_t cpu_us) {
    out->Zigzag(static_cast<int32_t>(cpu_us - wall_us));
  });
  for_each([out](const Sample& sample, uint32_t, uint32_t) {
    const uint8_t state = static_cast<uint8_t>(sample.state);
    out->Bytes({&state, 1});
  });
}

}  // namespace

Status EncodeTree(const TraceTree& tree, Deflater* deflater, EncodedTree* out) {
  out->payload.clear();
  out->frames.clear();
  for (const Node& node : tree.nodes().subspan(1)) out->frames.push_back(node.frame);
  SortUnique(&out->frames);
  out->frames.shrink_to_fit();

  VectorSink sink(&out->payload);
  if (!deflater->Begin(&sink)) return Status::kNoMemory;
  Encoder<Deflater>(deflater).AsRecord(
      TreeHead{tree.token(), tree.interval_scale(), tree.samples_added(), tree.truncated_stacks(),
               tree.sample_count(), tree.nodes().size() - 1, out->frames.size(), kSampleVersion});
  FrameId before = 0;
  for (FrameId id : out->frames) {
    deflater->Varint(id - before);
    before = id;
  }
  AddNodes(tree, out->frames, deflater);
  AddSamples(tree.samples(), deflater);
  if (!deflater->End()) return Status::kNoMemory;
  out->payload.shrink_to_fit();
  out->token = tree.token();
  out->samples = tree.sample_count();
  out->raw_bytes = deflater->raw_bytes();
  out->crc = deflater->crc();
  return Status::kOk;
}

// Only what is used: a full table would be most of the file.
void AddFrames(const EncodedTrees& trees, std::vector<FrameId> ids, SectionWriter* writer) {
  if (trees.trees.empty() && ids.empty()) return;
  for (const EncodedTree* tree : trees.trees)
    ids.insert(ids.end(), tree->frames.begin(), tree->frames.end());
  SortUnique(&ids);
  std::vector<Method> methods;
  std::vector<trace::StringId> strings;
  methods.reserve(ids.size());
  for (FrameId id : ids) methods.push_back(MethodOf(trees.frames->At(id)));
  SortUnique(&methods);
  for (const Method& method : methods)
    std::ranges::remove_copy(method, std::back_inserter(strings), trace::kEmptyString);
  SortUnique(&strings);
  writer->Add(SectionKind::kFrames, [&](Deflater* out) {
    Encoder<Deflater> io(out);
    out->Varint(strings.size());
    for (trace::StringId id : strings) out->String(trees.frames->String(id));
    out->Varint(methods.size());
    for (const Method& method : methods) {
      const auto reference = [&strings](trace::StringId id) {
        return id == trace::kEmptyString ? 0 : IndexIn(strings, id) + 1;
      };
      const auto& [class_name, method_name, signature, source_file] = method;
      io.AsRecord(MethodRecord{reference(class_name), reference(method_name), reference(signature),
                               reference(source_file)});
    }
    out->Varint(ids.size());
    FrameId before = 0;
    for (FrameId id : ids) {
      const trace::Frame& frame = trees.frames->At(id);
      io.AsRecord(
          FrameRecord{id - before, IndexIn(methods, MethodOf(frame)), frame.line, frame.kind});
      before = id;
    }
  });
}

void AddTrees(const EncodedTrees& trees, SectionWriter* out) {
  for (const EncodedTree* tree : trees.trees)
    out->AddStored(SectionKind::kTree, tree->raw_bytes, tree->crc, tree->payload);
}

}  // namespace stillframe::dump
