// SPDX-License-Identifier: Apache-2.0
// The collector's work at full speed: trees from the ring, encoded, and the bytes of each.
#include "bench/native/size_bench.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "bench/native/rows.h"
#include "bench/native/sampler_under_test.h"
#include "bench/native/self_signal.h"
#include "src/core/clock.h"
#include "src/dump/writer.h"
#include "src/sampling/tree_builder.h"
#include "src/settings/config.h"
#include "tools/stillframe/index/preorder_text.h"

namespace bench {
namespace {

namespace sf = stillframe;
using sf::core::MonotonicNs;

constexpr uint64_t kIntervalNs = 10'000'000;
constexpr int kDumps = 9;

// The collector's work for samples taken much faster than normal. Their times are changed to one
// sample every 10 ms, with the unevenness of the real ones.
class TreesUnderTest {
 public:
  TreesUnderTest()
      : builder_({0, config_.trees, config_.TreeBytes()}, SamplerUnderTest::Get().facts(), &frames_,
                 &native_, &writer_) {
    Begin();
  }

  void Take() {
    signal_.Raise();
    sf::core::Sampler& sampler = SamplerUnderTest::Get().sampler();
    sf::core::RawSample sample;
    if (!sampler.Peek(&sample) || sample.truncation != sf::core::Truncation::kNone)
      Fail("no whole sample");
    ring_bytes_ += sizeof sample + sample.depth * sizeof(sf::core::RawFrame);
    frames_taken_ += sample.depth;
    ++samples_;
    now_ns_ += kIntervalNs;
    sample.wall_ns = now_ns_ + sample.wall_ns % 100'000;
    sample.cpu_ns = now_ns_ - start_ns_;
    builder_.Add(sample, [&sampler](uint32_t i) { return sampler.FrameAt(i); });
    sampler.Release(sample);
  }

  void End() {
    const sf::model::TraceTree& tree = builder_.running();
    tree_bytes_ += tree.nodes().size_bytes() + tree.samples().size_bytes();
    article_bytes_ += sf::index::WritePreorderText(tree, frames_).size();
    tree.ForEachStack([this](auto, auto stack, const auto&) {
      for (const sf::model::FrameId frame : stack)
        stack_text_bytes_ += sf::index::PreorderFrameText(frames_, frame).size() + 1;
    });
    sf::model::Message message;
    message.token = sf::Token{token_};
    message.start_ns = start_ns_;
    message.wall_ns = static_cast<int64_t>(now_ns_ - start_ns_);
    message.samples = static_cast<uint32_t>(tree.samples_added());
    message.flags = sf::model::kMessageHasTree;
    message.target = "com.example.shop.CheckoutHandler";
    history_.push_back(message);
    const uint64_t begin_ns = MonotonicNs();
    builder_.Finish(now_ns_ + kIntervalNs);
    encode_ns_ += static_cast<double>(MonotonicNs() - begin_ns);
    Begin();
  }

  void Report() {
    const double samples = static_cast<double>(samples_);
    const auto per_sample = [samples](uint64_t bytes) {
      return static_cast<double>(bytes) / samples;
    };
    std::vector<double> write_ns;
    uint64_t dump_bytes = 0;
    for (int i = 0; i < kDumps; ++i) {
      const uint64_t begin_ns = MonotonicNs();
      dump_bytes = WriteDump();
      write_ns.push_back(static_cast<double>(MonotonicNs() - begin_ns));
    }
    const Spread write = SpreadOf(write_ns);
    const std::string name = "dump_" + std::to_string(history_.size()) + "x" +
                             std::to_string(samples_ / history_.size());
    bench::Report(name + "_kib", static_cast<double>(dump_bytes) / 1024, "KiB");
    bench::Report("dump_write_ms", {write.median / 1e6, write.low / 1e6, write.high / 1e6}, "ms");
    bench::Report("dump_encode_trees_ms", encode_ns_ / 1e6, "ms");
    bench::Report("dump_frames_per_sample", per_sample(frames_taken_), "frames");
    bench::Report("ring_bytes_per_sample", per_sample(ring_bytes_), "bytes");
    bench::Report("tree_bytes_per_sample", per_sample(tree_bytes_), "bytes");
    bench::Report("dump_bytes_per_sample", per_sample(dump_bytes), "bytes");
    bench::Report("article_text_bytes_per_sample", per_sample(article_bytes_), "bytes");
    bench::Report("stack_text_bytes_per_sample", per_sample(stack_text_bytes_), "bytes");
    const double article = static_cast<double>(article_bytes_);
    bench::Report("ring_vs_article_text", static_cast<double>(ring_bytes_) / article, "ratio");
    bench::Report("tree_vs_article_text", static_cast<double>(tree_bytes_) / article, "ratio");
    bench::Report("dump_vs_article_text", static_cast<double>(dump_bytes) / article, "ratio");
  }

 private:
  void Begin() {
    start_ns_ = now_ns_ + kIntervalNs;
    now_ns_ = start_ns_;
    builder_.Start(sf::Token{++token_}, start_ns_, 0);
  }

  uint64_t WriteDump() {
    const char* path = getenv("BENCH_DUMP");
    if (path == nullptr) Fail("BENCH_DUMP names no file");
    std::vector<const sf::dump::EncodedTree*> trees;
    for (const auto& tree : builder_.kept()) trees.push_back(tree.get());
    if (trees.size() != history_.size()) Fail("not every tree was kept");
    sf::model::Dump dump;
    dump.identity.process_name = "bench";
    dump.configuration = sf::settings::Describe(config_);
    dump.history = history_;
    const sf::dump::WriteResult result = writer_.WriteDump(dump, {&frames_, trees}, path);
    if (!result.ok()) Fail(sf::dump::Writer::Describe(result, path));
    return result.bytes;
  }

  SelfSignal signal_{SamplerUnderTest::Get().sampler().cookie()};
  sf::settings::Config config_;
  sf::model::FrameTable frames_;
  sf::dump::Writer writer_;
  sf::native::FileSymbols file_symbols_;
  sf::native::NativeFrames native_{SamplerUnderTest::Get().facts(), &frames_, &file_symbols_};
  sf::sampling::TreeBuilder builder_;
  std::vector<sf::model::Message> history_;
  uint64_t token_ = 0;
  uint64_t start_ns_ = 0;
  uint64_t now_ns_ = MonotonicNs();

  uint64_t samples_ = 0;
  uint64_t frames_taken_ = 0;
  uint64_t ring_bytes_ = 0;
  uint64_t tree_bytes_ = 0;
  uint64_t article_bytes_ = 0;
  uint64_t stack_text_bytes_ = 0;
  double encode_ns_ = 0;
};

TreesUnderTest& Trees() {
  static auto* trees = new TreesUnderTest;
  return *trees;
}

}  // namespace

void TakeSample(JNIEnv*, jclass) { Trees().Take(); }
void EndTree(JNIEnv*, jclass) { Trees().End(); }
void ReportSizes(JNIEnv*, jclass) { Trees().Report(); }

}  // namespace bench
