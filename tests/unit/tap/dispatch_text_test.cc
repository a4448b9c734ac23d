// SPDX-License-Identifier: Apache-2.0
// The lines Looper prints, as AOSP 10 to 14 write them, and lines that are none.
#include "src/tap/dispatch_text.h"

#include <gtest/gtest.h>

#include <string>

namespace stillframe::tap {
namespace {

struct Case {
  const char* line;
  const char* target;
  const char* callback;
  int32_t what;
};

constexpr Case kGood[] = {
    {">>>>> Dispatching to Handler (android.app.ActivityThread$H) {5a1f} null: 159",
     "android.app.ActivityThread$H", "", 159},
    {">>>>> Dispatching to Handler (android.view.ViewRootImpl$ViewRootHandler) {d8} "
     "com.example.Row$1@7b2c: 0",
     "android.view.ViewRootImpl$ViewRootHandler", "com.example.Row$1", 0},
    {">>>>> Dispatching to Handler (com.example.H) {0} null: -2147483648", "com.example.H", "",
     INT32_MIN},
    // A Runnable with a toString() of its own may hold anything.
    {">>>>> Dispatching to Handler (a.B) {1} load: page 3 (of 5) {x} : 7", "a.B",
     "load: page 3 (of 5) {x} ", 7},
    {">>>>> Dispatching to Handler (a.B) {1} : 7", "a.B", "", 7},
};

TEST(DispatchText, TakesTheLineApart) {
  for (const Case& good : kGood) {
    DispatchText text;
    ASSERT_TRUE(ParseDispatchText(good.line, &text)) << good.line;
    EXPECT_EQ(text.target, good.target);
    EXPECT_EQ(text.callback, good.callback);
    EXPECT_EQ(text.what, good.what);
  }
}

TEST(DispatchText, RefusesOtherLines) {
  for (const char* line :
       {"", "<<<<< Finished to Handler (a.B) {1} null", ">>>>> Dispatching to ",
        ">>>>> Dispatching to : 1", ">>>>> Dispatching to Handler (a.B) {1} null",
        ">>>>> Dispatching to Handler (a.B) {1} null: ",
        ">>>>> Dispatching to Handler (a.B) {1} null: 5x",
        ">>>>> Dispatching to Handler (a.B) {1} null: 99999999999",
        ">>>>> Dispatching to Handler a.B {1} null: 5",
        ">>>>> Dispatching to Handler (a.B {1} null: 5",
        ">>>>> Dispatching to Handler (a.B) 1 null: 5",
        " >>>>> Dispatching to Handler (a.B) {1} null: 5"}) {
    DispatchText text;
    EXPECT_FALSE(ParseDispatchText(line, &text)) << line;
  }
}

TEST(DispatchText, RefusesATruncatedLine) {
  const std::string line = kGood[1].line;
  for (size_t length = 0; length < line.size(); ++length) {
    DispatchText text;
    EXPECT_FALSE(ParseDispatchText(std::string_view(line).substr(0, length), &text)) << length;
  }
}

}  // namespace
}  // namespace stillframe::tap
