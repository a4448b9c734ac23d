// SPDX-License-Identifier: Apache-2.0
// Writes the sections of a dump to a temporary file, which is renamed when it is whole.
// Context: any thread, one at a time; no JNI, no locks
#include "src/dump/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "src/dump/encoder.h"
#include "src/dump/section_writer.h"
#include "src/dump/write_trees.h"
#include "src/model/document.h"

namespace stillframe::dump {
namespace {

// Removes the file unless it was renamed.
class TemporaryFile {
 public:
  ~TemporaryFile() {
    if (exists_) unlink(path_);
  }

  WriteResult Create(const char* final_path) {
    const int length = snprintf(path_, sizeof(path_), "%s.%d.tmp", final_path, getpid());
    if (length < 0 || static_cast<size_t>(length) >= sizeof(path_))
      return {Status::kNameTooLong, ENAMETOOLONG, 0};
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    if (!file_.Take(open(path_, kFlags, 0600)) &&
        errno == EEXIST) {  // left by a process of the same number that died
      unlink(path_);
      file_.Take(open(path_, kFlags, 0600));
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

// The whole of a small file; empty when it cannot be read.
std::vector<uint8_t> ReadFile(const char* path) {
  constexpr off_t kMaxBytes = 64 << 20;
  std::vector<uint8_t> bytes;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
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
  return bytes;
}

// Calls `take(header, payload)` for each section up to the end section. False when there is none.
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

// In the order of the file; frames, what names them, and trees follow.
constexpr SectionKind kSections[] = {
    SectionKind::kIdentity, SectionKind::kTrigger,       SectionKind::kConfiguration,
    SectionKind::kCounters, SectionKind::kRunning,       SectionKind::kHistory,
    SectionKind::kPending,  SectionKind::kLoopers,       SectionKind::kGroups,
    SectionKind::kRecords,  SectionKind::kJank,          SectionKind::kContext,
    SectionKind::kThreads,  SectionKind::kAnnotations,   SectionKind::kSignalCatcher,
    SectionKind::kModules,  SectionKind::kTraceSections,
};

bool HasSomethingToSay(SectionKind kind, const model::Dump& dump) {
  switch (kind) {
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
    default: return true;
  }
}

std::vector<trace::FrameId> FramesOfStacks(const model::Dump& dump) {
  std::vector<trace::FrameId> frames;
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
  Status EncodeTree(const trace::TraceTree& tree, EncodedTree* out) {
    return dump::EncodeTree(tree, out_.deflater(), out);
  }

  bool WriteSections(const model::Dump& dump, const EncodedTrees& trees,
                     const os::OwnDescriptor* file) {
    out_.Open(file);
    for (const SectionKind kind : kSections)
      if (HasSomethingToSay(kind, dump)) AddSection(kind, dump, &out_);
    AddFrames(trees, FramesOfStacks(dump), &out_);
    if (dump.thread_stacks) AddSection(SectionKind::kThreadStacks, dump, &out_);
    AddTrees(trees, &out_);
    return out_.Close();
  }

  bool WriteAgain(std::span<const uint8_t> dump, const Amendment& amendment,
                  const os::OwnDescriptor* file) {
    out_.Open(file);
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

  // Has `write(file)` write a temporary file, which takes the name `final_path` when all went well.
  template <typename Write>
  WriteResult WriteFile(const char* final_path, const WriteOptions& options, const Write& write);

 private:
  SectionWriter out_;
};

Writer::Writer() : impl_(new Impl) {}
Writer::~Writer() = default;

Status Writer::EncodeTree(const trace::TraceTree& tree, EncodedTree* out) {
  return impl_->EncodeTree(tree, out);
}

template <typename Write>
WriteResult Writer::Impl::WriteFile(const char* final_path, const WriteOptions& options,
                                    const Write& write) {
  TemporaryFile temporary;
  const WriteResult created = temporary.Create(final_path);
  if (!created.ok()) return created;
  if (!write(&temporary.file())) {
    const int error = out_.file().error();
    return {error != 0 ? Status::kCannotWrite : Status::kNoMemory, error, 0};
  }
  if (options.sync && fsync(temporary.file().fd()) != 0) return {Status::kCannotSync, errno, 0};
  if (!temporary.Close())  // where a network file system reports a full disk
    return {Status::kCannotWrite, errno, 0};
  if (!temporary.RenameTo(final_path)) return {Status::kCannotRename, errno, 0};
  return {Status::kOk, 0, out_.file().offset()};
}

WriteResult Writer::WriteDump(const model::Dump& dump, const EncodedTrees& trees,
                              const char* final_path, const WriteOptions& options) {
  return impl_->WriteFile(
      final_path, options,
      [this, &dump, &trees](const os::OwnDescriptor* file) {
        return impl_->WriteSections(dump, trees, file);
      });
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
  std::vector<EncodedTree> trees(document.trees.size());
  std::vector<const EncodedTree*> tree_pointers;
  for (size_t i = 0; i < trees.size(); ++i) {
    const Status status = EncodeTree(document.trees[i], &trees[i]);
    if (status != Status::kOk) return {status, 0, 0};
    tree_pointers.push_back(&trees[i]);
  }
  return WriteDump(document, {&document.frames, tree_pointers}, final_path, options);
}

std::string Writer::Describe(const WriteResult& result, std::string_view path) {
  std::string text = StatusText(result.status);
  text.append(": ").append(path);
  if (result.error_number != 0) text.append(": ").append(strerror(result.error_number));
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
