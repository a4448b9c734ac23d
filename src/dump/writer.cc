// Encodes trees and writes the sections of a dump to a temporary file, which is renamed when it is
// whole. Context: any thread, one at a time; no JNI, no locks
#include "src/dump/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "src/dump/section_stream.h"

namespace stillframe::dump {
namespace {

using trace::FrameId;
using trace::kRootNode;
using trace::Node;
using trace::NodeId;
using trace::Sample;
using trace::TraceTree;

void AddMessage(const Message& message, Record* record, Deflater* out) {
  record->Varint(message.token).Varint(message.start_ns).Zigzag(message.wait_ns);
  record->Zigzag(message.wall_ns).Zigzag(message.cpu_ns).Varint(message.samples);
  record->Varint(message.flags).Zigzag(message.what).String(message.target);
  record->String(message.callback).FinishTo(out);
}

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
  for (NodeId id = kRootNode + 1; id < nodes.size(); ++id) {
    out->Varint(nodes[id - 1].depth + 1 - nodes[id].depth);
  }
  for (const Node& node : nodes.subspan(1)) {
    out->Varint(IndexIn(frames, node.frame));
  }
  // The end of the sibling before a node: found from each node for the one after it.
  for (const Node& node : nodes.subspan(1)) {
    const Node& parent = nodes[node.parent];
    uint32_t from = parent.offset;
    const NodeId id = static_cast<NodeId>(&node - nodes.data());
    if (parent.first_child != id) {
      // In preorder the node before is the sibling or in its subtree.
      NodeId brother = id - 1;
      while (nodes[brother].depth > node.depth) {
        brother = nodes[brother].parent;
      }
      from = nodes[brother].end();
    }
    out->Varint(node.offset - from);
  }
  for (const Node& node : nodes.subspan(1)) {
    out->Varint(nodes[node.parent].end() - node.end());
  }
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

// Removes the file unless it was renamed.
class TemporaryFile {
 public:
  ~TemporaryFile() {
    Close();
    if (exists_) {
      unlink(path_);
    }
  }

  WriteResult Create(const char* final_path) {
    const int length = snprintf(path_, sizeof(path_), "%s.%d.tmp", final_path, getpid());
    if (length < 0 || static_cast<size_t>(length) >= sizeof(path_)) {
      return {Status::kNameTooLong, ENAMETOOLONG, 0};
    }
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    fd_ = open(path_, kFlags, 0600);
    if (fd_ < 0 && errno == EEXIST) {  // left by a process of the same number that died
      unlink(path_);
      fd_ = open(path_, kFlags, 0600);
    }
    if (fd_ < 0) {
      return {Status::kCannotCreate, errno, 0};
    }
    exists_ = true;
    return {};
  }

  bool Close() {
    const bool closed = fd_ < 0 || close(fd_) == 0 || errno == EINTR;
    fd_ = -1;
    return closed;
  }

  bool RenameTo(const char* final_path) {
    if (rename(path_, final_path) != 0) {
      return false;
    }
    exists_ = false;
    return true;
  }

  int fd() const { return fd_; }

 private:
  char path_[PATH_MAX];
  int fd_ = -1;
  bool exists_ = false;
};

}  // namespace

class Writer::Impl {
 public:
  Status EncodeTree(const TraceTree& tree, EncodedTree* out);
  bool WriteSections(const Contents& contents, int fd);
  const BufferedFile& file() const { return file_; }

 private:
  template <typename Fill>
  void AddSection(SectionKind kind, const Fill& fill);
  void AddTree(const EncodedTree& tree);
  void AddFacts(const Contents& contents);
  void AddMessages(const Contents& contents);
  void AddFrames(const Contents& contents);
  void AddEnd();

