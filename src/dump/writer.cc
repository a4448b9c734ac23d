// SPDX-License-Identifier: Apache-2.0
#include "src/dump/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <utility>

#include "src/dump/encoder.h"
#include "src/dump/section_writer.h"
#include "src/model/document.h"
#include "src/os/spare_descriptor.h"

namespace stillframe::dump {
namespace {

using model::FrameId;
using model::kRootNode;
using model::Node;
using model::NodeId;
using model::Sample;
using model::TraceTree;

// Trees, encoded when their message ends, and their frames.
// Context: any thread, one at a time; no JNI, no locks

// Class name, method name, signature, source file.
using Method = std::array<model::StringId, 4>;

Method MethodOf(const model::Frame& frame) {
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

// The four columns of the nodes, see dump_format.h.
void AddNodes(const TraceTree& tree, const std::vector<FrameId>& frames, Deflater* out) {
  const std::span<const Node> nodes = tree.nodes();
  for (NodeId id = kRootNode + 1; id < nodes.size(); ++id)
    out->Varint(nodes[id - 1].depth + 1 - nodes[id].depth);
  for (const Node& node : nodes.subspan(1)) out->Varint(IndexIn(frames, node.frame));
  // Finds the end of each node's previous sibling, which the node's offset is relative to.
  for (const Node& node : nodes.subspan(1)) {
    const Node& parent = nodes[node.parent];
    uint32_t from = parent.offset;
    const NodeId id = static_cast<NodeId>(&node - nodes.data());
    if (parent.first_child != id) {
      // In preorder the previous node is that sibling or in its subtree.
      NodeId sibling = id - 1;
      while (nodes[sibling].depth > node.depth) sibling = nodes[sibling].parent;
      from = nodes[sibling].end();
    }
    out->Varint(node.offset - from);
  }
  for (const Node& node : nodes.subspan(1)) out->Varint(nodes[node.parent].end() - node.end());
}

// Begin, end and CPU time in multiples of `unit_us`, so that the weights still add up.
Sample Rounded(Sample sample, uint32_t unit_us) {
  const auto round = [unit_us](uint32_t us) { return us / unit_us * unit_us; };
  const uint32_t begin_us = sample.wall_us - std::min(sample.weight_us, sample.wall_us);
  const uint32_t earlier_us = sample.weight_us - (sample.wall_us - begin_us);  // before the message
  sample.wall_us = round(sample.wall_us);
  sample.weight_us = sample.wall_us - round(begin_us) + earlier_us;
  sample.cpu_us = round(sample.cpu_us);
  return sample;
}

void AddSamples(std::span<const Sample> samples, uint32_t unit_us, Deflater* out) {
  const auto for_each = [samples, unit_us](const auto& add) {
    Sample before = {};
    for (const Sample& exact : samples) {
      const Sample sample = unit_us == 1 ? exact : Rounded(exact, unit_us);
      // Modulo 2^32, as the reader adds: times that run backwards survive too.
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

// Encodes `tree` into `*out`, whose memory is reused. kOk or kNoMemory.
Status EncodeTree(const TraceTree& tree, uint32_t unit_us, Deflater* deflater, EncodedTree* out) {
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
  AddSamples(tree.samples(), unit_us, deflater);
  if (!deflater->End()) return Status::kNoMemory;
  out->payload.shrink_to_fit();
  out->token = tree.token();
  out->samples = tree.sample_count();
  out->raw_bytes = deflater->raw_bytes();
  out->crc = deflater->crc();
  return Status::kOk;
}

// The section of frames used by trees and by `ids`; none without both. A full table would be most
// of the file.
void AddFrames(const EncodedTrees& trees, std::vector<FrameId> ids, SectionWriter* writer) {
  if (trees.trees.empty() && trees.of_threads.empty() && ids.empty()) return;
  for (const auto& list : {trees.trees, trees.of_threads})
    for (const EncodedTree* tree : list)
      ids.insert(ids.end(), tree->frames.begin(), tree->frames.end());
  SortUnique(&ids);
  std::vector<Method> methods;
  std::vector<model::StringId> strings;
  methods.reserve(ids.size());
  for (FrameId id : ids) methods.push_back(MethodOf(trees.frames->At(id)));
  SortUnique(&methods);
  for (const Method& method : methods)
    std::ranges::remove_copy(method, std::back_inserter(strings), model::kEmptyString);
  SortUnique(&strings);
  writer->Add(SectionKind::kFrames, [&](Deflater* out) {
    Encoder<Deflater> io(out);
    out->Varint(strings.size());
    for (model::StringId id : strings) out->String(trees.frames->String(id));
    out->Varint(methods.size());
    for (const Method& method : methods) {
      const auto reference = [&strings](model::StringId id) {
        return id == model::kEmptyString ? 0 : IndexIn(strings, id) + 1;
      };
      const auto& [class_name, method_name, signature, source_file] = method;
      io.AsRecord(MethodRecord{reference(class_name), reference(method_name), reference(signature),
                               reference(source_file)});
    }
    out->Varint(ids.size());
    FrameId before = 0;
    for (FrameId id : ids) {
      const model::Frame& frame = trees.frames->At(id);
      io.AsRecord(
          FrameRecord{id - before, IndexIn(methods, MethodOf(frame)), frame.line, frame.kind});
      before = id;
    }
  });
}

void AddTrees(SectionKind kind, std::span<const EncodedTree* const> trees, SectionWriter* out) {
  for (const EncodedTree* tree : trees)
    out->AddStored(kind, tree->raw_bytes, tree->crc, tree->payload);
}

// Removes the file on destruction unless it was renamed.
class TemporaryFile {
 public:
  ~TemporaryFile() {
    if (exists_) unlink(path_);
    file_.Close();
    os::TakeBackSpareDescriptor();
  }

  WriteResult Create(const char* final_path) {
    const int length = snprintf(path_, sizeof(path_), "%s.%d.tmp", final_path, getpid());
    if (length < 0 || static_cast<size_t>(length) >= sizeof(path_))
      return {Status::kNameTooLong, ENAMETOOLONG, 0};
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    if (!file_.Take(os::OpenWithSpare(path_, kFlags, 0600)) &&
        errno == EEXIST) {  // left by a dead process with the same pid
      unlink(path_);
      file_.Take(os::OpenWithSpare(path_, kFlags, 0600));
    }
    if (!file_.is_open()) return {Status::kCannotCreate, errno, 0};
    exists_ = true;
    return {};
  }

  bool Close() { return file_.Close(); }

  bool RenameTo(const char* final_path) {
    if (rename(path_, final_path) != 0) return false;
    exists_ = false;
    return true;
  }

  const os::OwnDescriptor& file() const { return file_; }

 private:
  char path_[PATH_MAX];
  os::OwnDescriptor file_;
  bool exists_ = false;
};

// A small file; empty if it cannot be read.
std::vector<uint8_t> ReadFile(const char* path) {
  constexpr off_t kMaxBytes = 64 << 20;
  std::vector<uint8_t> bytes;
  const int fd = os::OpenWithSpare(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat facts = {};
  if (fd >= 0 && fstat(fd, &facts) == 0 && facts.st_size <= kMaxBytes) {
    bytes.resize(static_cast<size_t>(facts.st_size));
    size_t size = 0;
    ssize_t got = 1;
    while (size < bytes.size() && got > 0) {
      got = read(fd, bytes.data() + size, bytes.size() - size);
      size += static_cast<size_t>(std::max<ssize_t>(got, 0));
    }
    if (size != bytes.size()) bytes.clear();
  }
  if (fd >= 0) close(fd);
  os::TakeBackSpareDescriptor();
  return bytes;
}

// Calls `take(header, payload)` for each section up to the end section. False if there is no end.
template <typename Take>
bool ForEachSection(std::span<const uint8_t> bytes, const Take& take) {
  if (bytes.size() < sizeof(FileHeader)) return false;
  bytes = bytes.subspan(sizeof(FileHeader));
  SectionHeader header;
  while (bytes.size() >= sizeof header) {
    memcpy(&header, bytes.data(), sizeof header);
    bytes = bytes.subspan(sizeof header);
    if (header.marker != kSectionMarker || header.stored_length > bytes.size()) return false;
    if (header.kind == static_cast<uint32_t>(SectionKind::kEnd)) return true;
    const auto length = static_cast<size_t>(header.stored_length);
    take(header, bytes.first(length));
    bytes = bytes.subspan(length);
  }
  return false;
}

void AddSection(SectionKind kind, const model::Dump& dump, SectionWriter* out) {
  out->Add(
      kind,
      [kind, &dump](Deflater* payload) {
        Encoder<Deflater> fields(payload);
        SectionFields(fields, kind, dump);
      });
}

// In file order. Frames, their users and trees follow.
constexpr SectionKind kSections[] = {
    SectionKind::kIdentity, SectionKind::kTrigger,       SectionKind::kConfiguration,
    SectionKind::kCounters, SectionKind::kRunning,       SectionKind::kHistory,
    SectionKind::kPending,  SectionKind::kLoopers,       SectionKind::kGroups,
    SectionKind::kRecords,  SectionKind::kJank,          SectionKind::kContext,
    SectionKind::kThreads,  SectionKind::kAnnotations,   SectionKind::kSignalCatcher,
    SectionKind::kModules,  SectionKind::kTraceSections, SectionKind::kOtherThreads,
};

bool IsPresent(SectionKind kind, const model::Dump& dump) {
  switch (kind) {
    case SectionKind::kConfiguration: return !dump.configuration.empty() || dump.slow_ns != 0;
    case SectionKind::kCounters: return !dump.counters.empty();
    case SectionKind::kRunning: return dump.running.has_value();
    case SectionKind::kPending:
      return !dump.pending.empty() || !dump.pending_source.empty() || !dump.pending_absent.empty();
    case SectionKind::kLoopers: return !dump.loopers.empty();
    case SectionKind::kGroups: return !dump.groups.empty();
    case SectionKind::kRecords: return !dump.records.empty();
    case SectionKind::kJank: return dump.jank.has_value();
    case SectionKind::kContext: return !dump.context.empty();
    case SectionKind::kThreads: return dump.threads.has_value();
    case SectionKind::kAnnotations:
      return !dump.annotations.scene.empty() || !dump.annotations.entries.empty();
    case SectionKind::kSignalCatcher: return dump.signal_catcher.has_value();
    case SectionKind::kModules: return !dump.modules.empty();
    case SectionKind::kTraceSections: return dump.sections.has_value();
    case SectionKind::kOtherThreads: return !dump.other_threads.empty();
    default: return true;
  }
}

std::vector<model::FrameId> FramesOfStacks(const model::Dump& dump) {
  std::vector<model::FrameId> frames;
  if (dump.thread_stacks)
    for (const model::ThreadStack& stack : dump.thread_stacks->stacks)
      frames.insert(frames.end(), stack.frames.begin(), stack.frames.end());
  return frames;
}

void AddAmendment(const Amendment& amendment, SectionWriter* out) {
  if (amendment.occasion != nullptr) {
    out->Add(
        SectionKind::kTrigger,
        [&amendment](Deflater* payload) {
          Encoder<Deflater>(payload).AsRecord(*amendment.occasion);
        });
  }
  if (amendment.signal_catcher != nullptr) {
    out->Add(
        SectionKind::kSignalCatcher,
        [&amendment](Deflater* payload) {
          Encoder<Deflater> fields(payload);
          PayloadOf(fields, *amendment.signal_catcher);
        });
  }
}

}  // namespace

class Writer::Impl {
 public:
  Status EncodeTree(const model::TraceTree& tree, uint32_t unit_us, EncodedTree* out) {
    return dump::EncodeTree(tree, unit_us, &deflater_, out);
  }

  template <typename Target>
  bool WriteSections(const model::Dump& dump, const EncodedTrees& trees, Target* target) {
    out_.Open(kFormatMinor, target);
    for (const SectionKind kind : kSections)
      if (IsPresent(kind, dump)) AddSection(kind, dump, &out_);
    AddFrames(trees, FramesOfStacks(dump), &out_);
    if (dump.thread_stacks) AddSection(SectionKind::kThreadStacks, dump, &out_);
    AddTrees(SectionKind::kTree, trees.trees, &out_);
    AddTrees(SectionKind::kThreadTree, trees.of_threads, &out_);
    return out_.Close();
  }

  bool WriteAgain(std::span<const uint8_t> dump, const Amendment& amendment,
                  const os::OwnDescriptor* file) {
    out_.Open(kFormatMinor, file);
    const bool is_whole = ForEachSection(
        dump, [this, &amendment](const SectionHeader& header, std::span<const uint8_t> payload) {
          const auto kind = static_cast<SectionKind>(header.kind);
          const bool is_replaced =
              (kind == SectionKind::kSignalCatcher && amendment.signal_catcher != nullptr) ||
              (kind == SectionKind::kTrigger && amendment.occasion != nullptr);
          if (!is_replaced) out_.AddStored(kind, header.raw_length, header.payload_crc, payload);
        });
    AddAmendment(amendment, &out_);
    return out_.Close() && is_whole;
  }

  // Calls `write(file)` with a temporary file, which is renamed to `final_path` on success.
  template <typename Write>
  WriteResult WriteFile(const char* final_path, const WriteOptions& options, const Write& write);

 private:
  Deflater deflater_;
  SectionWriter out_{&deflater_};
};

Writer::Writer() : impl_(new Impl) {}
Writer::~Writer() = default;

Status Writer::EncodeTree(const model::TraceTree& tree, EncodedTree* out, uint32_t unit_us) {
  return impl_->EncodeTree(tree, unit_us, out);
}

template <typename Write>
WriteResult Writer::Impl::WriteFile(const char* final_path, const WriteOptions& options,
                                    const Write& write) {
  TemporaryFile temporary;
  const WriteResult created = temporary.Create(final_path);
  if (!created.ok()) return created;
  if (!write(&temporary.file())) {
    const int error = out_.error();
    return {error != 0 ? Status::kCannotWrite : Status::kNoMemory, error, 0};
  }
  if (options.sync && fsync(temporary.file().fd()) != 0) return {Status::kCannotSync, errno, 0};
  if (!temporary.Close())  // a network file system reports a full disk here
    return {Status::kCannotWrite, errno, 0};
  if (!temporary.RenameTo(final_path)) return {Status::kCannotRename, errno, 0};
  return {Status::kOk, 0, out_.offset()};
}

WriteResult Writer::WriteDump(const model::Dump& dump, const EncodedTrees& trees,
                              const char* final_path, const WriteOptions& options) {
  return impl_->WriteFile(
      final_path, options,
      [this, &dump, &trees](const os::OwnDescriptor* file) {
        return impl_->WriteSections(dump, trees, file);
      });
}

bool Writer::WriteBytes(const model::Dump& dump, const EncodedTrees& trees,
                        std::vector<uint8_t>* bytes) {
  bytes->clear();
  return impl_->WriteSections(dump, trees, bytes);
}

WriteResult Writer::Amend(const Amendment& amendment, const char* path) {
  const std::vector<uint8_t> dump = ReadFile(path);
  if (!ForEachSection(dump, [](const SectionHeader&, std::span<const uint8_t>) {}))
    return {Status::kCannotWrite, EINVAL, 0};
  return impl_->WriteFile(path, {}, [this, &dump, &amendment](const os::OwnDescriptor* file) {
    return impl_->WriteAgain(dump, amendment, file);
  });
}

WriteResult Writer::WriteDocument(const model::Document& document, const char* final_path,
                                  const WriteOptions& options) {
  std::list<EncodedTree> encoded;
  std::vector<const EncodedTree*> trees;
  std::vector<const EncodedTree*> of_threads;
  for (const auto& [from, to] :
       {std::pair{&document.trees, &trees}, std::pair{&document.thread_trees, &of_threads}}) {
    for (const model::TraceTree& tree : *from) {
      const Status status = EncodeTree(tree, &encoded.emplace_back());
      if (status != Status::kOk) return {status, 0, 0};
      to->push_back(&encoded.back());
    }
  }
  return WriteDump(document, {&document.frames, trees, of_threads}, final_path, options);
}

std::string Writer::Describe(const WriteResult& result, std::string_view path) {
  std::string text = StatusText(result.status);
  text.append(": ").append(path);
  if (result.error_number != 0) text.append(": ").append(strerror(result.error_number));
  if (result.error_number == EMFILE)
    return text.append("; the process has used all its descriptors: it probably leaks them");
  switch (result.status) {
    case Status::kCannotCreate:
      return text.append("; give a folder that exists and that this process may write to");
    case Status::kCannotWrite:
    case Status::kCannotSync: return text.append("; make room on that disk or give another folder");
    case Status::kCannotRename: return text.append("; remove the file or folder at that path");
    case Status::kNameTooLong: return text.append("; give a shorter folder name");
    default: return text;
  }
}

}  // namespace stillframe::dump
