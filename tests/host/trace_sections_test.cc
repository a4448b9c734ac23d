// SPDX-License-Identifier: Apache-2.0
// Sections are put together from what threads wrote, and found at a time.
#include "tools/stillframe/index/trace_sections.h"

#include <gtest/gtest.h>

#include <string>

namespace stillframe::index {
namespace {

using Kind = model::TraceEventKind;

model::Document With(std::vector<model::LooperSections> loopers) {
  model::Document document;
  document.taken_monotonic_ns = 1'000;
  document.sections = {"", std::move(loopers)};
  return document;
}

std::string Text(const TraceSlices& slices) {
  std::string text;
  for (const TraceSlice& slice : slices.all())
    text += slice.name + " " + std::to_string(slice.looper) + " " + std::to_string(slice.begin_ns) +
            "-" + std::to_string(slice.end_ns) + " " + std::to_string(slice.depth) +
            (slice.is_async ? " async" : "") + (slice.is_open ? " open" : "") + "\n";
  return text;
}

std::string NameAt(const TraceSlices& slices, uint32_t looper, uint64_t at_ns) {
  const auto found = slices.OpenAt(looper, at_ns);
  return found ? slices.all()[*found].name : "none";
}

TEST(TraceSlices, SectionsLieInEachOther) {
  const TraceSlices slices(With({{0,
                                  0,
                                  {{100, Kind::kEnd, 0, "", ""},
                                   {200, Kind::kBegin, 0, "a", ""},
                                   {300, Kind::kBegin, 0, "b", ""},
                                   {400, Kind::kEnd, 0, "", ""},
                                   {500, Kind::kCounter, 5, "c", ""},
                                   {600, Kind::kEnd, 0, "", ""},
                                   {700, Kind::kBegin, 0, "d", ""}}},
                                 {2, 0, {{250, Kind::kBegin, 0, "other", ""}}}}));
  EXPECT_EQ(Text(slices),
            "a 0 200-600 0\nb 0 300-400 1\nd 0 700-1000 0 open\nother 2 250-1000 0 open\n");
  EXPECT_EQ(NameAt(slices, 0, 199), "none");
  EXPECT_EQ(NameAt(slices, 0, 200), "a");
  EXPECT_EQ(NameAt(slices, 0, 350), "b");
  EXPECT_EQ(NameAt(slices, 0, 400), "a");
  EXPECT_EQ(NameAt(slices, 0, 650), "none");
  EXPECT_EQ(NameAt(slices, 0, 5'000), "d");
  EXPECT_EQ(NameAt(slices, 1, 300), "none");
  EXPECT_EQ(NameAt(slices, 2, 300), "other");
  EXPECT_EQ(NameAt(slices, 3, 300), "none");
}

TEST(TraceSlices, AsynchronousOnesEndByNameOrTrackAndValue) {
  const TraceSlices slices(With({{0,
                                  0,
                                  {{100, Kind::kAsyncBegin, 1, "load", ""},
                                   {110, Kind::kAsyncBegin, 2, "load", ""},
                                   {120, Kind::kAsyncBegin, 1, "load", "net"},
                                   {130, Kind::kAsyncEnd, 2, "load", ""},
                                   {140, Kind::kAsyncEnd, 1, "", "net"},
                                   {150, Kind::kAsyncEnd, 3, "load", ""}}}}));
  EXPECT_EQ(Text(slices),
            "load 0 100-1000 0 async open\nload 0 110-130 0 async\nload 0 120-140 0 async\n");
  EXPECT_EQ(NameAt(slices, 0, 115), "none");
}

TEST(TraceSlices, TimesMayBeAnything) {
  const TraceSlices slices(With({{UINT32_MAX,
                                  0,
                                  {{UINT64_MAX, Kind::kBegin, 0, "late", ""},
                                   {5, Kind::kEnd, 0, "", ""},
                                   {0, Kind::kBegin, 0, "early", ""},
                                   {1, static_cast<Kind>(99), 0, "what", ""}}}}));
  EXPECT_EQ(Text(slices),
            "late 4294967295 18446744073709551615-18446744073709551615 0\n"
            "early 4294967295 0-1000 0 open\n");
  EXPECT_EQ(NameAt(slices, UINT32_MAX, 500), "none");
  EXPECT_EQ(NameAt(slices, UINT32_MAX, UINT64_MAX), "early");
}

TEST(TraceSlices, ADumpWithoutThemHasNone) {
  EXPECT_TRUE(TraceSlices(model::Document()).all().empty());
}

}  // namespace
}  // namespace stillframe::index
