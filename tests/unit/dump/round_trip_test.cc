// SPDX-License-Identifier: Apache-2.0
// All fields are read as written, and additions of later versions are skipped.
#include <gtest/gtest.h>

#include "src/dump/section_stream.h"
#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

model::Document WriteAndRead(const model::Document& document) {
  ScratchFolder folder;
  Writer writer;
  const std::string path = folder.File("a.sfdump");
  const WriteResult written = writer.WriteDocument(document, path.c_str());
  EXPECT_TRUE(written.ok()) << Writer::Describe(written, path);
  EXPECT_EQ(written.bytes, std::filesystem::file_size(path));
  EXPECT_EQ(folder.Files(), 1U);
  ReadResult read = ReadDumpFile(path.c_str());
  EXPECT_TRUE(read.ok()) << read.error;
  return std::move(read.document);
}

class RoundTrip : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range(0U, 20U));

TEST_P(RoundTrip, KeepsEverything) {
  model::Document document = SampleDocument(GetParam());
  // The golden dump of this version is older than these.
  document.pending_is_truncated = GetParam() % 2 == 1;
  if (!document.pending.empty()) document.pending[0].component = "SYNC to com.example/.Sync";
  if (!document.pending.empty())
    document.pending.back().object = {INT32_MIN, INT32_MAX, "com.example.Order", "Order 7"};
  if (document.jank) document.jank->due_unknown = GetParam();
  document.slow_ns = GetParam();
  document.interval_ns = UINT64_MAX - GetParam();
  const model::Document read = WriteAndRead(document);
  EXPECT_EQ(Pieces(read), Pieces(document));
  EXPECT_EQ(read.format_version, 1);
  for (size_t i = 0; i < read.trees.size(); ++i)
    EXPECT_EQ(read.trees[i].nodes().size(), document.trees[i].nodes().size());
  EXPECT_EQ(Pieces(WriteAndRead(read)), Pieces(document)) << "once more";
}

TEST(RoundTripOf, AnEmptyDocumentKeepsEverything) {
  const model::Document empty;
  EXPECT_EQ(Pieces(WriteAndRead(empty)), Pieces(empty));
}

TEST(RoundTripOf, TreesAtTheEdgesKeepEverything) {
  model::Document document;
  document.trees.emplace_back(Token::kNone);
  document.trees.emplace_back(Token{UINT64_MAX});
  document.trees.back().Add({}, {0, UINT32_MAX, UINT32_MAX, model::ThreadState::kOther});
  document.trees.back().Add({}, {UINT32_MAX, 0, 0, model::ThreadState::kUnknown});
  document.trees.back().Add({},
                            {5, 1, 7, model::ThreadState::kBlocked});  // clocks that run backwards
  std::vector<model::FrameId> deep(2000);
  for (uint32_t i = 0; i < deep.size(); ++i) {
    deep[i] = document.frames.InternFrame("C", "m", "", "", static_cast<int32_t>(i),
                                          model::FrameKind::kNterp);
  }
  document.trees.emplace_back(Token{3});
  document.trees.back().Add(deep, {});
  document.trees.back().Add(deep, {});
  EXPECT_EQ(Pieces(WriteAndRead(document)), Pieces(document));
}

TEST(RoundTripOf, AHalvedTreeKeepsEverything) {
  model::Document document;
  document.trees.emplace_back(Token{5});
  model::RandomStacks random(1, {.frames = 20, .max_depth = 30});
  for (int32_t i = 0; i < 20; ++i)
    document.frames.InternFrame("C", "m", "", "", i, model::FrameKind::kNterp);
  for (int i = 0; i < 10'000; ++i) document.trees.back().Add(random.Next(), random.NextSample());
  EXPECT_GT(document.trees.back().interval_scale(), 1U);
  EXPECT_EQ(Pieces(WriteAndRead(document)), Pieces(document));
}

TEST(RoundTripOf, LongNamesAreKept) {
  model::Document document;
  document.identity.process_name = std::string(100'000, 'n');
  document.trees.emplace_back(Token{1});
  const model::FrameId id = document.frames.InternFrame(std::string(10'000, 'c'), "m;\n<script>",
                                                        "", "", 1, model::FrameKind::kNterp);
  document.trees.back().Add(std::vector{id}, {});
  EXPECT_EQ(Pieces(WriteAndRead(document)), Pieces(document));
}

TEST(Writer, IsUsedAgainAndReplacesAnOlderDump) {
  ScratchFolder folder;
  Writer writer;
  const std::string path = folder.File("a.sfdump");
  for (uint32_t seed = 0; seed < 5; ++seed) {
    ASSERT_TRUE(
        writer.WriteDocument(SampleDocument(seed, 40 - seed * 8), path.c_str(), {.sync = true})
            .ok());
    EXPECT_EQ(Pieces(ReadDumpFile(path.c_str()).document),
              Pieces(SampleDocument(seed, 40 - seed * 8)));
  }
  EXPECT_EQ(folder.Files(), 1U);
}

// A file as a later minor version might write it: unknown sections, longer records, unknown values.
TEST(Reader, SkipsWhatALaterMinorVersionAdds) {
  std::vector<uint8_t> bytes;
  VectorSink file(&bytes);
  file.Put(BytesOf(MakeFileHeader(7)));
  Deflater deflater;
  uint32_t index = 0;
  const auto add = [&](uint32_t kind, const auto& fill) {
    std::vector<uint8_t> payload;
    VectorSink sink(&payload);
    ASSERT_TRUE(deflater.Begin(&sink));
    fill();
    ASSERT_TRUE(deflater.End());
    file.Put(BytesOf(MakeSectionHeader(static_cast<SectionKind>(kind), index++, payload.size(),
                                       deflater.raw_bytes(), deflater.crc())));
    file.Put(payload);
  };
  add(4711, [&] { deflater.String("from the future"); });
  add(2, [&] {
    Record record;
    record.Varint(200).Varint(1).Varint(2).Varint(3);
    record.String("detail").String("").String("").String("").String("more").FinishTo(&deflater);
    deflater.String("and more");
  });
  add(
      4,
      [&] {
        deflater.Varint(2);
        Record record;
        record.String("a").Varint(1).Varint(99).FinishTo(&deflater);
        record.String("b").Varint(2).Varint(99).FinishTo(&deflater);
      });
  add(0xFFFF, [&] { deflater.Varint(3); });
  const ReadResult read = ReadDump(bytes);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(read.document.trigger, model::Trigger::kUnknown);
  EXPECT_EQ(read.document.taken_realtime_ns, 3U);
  ASSERT_EQ(read.document.counters.size(), 2U);
  EXPECT_EQ(read.document.counters[1].name, "b");
}

}  // namespace
}  // namespace stillframe::dump
