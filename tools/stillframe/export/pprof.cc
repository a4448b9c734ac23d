// SPDX-License-Identifier: Apache-2.0
// Field numbers are from proto/profile.proto of google/pprof.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <new>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tools/stillframe/export/chosen_trees.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/export/protobuf_writer.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::exports {
namespace {

// Without name and time, so that equal input gives equal output (RFC 1952).
std::string Gzip(std::string_view bytes) {
  constexpr int kGzipWindow = 15 + 16;  // zlib's value for a gzip header
  constexpr size_t kBlockBytes = 64 * 1024;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::array<char, kBlockBytes> block{};
  int result = Z_OK;
  size_t taken = 0;
  do {
    if (stream.avail_in == 0 && taken < bytes.size()) {
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + taken));
      stream.avail_in = static_cast<uInt>(
          std::min<size_t>(bytes.size() - taken, std::numeric_limits<uInt>::max()));
      taken += stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    result = deflate(&stream, taken == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
  } while (result == Z_OK || result == Z_BUF_ERROR);
  deflateEnd(&stream);
  return out;
}

enum ProfileField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14
};
enum ValueTypeField : uint32_t { kValueType = 1, kValueUnit = 2 };
enum SampleField : uint32_t { kSampleLocations = 1, kSampleValues = 2, kSampleLabel = 3 };
enum LabelField : uint32_t { kLabelKey = 1, kLabelText = 2, kLabelNumber = 3 };
enum LocationField : uint32_t { kLocationId = 1, kLocationLine = 4 };
enum LineField : uint32_t { kLineFunction = 1, kLineNumber = 2 };
enum FunctionField : uint32_t {
  kFunctionId = 1,
  kFunctionName = 2,
  kFunctionSystemName = 3,
  kFunctionFile = 4
};

class PprofBuilder {
 public:
  PprofBuilder(const index::DumpIndex& index, const judge::Verdict& verdict)
      : index_(index), verdict_(verdict), frame_table_(index.document().frames) {}

  std::string Build(std::optional<Token> token) {
    Text("");  // required as the first string
    profile_.Message(kSampleType, ValueType("samples", "count"));
    profile_.Message(kSampleType, ValueType("wall", "microseconds"));
    const std::vector<ChosenTree> trees = ChooseTrees(index_, token);
    uint64_t weight_us = 0;
    for (const ChosenTree& tree : trees) {
      AddSamples(tree);
      weight_us += tree.weight_us;
    }
    const model::Document& document = index_.document();
    if (!trees.empty()) {
      const uint64_t age_ns = document.taken_monotonic_ns -
                              std::min(document.taken_monotonic_ns, trees.front().start_ns);
      profile_.Varint(kTimeNanos,
                      document.taken_realtime_ns - std::min(document.taken_realtime_ns, age_ns));
    }
    profile_.Varint(kDurationNanos, weight_us * 1000);
    profile_.Message(kPeriodType, ValueType("wall", "microseconds"));
    profile_.Varint(kPeriod, 10'000);
    profile_.Varint(kComment, Text(words::Explain(verdict_).headline));
    profile_.Varint(kDefaultSampleType, Text("wall"));
    for (const std::string& text : texts_.all()) profile_.Bytes(kStringTable, text);
    return Gzip(profile_.bytes());
  }

 private:
  uint64_t Text(const std::string& text) { return texts_.NumberOf(text); }

  ProtobufWriter ValueType(const char* type, const char* unit) {
    return ProtobufWriter().Varint(kValueType, Text(type)).Varint(kValueUnit, Text(unit));
  }

  uint64_t Function(model::FrameId id) {
    const std::string name = FrameName(frame_table_, id);
    const std::string file = FrameFile(frame_table_, id);
    const auto [entry, is_new] =
        functions_.try_emplace({name, file}, static_cast<uint64_t>(functions_.size() + 1));
    if (is_new) {
      profile_.Message(kFunction, ProtobufWriter()
                                      .Varint(kFunctionId, entry->second)
                                      .Varint(kFunctionName, Text(name))
                                      .Varint(kFunctionSystemName, Text(name))
                                      .Varint(kFunctionFile, Text(file)));
    }
    return entry->second;
  }

  uint64_t Location(model::FrameId id) {
    const auto [entry, is_new] = locations_.try_emplace(id, locations_.size() + 1);
    if (is_new) {
      const auto number = static_cast<uint32_t>(std::max(frame_table_.At(id).line, 0));
      const ProtobufWriter line =
          ProtobufWriter().Varint(kLineFunction, Function(id)).Varint(kLineNumber, number);
      profile_.Message(
          kLocation,
          ProtobufWriter().Varint(kLocationId, entry->second).Message(kLocationLine, line));
    }
    return entry->second;
  }

  // One entry for all samples of a message with equal stack and state.
  void AddSamples(const ChosenTree& chosen) {
    const model::TraceTree& tree = *chosen.tree;
    struct Sum {
      uint64_t samples = 0;
      uint64_t weight_us = 0;
    };
    StackNumbers numbers;
    const std::vector<uint32_t> stacks = numbers.Add(tree);
    std::map<std::pair<uint32_t, model::ThreadState>, Sum> sums;
    for (uint32_t i = 0; i < tree.sample_count(); ++i) {
      Sum& sum = sums[{stacks[i], tree.samples()[i].state}];
      ++sum.samples;
      sum.weight_us += tree.samples()[i].weight_us;
    }
    std::vector<uint64_t> locations;
    for (const auto& [key, sum] : sums) {
      locations.clear();
      for (uint32_t stack = key.first; stack != 0; stack = numbers.stacks()[stack].parent)
        locations.push_back(Location(numbers.stacks()[stack].frame));
      const std::string state(index::TextOf(key.second));
      profile_.Message(kSample,
                       ProtobufWriter()
                           .Packed(kSampleLocations, locations)
                           .Packed(kSampleValues, std::vector<uint64_t>{sum.samples, sum.weight_us})
                           .Message(kSampleLabel, ProtobufWriter()
                                                      .Varint(kLabelKey, Text("token"))
                                                      .Varint(kLabelNumber, NumberOf(tree.token())))
                           .Message(kSampleLabel, ProtobufWriter()
                                                      .Varint(kLabelKey, Text("state"))
                                                      .Varint(kLabelText, Text(state))));
    }
  }

  const index::DumpIndex& index_;
  const judge::Verdict& verdict_;
  const model::FrameTable& frame_table_;
  ProtobufWriter profile_;
  Texts texts_;
  std::map<std::pair<std::string, std::string>, uint64_t> functions_;
  std::unordered_map<model::FrameId, uint64_t> locations_;
};

}  // namespace

std::string Pprof(const index::DumpIndex& index, const judge::Verdict& verdict,
                  std::optional<Token> token) {
  return PprofBuilder(index, verdict).Build(token);
}

}  // namespace stillframe::exports
