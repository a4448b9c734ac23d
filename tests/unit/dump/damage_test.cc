// SPDX-License-Identifier: Apache-2.0
// Truncated, flipped, empty, foreign, newer and hostile files: they give one clear line, all whole
// sections, and never a crash.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "src/dump/section_stream.h"
#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

std::vector<uint8_t> SampleFile() {
  ScratchFolder folder;
  const std::string path = folder.File("a.sfdump");
  EXPECT_TRUE(Writer().WriteDocument(SampleDocument(1, 10), path.c_str()).ok());
  return FileBytes(path);
}

// Each section is whole or absent.
void ExpectPartOf(const std::vector<std::string>& pieces, const std::vector<std::string>& whole,
                  const std::vector<std::string>& none, bool frames_may_be_lost) {
  for (size_t i = 0; i < none.size(); ++i)
    ASSERT_TRUE(pieces[i] == whole[i] || pieces[i] == none[i]) << i;
  size_t next = none.size();
  for (size_t i = none.size(); i < pieces.size() && !frames_may_be_lost; ++i) {
    const auto found =
        std::find(whole.begin() + static_cast<ptrdiff_t>(next), whole.end(), pieces[i]);
    ASSERT_NE(found, whole.end()) << pieces[i];
    next = static_cast<size_t>(found - whole.begin()) + 1;
  }
}

TEST(Damage, EveryTruncationLeavesAPrefix) {
  const std::vector<uint8_t> file = SampleFile();
  const std::vector<std::string> whole = Pieces(SampleDocument(1, 10));
  const std::vector<std::string> none = Pieces(model::Document());
  size_t pieces_before = 0;
  for (size_t length = 0; length < file.size(); ++length) {
    const ReadResult read = ReadDump(std::span(file).first(length));
    ASSERT_FALSE(read.ok()) << length;
    ASSERT_EQ(read.status, length == 0 ? Status::kEmpty : Status::kDamaged) << length;
    ASSERT_EQ(read.error.find('\n'), std::string::npos);
    ASSERT_EQ(read.error.substr(0, 7), "offset ");
    const std::vector<std::string> pieces = Pieces(read.document);
    ExpectPartOf(pieces, whole, none, false);
    // A longer prefix never holds less.
    size_t present = pieces.size();
    for (size_t i = 0; i < none.size(); ++i) present += pieces[i] == whole[i] ? 1U : 0U;
    ASSERT_GE(present, pieces_before) << length;
    pieces_before = present;
  }
  EXPECT_EQ(pieces_before, none.size() + whole.size());
}

// All bits of the first headers, and every ninth of the rest.
TEST(Damage, EveryFlippedBitIsFoundAndTheRestIsRead) {
  const std::vector<uint8_t> file = SampleFile();
  const std::vector<std::string> whole = Pieces(SampleDocument(1, 10));
  const std::vector<std::string> none = Pieces(model::Document());
  constexpr size_t kAllBits = size_t{8} * 128;
  for (size_t bit = 0; bit < file.size() * 8; bit += bit < kAllBits ? 1U : 9U) {
    std::vector<uint8_t> flipped = file;
    flipped[bit / 8] ^= static_cast<uint8_t>(1U << (bit % 8));
    const ReadResult read = ReadDump(flipped);
    ASSERT_FALSE(read.ok()) << bit;
    if (bit < 64) {
      ASSERT_EQ(read.status, Status::kNotADump);
      continue;
    }
    ASSERT_EQ(read.status, Status::kDamaged) << bit;
    const bool lost_frames = std::ranges::any_of(read.document.damage, [](const std::string& line) {
      return line.find("frames") != std::string::npos;
    });
    const std::vector<std::string> pieces = Pieces(read.document);
    ExpectPartOf(pieces, whole, none, lost_frames);
    // One bit costs one section.
    size_t lost = whole.size() - pieces.size();
    for (size_t i = 0; i < none.size(); ++i) lost += pieces[i] == whole[i] ? 0U : 1U;
    ASSERT_LE(lost, 1U) << bit;
  }
}

TEST(Damage, ASectionThatWasCutOutIsMissed) {
  const std::vector<uint8_t> file = SampleFile();
  std::vector<std::pair<size_t, size_t>> sections;  // begin and end
  for (size_t at = sizeof(FileHeader); at < file.size();) {
    SectionHeader header = {};
    std::memcpy(&header, file.data() + at, sizeof(header));
    const size_t end = at + sizeof(header) + static_cast<size_t>(header.stored_length);
    sections.emplace_back(at, end);
    at = end;
  }
  ASSERT_GT(sections.size(), 3U);
  for (size_t i = 0; i < sections.size(); ++i) {
    std::vector<uint8_t> cut = file;
    cut.erase(cut.begin() + static_cast<ptrdiff_t>(sections[i].first),
              cut.begin() + static_cast<ptrdiff_t>(sections[i].second));
    EXPECT_EQ(ReadDump(cut).status, Status::kDamaged) << "section " << i;
  }
}

