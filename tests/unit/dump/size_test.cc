// SPDX-License-Identifier: Apache-2.0
// The budget: ten trees of 1,000 samples in at most 200 KiB and 50 ms of the collector's time.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <iostream>

#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"
#include "tools/stillframe/index/preorder_text.h"

namespace stillframe::dump {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr int64_t kSlowness = 20;
#else
constexpr int64_t kSlowness = 1;
#endif

int64_t ThreadTimeUs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

// Stacks of a program with 2,000 methods of up to 8 lines that call something. From one sample to
// the next the last 0 to 7 calls return, other calls are made in their place, and the frame below
// them has moved on to another line.
class Program {
 public:
  Program(uint32_t seed, model::FrameTable* frames) : random_(seed, {}), frames_(frames) {
    while (calls_.size() < 40) Call();
  }

  model::Stack Next() {
    if (random_.Below(4) != 0) {
      calls_.resize(std::max<size_t>(calls_.size() - random_.Below(8), 30));
      calls_.back().line = random_.Below(8);
      for (uint32_t more = random_.Below(8); more > 0 && calls_.size() < 60; --more) Call();
    }
    model::Stack stack;
    for (const Position& call : calls_) {
      const std::string number = std::to_string(call.method % 400);
      stack.push_back(frames_->InternFrame(
          "com.example.shop.feature" + std::to_string(call.method % 23) + ".Screen" + number,
          "onMethod" + std::to_string(call.method), "(Ljava/lang/String;I)V",
          "Screen" + number + ".java", static_cast<int32_t>(call.method % 300 + call.line * 3),
          model::FrameKind::kNterp));
    }
    return stack;
  }

  model::Sample NextSample() { return random_.NextSample(); }

 private:
  struct Position {
    uint32_t method;
    uint32_t line;
  };

  // A line always calls the same method.
  void Call() {
    const Position from = calls_.empty() ? Position{1, 0} : calls_.back();
    const uint32_t method = (from.method * 7919 + from.line * 104'729 + 13) % 2000;
    calls_.push_back({method, std::min(random_.Below(8), random_.Below(8))});
  }

  model::RandomStacks random_;
  model::FrameTable* frames_;
  std::vector<Position> calls_;
};

TEST(Size, TenTreesOfAThousandSamplesAreSmall) {
  model::Document document = SampleDocument(1);
  document.trees.clear();
  Writer writer;
  std::vector<EncodedTree> trees(10);
  std::vector<const EncodedTree*> pointers;
  int64_t encode_us = 0;
  size_t largest_bytes = 0;
  size_t preorder_bytes = 0;
  size_t nodes = 0;
  for (uint32_t i = 0; i < trees.size(); ++i) {
    Program program(i, &document.frames);
    model::TraceTree tree(Token{i});
    for (int sample = 0; sample < 1000; ++sample) tree.Add(program.Next(), program.NextSample());
    ASSERT_EQ(tree.interval_scale(), 1U);
    const int64_t start = ThreadTimeUs();
    ASSERT_EQ(writer.EncodeTree(tree, &trees[i]), Status::kOk);
    encode_us += ThreadTimeUs() - start;
    pointers.push_back(&trees[i]);
    largest_bytes = std::max(largest_bytes, trees[i].memory_bytes());
    preorder_bytes += index::WritePreorderText(tree, document.frames).size();
    nodes += tree.nodes().size();
  }
  for (uint64_t token = 0; token < 500; ++token) document.history.push_back(SampleMessage(token));
  model::Dump dump;
  dump.identity = document.identity;
  dump.history = document.history;
  ScratchFolder folder;
  const std::string path = folder.File("a.sfdump");
  const int64_t start = ThreadTimeUs();
  const WriteResult result = writer.WriteDump(dump, {&document.frames, pointers}, path.c_str());
  const int64_t write_us = ThreadTimeUs() - start;
  ASSERT_TRUE(result.ok());
  std::cout << "file " << result.bytes << " bytes, " << nodes << " nodes, "
            << document.frames.size() << " frames, preorder text " << preorder_bytes
            << " bytes; encoding " << encode_us << " us, writing " << write_us
            << " us; largest kept tree " << largest_bytes << " bytes\n";
  EXPECT_LE(result.bytes, 200U * 1024);
  EXPECT_LE(largest_bytes, 40U * 1024);
  EXPECT_LE(encode_us + write_us, 50'000 * kSlowness);
  const ReadResult read = ReadDumpFile(path.c_str());
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(read.document.trees.size(), 10U);
}

}  // namespace
}  // namespace stillframe::dump