  Deflater deflater_;
  BufferedFile file_;
  Record record_;
  uint32_t sections_ = 0;
  bool is_good_ = false;
};

Status Writer::Impl::EncodeTree(const TraceTree& tree, EncodedTree* out) {
  out->payload.clear();
  out->frames.clear();
  for (const Node& node : tree.nodes().subspan(1)) {
    out->frames.push_back(node.frame);
  }
  SortUnique(&out->frames);
  out->frames.shrink_to_fit();

  VectorSink sink(&out->payload);
  if (!deflater_.Begin(&sink)) {
    return Status::kNoMemory;
  }
  record_.Varint(tree.token()).Varint(tree.interval_scale()).Varint(tree.samples_added());
  record_.Varint(tree.cut_stacks()).Varint(tree.sample_count()).Varint(tree.nodes().size() - 1);
  record_.Varint(out->frames.size()).FinishTo(&deflater_);
  FrameId before = 0;
  for (FrameId id : out->frames) {
    deflater_.Varint(id - before);
    before = id;
  }
  AddNodes(tree, out->frames, &deflater_);
  AddSamples(tree.samples(), &deflater_);
  if (!deflater_.End()) {
    return Status::kNoMemory;
  }
  out->payload.shrink_to_fit();
  out->token = tree.token();
  out->samples = tree.sample_count();
  out->raw_bytes = deflater_.raw_bytes();
  out->crc = deflater_.crc();
  return Status::kOk;
}

template <typename Fill>
void Writer::Impl::AddSection(SectionKind kind, const Fill& fill) {
  const uint64_t start = file_.offset();
  // Not a header yet: a reader of a file that ends here stops before it.
  is_good_ = is_good_ && file_.Put(BytesOf(SectionHeader{})) && deflater_.Begin(&file_);
  if (!is_good_) {
    return;
  }
  fill(&deflater_);
  is_good_ =
      deflater_.End() &&
      file_.Patch(start, BytesOf(MakeSectionHeader(kind, sections_++, deflater_.stored_bytes(),
                                                   deflater_.raw_bytes(), deflater_.crc())));
}

void Writer::Impl::AddTree(const EncodedTree& tree) {
  is_good_ = is_good_ &&
             file_.Put(BytesOf(MakeSectionHeader(SectionKind::kTree, sections_++,
                                                 tree.payload.size(), tree.raw_bytes, tree.crc))) &&
             file_.Put(tree.payload);
}

void Writer::Impl::AddFacts(const Contents& contents) {
  const Identity none;
  const Identity& id = contents.identity != nullptr ? *contents.identity : none;
  AddSection(SectionKind::kIdentity, [&](Deflater* out) {
    record_.String(id.process_name).Varint(id.pid).Varint(id.uid).String(id.abi);
    record_.String(id.art_release).String(id.art_build_id).String(id.profiler_version);
    record_.String(id.sampler_state).String(id.tap).Varint(id.process_start_ns).FinishTo(out);
  });
  AddSection(SectionKind::kTrigger, [&](Deflater* out) {
    record_.Varint(static_cast<uint64_t>(contents.trigger)).Varint(contents.sequence);
    record_.Varint(contents.taken_monotonic_ns).Varint(contents.taken_realtime_ns).FinishTo(out);
  });
  AddSection(SectionKind::kConfiguration, [&](Deflater* out) {
    out->Varint(contents.configuration.size());
    for (const NamedText& entry : contents.configuration) {
      record_.String(entry.name).String(entry.value).FinishTo(out);
    }
  });
  AddSection(SectionKind::kCounters, [&](Deflater* out) {
    out->Varint(contents.counters.size());
    for (const NamedCount& counter : contents.counters) {
      record_.String(counter.name).Varint(counter.value).FinishTo(out);
    }
  });
}

void Writer::Impl::AddMessages(const Contents& contents) {
  AddSection(SectionKind::kRunning, [&](Deflater* out) {
    out->Varint(contents.running != nullptr ? 1 : 0);
    if (contents.running != nullptr) {
      AddMessage(*contents.running, &record_, out);
    }
  });
  AddSection(SectionKind::kHistory, [&](Deflater* out) {
    out->Varint(contents.history_lost);
    out->Varint(contents.history.size());
    for (const Message& message : contents.history) {
      AddMessage(message, &record_, out);
    }
  });
  AddSection(SectionKind::kPending, [&](Deflater* out) {
    out->String(contents.pending_source);
    out->String(contents.pending_absent);
    out->Varint(contents.pending.size());
    for (const PendingMessage& message : contents.pending) {
      record_.Zigzag(message.delay_ms).Zigzag(message.what);
      record_.Varint((message.is_asynchronous ? 1U : 0U) | (message.is_barrier ? 2U : 0U));
      record_.String(message.target).String(message.callback).FinishTo(out);
    }
  });
}

// Only what the trees use: a full table would be most of the file.
void Writer::Impl::AddFrames(const Contents& contents) {
  std::vector<FrameId> ids;
  for (const EncodedTree* tree : contents.trees) {
    ids.insert(ids.end(), tree->frames.begin(), tree->frames.end());
  }
  SortUnique(&ids);
  std::vector<Method> methods;
  std::vector<trace::StringId> strings;
  methods.reserve(ids.size());
  for (FrameId id : ids) {
    methods.push_back(MethodOf(contents.frames->At(id)));
  }
  SortUnique(&methods);
  for (const Method& method : methods) {
    std::ranges::remove_copy(method, std::back_inserter(strings), trace::kEmptyString);
  }
  SortUnique(&strings);
  AddSection(SectionKind::kFrames, [&](Deflater* out) {
    out->Varint(strings.size());
    for (trace::StringId id : strings) {
      out->String(contents.frames->String(id));
    }
    out->Varint(methods.size());
    for (const Method& method : methods) {
      for (trace::StringId id : method) {
        record_.Varint(id == trace::kEmptyString ? 0 : IndexIn(strings, id) + 1);
      }
      record_.FinishTo(out);
    }
    out->Varint(ids.size());
    FrameId before = 0;
    for (FrameId id : ids) {
      const trace::Frame& frame = contents.frames->At(id);
      record_.Varint(id - before).Varint(IndexIn(methods, MethodOf(frame))).Zigzag(frame.line);
      record_.Varint(static_cast<uint64_t>(frame.kind)).FinishTo(out);
      before = id;
    }
  });
}

void Writer::Impl::AddEnd() {
  const uint32_t count = sections_;
  AddSection(SectionKind::kEnd, [count](Deflater* out) { out->Varint(count); });
}

bool Writer::Impl::WriteSections(const Contents& contents, int fd) {
  file_.Open(fd);
  sections_ = 0;
  is_good_ = file_.Put(BytesOf(MakeFileHeader()));
  AddFacts(contents);
  AddMessages(contents);
  if (!contents.trees.empty()) {
    AddFrames(contents);
  }
  for (const EncodedTree* tree : contents.trees) {
    AddTree(*tree);
  }
  AddEnd();
  return is_good_ && file_.Flush();
}

Writer::Writer() : impl_(new Impl) {}
Writer::~Writer() = default;

Status Writer::EncodeTree(const TraceTree& tree, EncodedTree* out) {
  return impl_->EncodeTree(tree, out);
}

WriteResult Writer::WriteDump(const Contents& contents, const char* final_path,
                              const WriteOptions& options) {
  TemporaryFile temporary;
  const WriteResult created = temporary.Create(final_path);
  if (!created.ok()) {
    return created;
  }
  if (!impl_->WriteSections(contents, temporary.fd())) {
    const int error = impl_->file().error();
    return {error != 0 ? Status::kCannotWrite : Status::kNoMemory, error, 0};
  }
  if (options.sync && fsync(temporary.fd()) != 0) {
    return {Status::kCannotSync, errno, 0};
  }
  if (!temporary.Close()) {  // where a network file system reports a full disk
    return {Status::kCannotWrite, errno, 0};
  }
  if (!temporary.RenameTo(final_path)) {
    return {Status::kCannotRename, errno, 0};
  }
  return {Status::kOk, 0, impl_->file().offset()};
}

WriteResult Writer::WriteDocument(const Document& document, const char* final_path,
                                  const WriteOptions& options) {
  std::vector<EncodedTree> trees(document.trees.size());
  std::vector<const EncodedTree*> tree_pointers;
  for (size_t i = 0; i < trees.size(); ++i) {
    const Status status = EncodeTree(document.trees[i], &trees[i]);
    if (status != Status::kOk) {
      return {status, 0, 0};
    }
    tree_pointers.push_back(&trees[i]);
  }
  Contents contents;
  contents.trigger = document.trigger;
  contents.sequence = document.sequence;
  contents.taken_monotonic_ns = document.taken_monotonic_ns;
  contents.taken_realtime_ns = document.taken_realtime_ns;
  contents.identity = &document.identity;
  contents.configuration = document.configuration;
  contents.counters = document.counters;
  contents.history = document.history;
  contents.history_lost = document.history_lost;
  contents.running = document.running ? &*document.running : nullptr;
  contents.pending_source = document.pending_source;
  contents.pending_absent = document.pending_absent;
  contents.pending = document.pending;
  contents.frames = &document.frames;
  contents.trees = tree_pointers;
  return WriteDump(contents, final_path, options);
}

std::string Writer::Describe(const WriteResult& result, std::string_view path) {
  std::string text = StatusText(result.status);
  text.append(": ").append(path);
  if (result.error_number != 0) {
    text.append(": ").append(strerror(result.error_number));
  }
  switch (result.status) {
    case Status::kCannotCreate:
      return text.append("; give a folder that exists and that this process may write to");
    case Status::kCannotWrite:
    case Status::kCannotSync: return text.append("; make room on that disk or give another folder");
    case Status::kCannotRename: return text.append("; remove what stands in its place");
    case Status::kNameTooLong: return text.append("; give a shorter folder name");
    default: return text;
  }
}

}  // namespace stillframe::dump