TEST(Damage, ALostFrameSectionLeavesTheShapeOfTrees) {
  std::vector<uint8_t> file = SampleFile();
  // Find the frames section by its header.
  size_t at = sizeof(FileHeader);
  SectionHeader header = {};
  while (std::memcpy(&header, file.data() + at, sizeof(header)),
         header.kind != static_cast<uint32_t>(SectionKind::kFrames))
    at += sizeof(header) + static_cast<size_t>(header.stored_length);
  file[at + sizeof(header) + 5] ^= 0x10;
  const ReadResult read = ReadDump(file);
  ASSERT_EQ(read.status, Status::kDamaged);
  EXPECT_NE(read.error.find("frames section left out: wrong checksum (and 4 more)"),
            std::string::npos)
      << read.error;
  const model::Document whole = SampleDocument(1, 10);
  ASSERT_EQ(read.document.trees.size(), whole.trees.size());
  for (size_t i = 0; i < whole.trees.size(); ++i)
    EXPECT_EQ(read.document.trees[i].nodes().size(), whole.trees[i].nodes().size());
  const model::Node& node = read.document.trees[0].At(1);
  EXPECT_EQ(read.document.frames.MethodName(node.frame).substr(0, 14), "unknown frame ");
}

TEST(Reader, SaysWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(ReadDump({}).error,
            "offset 0: the file is empty; the disk was full or the copy failed, take another");
  const std::string text = "PK\x03\x04 something else";
  const ReadResult foreign = ReadDump({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  EXPECT_EQ(foreign.status, Status::kNotADump);
  EXPECT_EQ(
      foreign.error,
      "offset 0: not a Stillframe dump, or changed by a text-mode copy; give an .sfdump file");
  FileHeader header = MakeFileHeader(6);
  header.major = 2;
  header.crc = static_cast<uint32_t>(crc32(0, BytesOf(header).data(), offsetof(FileHeader, crc)));
  const ReadResult newer = ReadDump(BytesOf(header));
  EXPECT_EQ(newer.status, Status::kNewerVersion);
  EXPECT_EQ(newer.error,
            "offset 8: dump format 2.6, this tool reads up to 1.x; use a newer stillframe");
  for (uint16_t minor = 0; minor < 6; ++minor) {
    const ReadResult older = ReadDump(BytesOf(MakeFileHeader(minor)));
    EXPECT_EQ(older.status, Status::kOlderVersion);
    EXPECT_EQ(older.error, "offset 8: dump format 1." + std::to_string(minor) +
                               ", written before the first release; this tool reads 1.6 and newer: "
                               "take another dump");
  }
}

// A file with one section of any content, its checksums right.
std::vector<uint8_t> Forge(SectionKind kind, const std::vector<uint8_t>& raw, uint64_t raw_length) {
  std::vector<uint8_t> payload;
  VectorSink sink(&payload);
  Deflater deflater;
  EXPECT_TRUE(deflater.Begin(&sink));
  deflater.Bytes(raw);
  EXPECT_TRUE(deflater.End());
  std::vector<uint8_t> file;
  VectorSink out(&file);
  out.Put(BytesOf(MakeFileHeader(kFormatMinor)));
  out.Put(BytesOf(MakeSectionHeader(kind, 0, payload.size(), raw_length, deflater.crc())));
  out.Put(payload);
  return file;
}

TEST(Hostile, BombsAreBounded) {
  const std::vector<uint8_t> zeros(8U << 20);
  const auto problem = [](const std::vector<uint8_t>& file, const ReadLimits& limits) {
    const ReadResult read = ReadDump(file, limits);
    EXPECT_EQ(read.status, Status::kDamaged);
    std::string lines;
    for (const std::string& line : read.document.damage) lines += line + '\n';
    return lines;
  };
  EXPECT_NE(problem(Forge(SectionKind::kHistory, zeros, zeros.size()), {.max_raw_bytes = 1 << 20})
                .find("larger than the limit"),
            std::string::npos);
  EXPECT_NE(problem(Forge(SectionKind::kHistory, zeros, 100), {}).find("zlib stream"),
            std::string::npos);
  EXPECT_NE(problem(Forge(SectionKind::kHistory, zeros, UINT64_MAX), {}).find("impossible length"),
            std::string::npos);
}

TEST(Hostile, CountsAreNotBelieved) {
  const std::vector<uint8_t> huge = {0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
  for (uint32_t kind = 1; kind <= kLastSectionKind; ++kind) {
    const ReadResult read = ReadDump(Forge(static_cast<SectionKind>(kind), huge, huge.size()));
    EXPECT_EQ(read.status, Status::kDamaged) << kind;
    EXPECT_EQ(Pieces(read.document), Pieces(model::Document())) << kind;
  }
}

TEST(Hostile, AnyPayloadIsRefusedOrRead) {
  model::RandomStacks random(99, {});
  for (int i = 0; i < 20'000; ++i) {
    std::vector<uint8_t> raw(random.Below(60));
    for (uint8_t& byte : raw)
      byte = static_cast<uint8_t>(random.Below(random.Below(2) == 0 ? 8 : 256));
    const ReadResult read =
        ReadDump(Forge(static_cast<SectionKind>(1 + random.Below(9)), raw, raw.size()));
    ASSERT_EQ(read.status, Status::kDamaged);
  }
}

}  // namespace
}  // namespace stillframe::dump
