// SPDX-License-Identifier: Apache-2.0
// Which records are one hang, which share a cause, and which do not.
#include <nlohmann/json.hpp>

#include "src/dump/writer.h"
#include "src/model/document.h"
#include "tests/host/command_line.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::host_test {
namespace {

using Json = nlohmann::json;

// A hang of 900 ms in one stack, or several.
struct Hang {
  std::string callback = "com.shop.Pay";
  struct Frame {
    std::string type;
    std::string method;
    int line = 10;
    std::string file = "Shop.java";
  };
  // Below the Runnable's run(), outermost first; each of these stacks has its share of the samples.
  std::vector<std::vector<Frame>> stacks = {{{"com.shop.Cart", "total"}}};
  model::ThreadState state = model::ThreadState::kRunnable;
  std::string lock_owner = "";
  std::string map_id = "";
  Json more = Json::object();
};

std::string Base64(const std::vector<uint8_t>& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) word = word << 8 | (i + j < bytes.size() ? bytes[i + j] : 0U);
    for (size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? kLetters[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string RecordOf(const Hang& hang, const std::string& id, uint64_t revision = 1) {
  model::Document document;
  constexpr Token kToken{7};
  model::Message message;
  message.token = kToken;
  message.start_ns = 1'000'000'000;
  message.wall_ns = 900'000'000;
  message.samples = 90;
  message.flags = model::kMessageHasTree;
  message.target = "android.os.Handler";
  message.callback = hang.callback;
  const bool is_blocked = hang.state == model::ThreadState::kBlocked;
  message.cpu_ns = hang.state == model::ThreadState::kRunnable ? 890'000'000 : 5'000'000;
  message.runqueue_wait_ns = 0;
  message.blocked_ns = is_blocked ? 900'000'000 : 0;
  if (is_blocked) {
    message.lock_owner = hang.lock_owner;
    message.lock_owner_tid = 12;
    message.lock_waits.push_back({0, 900'000, 900'000, 12, hang.lock_owner, "com.shop.Lock"});
  }
  document.history.push_back(message);
  document.slow_ns = 50'000'000;
  document.taken_monotonic_ns = 2'000'000'000;
  model::TraceTree tree(kToken);
  const auto intern = [&document](const Hang::Frame& frame) {
    return document.frames.InternFrame(frame.type, frame.method, "()V", frame.file, frame.line,
                                       model::FrameKind::kInterpreted);
  };
  for (uint32_t i = 0; i < 90; ++i) {
    std::vector<model::FrameId> stack = {intern({"android.os.Looper", "loop", 1, "Looper.java"}),
                                         intern({"android.os.Handler", "dispatchMessage", 1, ""}),
                                         intern({hang.callback, "run", 3, "Shop.java"})};
    const auto& frames = hang.stacks[i * hang.stacks.size() / 90];
    for (const Hang::Frame& frame : frames) stack.push_back(intern(frame));
    tree.Add(stack, {10'000 * (i + 1), 10'000, i * 9'000, hang.state});
  }
  document.trees.push_back(std::move(tree));
  dump::Writer writer;
  dump::EncodedTree encoded;
  EXPECT_EQ(writer.EncodeTree(document.trees[0], &encoded), dump::Status::kOk);
  const dump::EncodedTree* const trees[] = {&encoded};
  std::vector<uint8_t> bytes;
  EXPECT_TRUE(writer.WriteBytes(document, {&document.frames, trees}, &bytes));
  Json json = {
      {"tag", "Trace_EvilMethod"}, {"cost", 900},
      {"callback", hang.callback}, {"count", 1},
      {"total_ms", 900},           {"last_time", 1790000000000},
      {"histogram", {{"512", 1}}}, {"identity", {{"version_name", "1.0"}, {"model", "Bed"}}},
      {"facts", Base64(bytes)},    {"id", id},
      {"revision", revision}};
  json.update(hang.more, true);
  return json.dump();
}

class Causes : public CommandLine {
 protected:
  void Add(const Hang& hang, uint64_t revision = 1, const std::string& id = "") {
    const std::string name = "r" + std::to_string(files_++);
    fs::create_directories(folder_ / "records");
    WriteAll(folder_ / "records" / (name + ".json"),
             RecordOf(hang, id.empty() ? "abc-1.2-" + name : id, revision));
  }
  Json List(const std::string& options = "") {
    const Outcome outcome = Run("janks records --json " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
  size_t RowsOf(const Hang& one, const Hang& other, const std::string& options = "",
                int times = 1) {
    fs::remove_all(folder_ / "records");
    for (int i = 0; i < times; ++i) {
      Add(one);
      Add(other);
    }
    const Json list = List(options);
    return list["causes"].size();
  }

  uint64_t files_ = 0;
};

// Own methods that differ, so that ten pairs are ten.
Hang Numbered(int i) {
  Hang hang;
  hang.callback = "com.shop.Pay" + std::to_string(i);
  hang.stacks = {{{"com.shop.Cart" + std::to_string(i), "total"}}};
  return hang;
}

TEST_F(Causes, WhatChangesBetweenBuildsOrByChanceDoesNotSplitAHang) {
  for (int i = 0; i < 10; ++i) {
    const Hang hang = Numbered(i);
    Hang lambda = hang;
    Hang other = hang;
    const std::string form[] = {"com.shop.Pay$$ExternalSyntheticLambda", "com.shop.Pay$$Lambda$"};
    lambda.callback = form[i % 2] + std::to_string(i);
    other.callback = form[i % 2] + std::to_string(i + 7);
    lambda.stacks[0][0].method = "lambda$onCreate$" + std::to_string(i);
    other.stacks[0][0].method = "lambda$onCreate$" + std::to_string(i + 3);
    EXPECT_EQ(RowsOf(lambda, other), 1U) << "lambda " << i;

    other = hang;
    other.stacks[0][0].line += i + 1;
    EXPECT_EQ(RowsOf(hang, other), 1U) << "line " << i;

    Hang leaf = hang;
    leaf.stacks[0].push_back({"java.util.HashMap", "get"});
    other.stacks[0].push_back({"java.util.ArrayList", i % 2 == 0 ? "add" : "grow"});
    EXPECT_EQ(RowsOf(leaf, other), 1U) << "leaf " << i;

    // The next release inlines the method into its caller.
    Hang inlined = hang;
    other = hang;
    other.stacks[0].push_back({"com.shop.Cart" + std::to_string(i), "sum"});
    if (i % 2 == 1)
      for (Hang* one : {&inlined, &other}) one->stacks[0].push_back({"java.util.HashMap", "get"});
    inlined.more = {{"identity", {{"version_name", "2.0"}}}};
    EXPECT_EQ(RowsOf(inlined, other, "", 5), 1U) << "inlined " << i;
  }
}

TEST_F(Causes, TwoBuildsThatR8NamedDifferentlyAreOneHangWithTheirMappings) {
  const auto map = [](const std::string& id, const std::string& type, const std::string& method) {
    return "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.0\"}\n# pg_map_id: " + id +
           "\ncom.shop.Cart -> " + type + ":\n    1:9:void total():20:28 -> " + method +
           "\ncom.shop.Pay -> " + type + "p:\n    1:9:void run():30:38 -> run\n";
  };
  WriteAll(Path("one.txt"), map("aaa", "a.a", "b"));
  WriteAll(Path("two.txt"), map("bbb", "c.d", "e"));
  for (int i = 1; i < 10; ++i) {
    Hang one;
    one.callback = "a.ap";
    one.stacks = {{{"a.a", "b", i, ""}}};
    one.more = {{"identity", {{"version_name", "1.0"}}}};
    Hang two;
    two.callback = "c.dp";
    two.stacks = {{{"c.d", "e", i, ""}}};
    two.more = {{"identity", {{"version_name", "2.0"}}}};
    EXPECT_EQ(RowsOf(one, two, "--mapping 1.0=one.txt --mapping 2.0=two.txt"), 1U) << i;
    EXPECT_EQ(List("--mapping 1.0=one.txt --mapping 2.0=two.txt")["causes"][0]["method"],
              "com.shop.Cart.total");
    EXPECT_EQ(RowsOf(one, two), 2U) << "without them " << i;
  }
}

TEST_F(Causes, OtherWorkIsAnotherHang) {
  for (int i = 0; i < 10; ++i) {
    const Hang hang = Numbered(i);
    Hang other = hang;
    other.stacks[0][0].method = "tax";
    EXPECT_EQ(RowsOf(hang, other), 2U) << "another method " << i;
    other = hang;
    other.callback = "com.shop.Refresh";
    EXPECT_EQ(RowsOf(hang, other), 2U) << "another message " << i;
    Hang blocked = hang;
    blocked.state = model::ThreadState::kBlocked;
    blocked.lock_owner = "db";
    EXPECT_EQ(RowsOf(hang, blocked), 2U) << "another kind " << i;
    // Two lambdas of one class.
    Hang one = hang;
    other = hang;
    one.stacks[0][0].method = "lambda$onCreate$1";
    other.stacks[0][0].method = "lambda$onStop$1";
    EXPECT_EQ(RowsOf(one, other), 2U) << "another lambda " << i;
    // The owner of the lock by chance is not what makes it another hang.
    other = blocked;
    other.lock_owner = "net";
    EXPECT_EQ(RowsOf(blocked, other), 1U) << "another owner " << i;
  }
}

TEST_F(Causes, OfOneIdTheHighestRevisionCountsWhereverItIs) {
  Hang hang;
  hang.more = {{"running", true}, {"cost", 2'000}, {"total_ms", 2'000}};
  Add(hang, 1, "abc-1.2-7");
  hang.more = {{"cost", 5'100}, {"total_ms", 5'100}};
  Add(hang, 3, "abc-1.2-7");
  hang.more = {{"running", true}, {"cost", 5'000}, {"total_ms", 5'000}};
  Add(hang, 2, "abc-1.2-7");
  Json list = List();
  ASSERT_EQ(list["causes"].size(), 1U);
  EXPECT_EQ(list["causes"][0]["hangs"], 1);
  EXPECT_EQ(list["causes"][0]["lost_ms"], 5'100);
}

TEST_F(Causes, ThePartThatLostMostComesFirst) {
  Hang often;
  often.stacks[0].push_back({"java.util.HashMap", "get"});
  Hang slow;
  slow.stacks[0].push_back({"java.util.ArrayList", "add"});
  slow.more = {{"cost", 5'000}, {"total_ms", 5'000}};
  Add(often);
  Add(often);
  Add(slow);
  const Json list = List();
  ASSERT_EQ(list["causes"].size(), 1U);
  const Json& parts = list["causes"][0]["parts"];
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0]["lost_ms"], 5'000);
  EXPECT_EQ(parts[1]["lost_ms"], 1'800);
}

TEST_F(Causes, ADebuggersHangsAreNotCountedAndEmulatorsAreAFact) {
  Hang hang;
  hang.more = {{"debugged", true}};
  Add(hang);
  hang.more = {{"identity", {{"emulator", "1"}}}};
  Add(hang);
  const Json list = List("--by emulator");
  EXPECT_EQ(list["debugged"], 1);
  EXPECT_EQ(list["hangs"], 1);
  EXPECT_EQ(list["causes"][0]["by"]["emulator"][0]["value"], "1");
  const std::string text = Run("janks records").out;
  EXPECT_NE(text.find("1 record made under a debugger: not counted\n"), std::string::npos) << text;
}

TEST_F(Causes, RowsAreDividedAndFilteredByFacts) {
  Hang hang;
  Add(hang);
  hang.more = {{"identity", {{"version_name", "2.0"}}}};
  Add(hang);
  Add(hang);
  const Json list = List("--by version,scene");
  ASSERT_EQ(list["causes"].size(), 1U);
  std::map<std::string, uint64_t> hangs;
  for (const Json& value : list["causes"][0]["by"]["version"])
    hangs[value["value"]] = value["hangs"];
  EXPECT_EQ(hangs, (std::map<std::string, uint64_t>{{"1.0", 1}, {"2.0", 2}}));
  EXPECT_EQ(list["causes"][0]["by"]["scene"][0]["value"], "unknown");
  EXPECT_EQ(List("--where version=2.0")["causes"][0]["hangs"], 2);
  EXPECT_TRUE(List("--where version=3")["causes"].empty());
  EXPECT_EQ(Run("janks records --where version").exit_code, 2);
  EXPECT_EQ(Run("janks records --by network").exit_code, 2) << "no record has this fact";
}

TEST_F(Causes, SessionsGiveRatesAndSayWhereSamplingIsOff) {
  const auto session = [this](const std::string& id, uint64_t revision, const Json& more) {
    Json json = {{"alive_ms", 7'200'000},   {"foreground_ms", 3'600'000},
                 {"watched_ms", 7'000'000}, {"janks", 2},
                 {"jank_ms", 3'000},        {"frames", 60},
                 {"frames_missed", 6},      {"sampler", "on"},
                 {"group", "sampled"},      {"id", id},
                 {"revision", revision}};
    json.update(more);
    fs::create_directories(folder_ / "records");
    WriteAll(folder_ / "records" / (std::to_string(files_++) + ".json"), json.dump());
  };
  session("a-1.2", 1, {{"janks", 1}});
  session("a-1.2", 2, {{"ended", "killed"}});
  session("b-1.2", 1, {{"sampler", "off: the guard"}});
  session("c-1.2", 1, {{"group", "control"}, {"sampler", "off: control"}, {"janks", 0}});
  const Json list = List();
  EXPECT_EQ(list["processes"], 3);
  EXPECT_EQ(list["killed"], 1);
  EXPECT_EQ(list["control"], 1);
  EXPECT_EQ(list["hours"], 3);
  EXPECT_EQ(list["unsampled"], Json::parse(R"({"off: the guard":1})"));
  EXPECT_EQ(list["frames_missed"], 18);
  const std::string text = Run("janks records").out;
  EXPECT_NE(text.find("3 processes (1 killed, 1 in the control group): 3 hours in the foreground"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1 without samples: off: the guard\n"), std::string::npos) << text;
}

TEST_F(Causes, BadFactsAreComplainedAboutAndTheHangIsCounted) {
  Hang hang;
  hang.more = {{"facts", "???"}, {"stackKey", "5|"}, {"methods", {{"5", "com.shop.Cart.total"}}}};
  Add(hang);
  hang.more = {{"facts", "U0ZEVU1Q"}};
  Add(hang);
  const Outcome outcome = Run("janks records --json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("r0.json: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("r1.json: "), std::string::npos) << outcome.err;
  uint64_t count = 0;
  const Json list = Json::parse(outcome.out);
  for (const Json& row : list["causes"]) count += row["hangs"].get<uint64_t>();
  EXPECT_EQ(count, 2U) << outcome.out;
}

TEST_F(Causes, OfEqualRevisionsTheOneThatIsNotTruncatedCounts) {
  Hang hang;
  hang.more = {{"facts", "U0ZE"}};
  for (const bool is_first : {true, false}) {
    fs::remove_all(folder_ / "records");
    if (is_first) Add(hang, 1, "abc-1p2-7");
    Add(Hang(), 1, "abc-1p2-7");
    if (!is_first) Add(hang, 1, "abc-1p2-7");
    const Outcome outcome = Run("janks records --json");
    EXPECT_EQ(outcome.exit_code, 1) << "of the truncated one";
    EXPECT_EQ(Json::parse(outcome.out)["causes"][0]["kind"], "work");
  }
}

TEST_F(Causes, StandardInputIsARecordToo) {
  Add(Hang());
  const Outcome outcome = Run("janks - --json < records/r0.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["causes"][0]["method"], "com.shop.Cart.total");
  const Outcome none = Run("janks records --mapping missing.txt");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.out, "");
}

TEST_F(Causes, HangsThatDidNotEndAreTold) {
  Hang hang;
  hang.more = {{"running", true}, {"ended", "killed"}};
  Add(hang);
  Add(Hang());
  EXPECT_EQ(List()["causes"][0]["unfinished"], 1);
  EXPECT_NE(Run("janks records").out.find(", 1 unfinished"), std::string::npos);
}

TEST_F(Causes, ARecordIsReadLikeADump) {
  Add(Hang());
  const Outcome text = Run("text records/r0.json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("com.shop.Cart.total"), std::string::npos) << text.out;
}

TEST(StableName, DropsTheNumbersOfABuild) {
  using index::StableName;
  EXPECT_EQ(StableName("a.Foo$$ExternalSyntheticLambda3.run"), StableName("a.Foo$$Lambda$12.run"));
  EXPECT_EQ(StableName("a.-$$Lambda$Foo$Xy_9.run"), StableName("a.Foo$$Lambda$12.run"));
  EXPECT_EQ(StableName("a.Foo.lambda$onCreate$2"), StableName("a.Foo.lambda$onCreate$0"));
  EXPECT_EQ(StableName("a.Foo.onCreate$lambda$2"), StableName("a.Foo.onCreate$lambda$0"));
  EXPECT_NE(StableName("a.Foo.lambda$onCreate$2"), StableName("a.Foo.lambda$onStop$2"));
  EXPECT_EQ(StableName("a.Foo$1.run"), StableName("a.Foo$12.run"));
  EXPECT_NE(StableName("a.Foo$1.run"), StableName("a.Foo.run"));
  EXPECT_EQ(StableName("a.Foo$1Local.run"), "a.Foo$1Local.run");
  EXPECT_EQ(StableName("a.Foo.bind$lambda-2"), StableName("a.Foo.bind$lambda$0"));
  EXPECT_EQ(StableName("a.Foo.bind$lambda-2$lambda-1"), StableName("a.Foo.bind$lambda$4$lambda$3"));
  EXPECT_NE(StableName("a.Foo.bind$lambda-2"), StableName("a.Foo.bind$lambda-2$lambda-1"));
  EXPECT_EQ(StableName("a.FooKt$lambda-1$1.invoke"), StableName("a.FooKt$lambda-4$1.invoke"));
  EXPECT_EQ(StableName("a.FooKt.lambda$-190783"), StableName("a.FooKt.lambda$-55512"));
  EXPECT_EQ(StableName("a.FooKt.lambda_190783$lambda$0"),
            StableName("a.FooKt.lambda_55512$lambda$1"));
  EXPECT_EQ(StableName("a.Foo.lambda$bind$0"), StableName("a.Foo.lambda$bind$3$com-shop-Foo"));
  EXPECT_NE(StableName("a.Foo.lambda$bind$0$a-Foo"), StableName("a.Foo.lambda$load$0$a-Foo"));
  EXPECT_EQ(StableName("a.Foo.load$app_release"), StableName("a.Foo.load$app_debug"));
  EXPECT_EQ(StableName("a.Foo$Bar.on_release"), "a.Foo$Bar.on_release");
  EXPECT_EQ(StableName(""), "");
  EXPECT_EQ(StableName("lambda$"), StableName("lambda$"));
}

}  // namespace
}  // namespace stillframe::host_test
