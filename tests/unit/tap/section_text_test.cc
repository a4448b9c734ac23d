// SPDX-License-Identifier: Apache-2.0
// Each kind of text that libcutils writes, and such as it does not.
#include <gtest/gtest.h>

#include <string>

#include "src/tap/section_capture.h"

namespace stillframe::tap {
namespace {

using EventKind = model::TraceEventKind;

struct TextCase {
  const char* text;
  EventKind kind;
  const char* name;
  const char* track;
  int64_t value;
};

TEST(SectionText, EachKindIsRead) {
  for (const TextCase& wanted : {
           TextCase{"B|4711|Choreographer#doFrame 12", EventKind::kBegin,
                    "Choreographer#doFrame 12", "", 0},
           TextCase{"B|4711|a|b", EventKind::kBegin, "a|b", "", 0},
           TextCase{"B|4711|", EventKind::kBegin, "", "", 0},
           TextCase{"E|4711", EventKind::kEnd, "", "", 0},
           TextCase{"E", EventKind::kEnd, "", "", 0},
           TextCase{"E|", EventKind::kEnd, "", "", 0},
           TextCase{"S|4711|load a|b|-7", EventKind::kAsyncBegin, "load a|b", "", -7},
           TextCase{"F|4711|load a|b|-7", EventKind::kAsyncEnd, "load a|b", "", -7},
           TextCase{"G|4711|net|load|8", EventKind::kAsyncBegin, "load", "net", 8},
           TextCase{"H|4711|net|8", EventKind::kAsyncEnd, "", "net", 8},
           TextCase{"C|4711|queue|9223372036854775807", EventKind::kCounter, "queue", "",
                    INT64_MAX},
           TextCase{"I|4711|now", EventKind::kInstant, "now", "", 0},
           TextCase{"N|4711|net|now", EventKind::kInstant, "now", "net", 0},
       }) {
    const auto event = ParseSectionText(wanted.text);
    ASSERT_TRUE(event) << wanted.text;
    EXPECT_TRUE(IsSectionText(wanted.text));
    EXPECT_EQ(event->kind, wanted.kind) << wanted.text;
    EXPECT_EQ(event->name, wanted.name) << wanted.text;
    EXPECT_EQ(event->track, wanted.track) << wanted.text;
    EXPECT_EQ(event->value, wanted.value) << wanted.text;
  }
}

TEST(SectionText, NothingElseIs) {
  for (const char* text : {"", "B", "Bx", "b|1|a", "B|a|b", "X|1|a", "C|1|queue", "C|1|queue|x",
                           "S|1|load", "S|1|load|", "C|1|queue|99999999999999999999"})
    EXPECT_FALSE(ParseSectionText(text)) << text;
}

}  // namespace
}  // namespace stillframe::tap
