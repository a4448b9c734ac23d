// SPDX-License-Identifier: Apache-2.0
// Names restored from mapping files: the rules of doc/retrace.md of R8 and of retrace's own tests,
// as far as they concern stacks without exceptions.
#include <gtest/gtest.h>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/naming/document_names.h"
#include "tools/stillframe/naming/retrace.h"

namespace stillframe::host_test {
namespace {

using naming::Mapping;

// Reads `text` in blocks of `block` bytes for all classes that the tests name.
Mapping MappingOf(const std::string& text, size_t block = 7) {
  const naming::TextSet wanted = {"A", "a", "b", "a.a", "a.b", "foo.a", "x.Removed"};
  Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  for (size_t i = 0; i < text.size(); i += block)
    EXPECT_TRUE(reader.Feed(std::string_view(text).substr(i, block))) << reader.error();
  EXPECT_TRUE(reader.Finish()) << reader.error();
  return mapping;
}

// "Class.method(File:line)" for each frame, innermost first.
std::string Named(const Mapping& mapping, std::string_view class_name, std::string_view method,
                  int32_t line, std::string_view descriptor = "",
                  std::optional<int32_t> outline_line = std::nullopt) {
  const std::optional<naming::Retraced> retraced =
      naming::Retrace(mapping, {class_name, method, descriptor, "SourceFile", line}, outline_line);
  if (!retraced) return "unknown";
  std::string text = retraced->is_outline ? "outline" : "";
  for (const naming::NamedFrame& frame : retraced->frames) {
    text += text.empty() ? "" : " < ";
    text += frame.class_name + "." + frame.method_name + "(" + frame.source_file + ":" +
            std::to_string(frame.line) + ")";
  }
  return text;
}

TEST(Mapping, RestoresClassesMethodsAndLines) {
  const Mapping mapping = MappingOf(
      "# compiler: R8\n# pg_map_id: 1234567\n"
      "com.example.Pay$Row -> a.a:\n"
      "# {\"id\":\"sourceFile\",\"fileName\":\"Pay.kt\"}\n"
      "    int amount -> a\n"
      "    1:3:void total(int):10:12 -> a\n"
      "    4:4:void total(int):20 -> a\n"
      "    5:9:void total(int):30:30 -> a\n"
      "    10:12:void total(int) -> a\n"
      "    void untouched() -> b\r\n"
      "com.example.Plain -> a.b:\n"
      "    0:65535:void once():33:33 -> c\n");
  EXPECT_EQ(mapping.map_id, "1234567");
  EXPECT_EQ(Named(mapping, "a.a", "a", 2), "com.example.Pay$Row.total(Pay.kt:11)");
  EXPECT_EQ(Named(mapping, "a.a", "a", 4), "com.example.Pay$Row.total(Pay.kt:20)");
  EXPECT_EQ(Named(mapping, "a.a", "a", 7), "com.example.Pay$Row.total(Pay.kt:30)");
  EXPECT_EQ(Named(mapping, "a.a", "a", 11), "com.example.Pay$Row.total(Pay.kt:11)");
  // A line that no range holds, no line at all, a native method.
  EXPECT_EQ(Named(mapping, "a.a", "a", 99), "com.example.Pay$Row.total(Pay.kt:-1)");
  EXPECT_EQ(Named(mapping, "a.a", "a", model::kLineUnknown),
            "com.example.Pay$Row.total(Pay.kt:-1)");
  EXPECT_EQ(Named(mapping, "a.a", "b", model::kLineNative),
            "com.example.Pay$Row.untouched(Pay.kt:-2)");
  EXPECT_EQ(Named(mapping, "a.a", "b", 5), "com.example.Pay$Row.untouched(Pay.kt:5)");
  // A kept name, a method that kept its name, a class that the file does not have.
  EXPECT_EQ(Named(mapping, "a.a", "kept", 5), "com.example.Pay$Row.kept(Pay.kt:5)");
  EXPECT_EQ(Named(mapping, "a.b", "c", 0), "com.example.Plain.once(Plain.java:33)");
  EXPECT_EQ(Named(mapping, "java.util.List", "a", 1), "unknown");
}

TEST(Mapping, InlinedFramesAreExpanded) {
  const Mapping mapping = MappingOf(
      "some.Class -> a:\n"
      "# {\"id\":\"sourceFile\",\"fileName\":\"Class.kt\"}\n"
      "    4:4:void other.Inner.inlinee():23:23 -> a\n"
      "    4:4:void caller(other.Inner):7 -> a\n"
      "    5:6:int deepest():100:101 -> a\n"
      "    5:6:void other.Inner.middle():50 -> a\n"
      "    5:6:void caller(other.Inner):9 -> a\n");
  EXPECT_EQ(Named(mapping, "a", "a", 4),
            "other.Inner.inlinee(Inner.kt:23) < some.Class.caller(Class.kt:7)");
  EXPECT_EQ(Named(mapping, "a", "a", 6),
            "some.Class.deepest(Class.kt:101) < other.Inner.middle(Inner.kt:50) < "
            "some.Class.caller(Class.kt:9)");
  // Without a line number, inlining is not known.
  EXPECT_EQ(Named(mapping, "a", "a", model::kLineUnknown), "some.Class.caller(Class.kt:-1)");
}

TEST(Mapping, OverloadsAreToldApartByLinesOrDescriptors) {
  // OverloadedWithAndWithoutRangeStackTrace: the range that holds the line wins over methods
  // without one.
  const Mapping ranges = MappingOf(
      "some.Class -> A:\n"
      "    java.util.List select(java.util.List) -> a\n"
      "    3:3:void sync():425:425 -> a\n"
      "    void cancel(java.lang.String[]) -> a\n");
  EXPECT_EQ(Named(ranges, "A", "a", 3), "some.Class.sync(Class.java:425)");
  EXPECT_EQ(Named(ranges, "A", "a", 8), "some.Class.select|cancel(Class.java:-1)");
  EXPECT_EQ(Named(ranges, "A", "a", 8, "([Ljava/lang/String;)V"),
            "some.Class.cancel(Class.java:8)");
  EXPECT_EQ(Named(ranges, "A", "a", -1, "(Ljava/util/List;)Ljava/util/List;"),
            "some.Class.select(Class.java:-1)");
  // OverloadSameLineTest: methods with one range that follow one another are inlined into one
  // another.
  const Mapping same = MappingOf(
      "com.example.Main -> foo.a:\n"
      "    1:1:void overload():7:7 -> overload\n"
      "    1:1:void overload(java.lang.String):13:13 -> overload\n"
      "    1:1:void overload(int):15:15 -> overload\n");
  EXPECT_EQ(Named(same, "foo.a", "overload", 1),
            "com.example.Main.overload(Main.java:7) < com.example.Main.overload(Main.java:13) < "
            "com.example.Main.overload(Main.java:15)");
  // Obfuscated types in the descriptor; the residual signature decides where the file has it.
  const Mapping types = MappingOf(
      "some.Arg -> b:\n"
      "some.Class -> a:\n"
      "    void first(some.Arg,int[][]) -> m\n"
      "    void second(some.Arg,long) -> m\n"
      "    void third(some.Arg) -> m\n"
      "    # "
      "{\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(Ljava/lang/"
      "Object;)V\"}\n");
  EXPECT_EQ(Named(types, "a", "m", 3, "(Lb;[[I)V"), "some.Class.first(Class.java:3)");
  EXPECT_EQ(Named(types, "a", "m", 3, "(Lb;J)V"), "some.Class.second(Class.java:3)");
  EXPECT_EQ(Named(types, "a", "m", 3, "(Ljava/lang/Object;)V"), "some.Class.third(Class.java:3)");
}

TEST(Mapping, OverlappingRangesAreAmbiguous) {
  const Mapping mapping = MappingOf(
      "some.Class -> a:\n"
      "    1:5:void one(int):11:15 -> a\n"
      "    3:8:void two(long):23:28 -> a\n"
      "    3:8:void three(int):43:48 -> b\n"
      "    1:5:void three(int):41:45 -> b\n");
  EXPECT_EQ(Named(mapping, "a", "a", 2), "some.Class.one(Class.java:12)");
  EXPECT_EQ(Named(mapping, "a", "a", 7), "some.Class.two(Class.java:27)");
  EXPECT_EQ(Named(mapping, "a", "a", 4), "some.Class.one|two(Class.java:-1)");
  EXPECT_EQ(Named(mapping, "a", "a", 4, "(J)V"), "some.Class.two(Class.java:24)");
  // Both say the same.
  EXPECT_EQ(Named(mapping, "a", "b", 4), "some.Class.three(Class.java:44)");
}

TEST(Mapping, FramesOfTheCompilerDisappear) {
  const Mapping mapping = MappingOf(
      "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.0\"}\n"
      "outline.Class -> a:\n"
      "    1:2:int outline() -> a\n"
      "    # {\"id\":\"com.android.tools.r8.outline\"}\n"
      "some.Class -> b:\n"
      "    4:4:int outlineCaller(int):98:98 -> s\n"
      "    5:5:int outlineCaller(int):100:100 -> s\n"
      "    27:27:int outlineCaller(int):0:0 -> s\n"
      "    # {\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"1\":4,\"2\":5}}\n"
      "some.Lambda -> foo.a:\n"
      "    4:4:void example.Foo.lambda$main$0():225 -> a\n"
      "    4:4:void run(example.Foo):2 -> a\n"
      "    # {\"id\":\"com.android.tools.r8.synthesized\"}\n");
  EXPECT_EQ(Named(mapping, "a", "a", 1), "outline");
  EXPECT_EQ(Named(mapping, "b", "s", 27), "some.Class.outlineCaller(Class.java:-1)");
  EXPECT_EQ(Named(mapping, "b", "s", 27, "", 1), "some.Class.outlineCaller(Class.java:98)");
  EXPECT_EQ(Named(mapping, "b", "s", 27, "", 2), "some.Class.outlineCaller(Class.java:100)");
  EXPECT_EQ(Named(mapping, "foo.a", "a", 4), "example.Foo.lambda$main$0(Foo.java:225)");
}

TEST(Mapping, AByteOrderMarkIsNotPartOfTheFirstLine) {
  EXPECT_EQ(
      Named(MappingOf("\xEF\xBB\xBForg.Cart -> a:\n    1:1:void b():5:5 -> a\n"), "a", "a", 1),
      "org.Cart.b(Cart.java:5)");
  EXPECT_EQ(MappingOf("\xEF\xBB\xBF# pg_map_id: 77\norg.Cart -> a:\n").map_id, "77");
  const naming::TextSet wanted = {"a"};
  Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  EXPECT_FALSE(reader.Feed(std::string_view("\xFF\xFEo\0r\0g\0\n\0", 10)));
  EXPECT_NE(reader.error().find("UTF-16"), std::string::npos) << reader.error();
}

TEST(Mapping, OnlyWantedClassesAreKept) {
  const Mapping mapping =
      MappingOf("x.Y -> z:\n    void m() -> a\nx.Kept -> a.b:\n    void m() -> a\n");
  EXPECT_EQ(mapping.classes.size(), 1U);
}

TEST(Mapping, WhatIsNoMappingSaysWhere) {
  const auto error_of = [](const std::string& text) {
    const naming::TextSet wanted = {"a"};
    Mapping mapping;
    naming::MappingReader reader(&wanted, &mapping);
    EXPECT_FALSE(reader.Feed(text) && reader.Finish());
    return reader.error();
  };
  EXPECT_EQ(error_of("x.Y -> a:\nnonsense\n").rfind("line 2, offset 10: ", 0), 0U);
  EXPECT_EQ(error_of("x.Y -> a:\n  1:void m() -> b\n").rfind("line 2, offset 10: ", 0), 0U);
  EXPECT_EQ(error_of("    void m() -> b\n").rfind("line 1, offset 0: ", 0), 0U);
  EXPECT_NE(error_of("").find("no class"), std::string::npos);
  EXPECT_NE(error_of("# only a comment\n").find("no class"), std::string::npos);
  EXPECT_NE(error_of(std::string(2'000'000, 'x')).find("mebibyte"), std::string::npos);
}

TEST(Mapping, ADocumentGetsItsNamesAndKeepsItsSamples) {
  const Mapping mapping = MappingOf(
      "app.Main -> a:\n"
      "    1:1:void helper():5:5 -> a\n"
      "    1:1:void run():7 -> a\n"
      "    2:2:void helper():6:6 -> a\n"
      "    2:2:void run():7 -> a\n"
      "app.Click -> b:\n");
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add({"Loop.main:3", "a.a:1"}, 3)
      .Add({"Loop.main:3", "a.a:2"}, 2, 7'000)
      .Finish();
  document.history = {PastMessage(document, 1, 5'000, 44, 44)};
  document.history[0].callback = "b";
  ASSERT_TRUE(naming::ClassNames(document).contains("b"));
  const std::vector<model::Sample> samples(document.trees[0].samples().begin(),
                                           document.trees[0].samples().end());
  const std::vector<const Mapping*> mappings = {&mapping};
  const naming::RestoreResult result = naming::RestoreNames(mappings, &document);
  EXPECT_EQ(result.frames_named, 2U);
  EXPECT_EQ(document.history[0].callback, "app.Click");
  const model::TraceTree& tree = document.trees[0];
  EXPECT_TRUE(
      std::equal(samples.begin(), samples.end(), tree.samples().begin(), tree.samples().end()));
  // Loop.main, run (now one frame for both), and helper at two lines.
  ASSERT_EQ(tree.nodes().size(), 5U);
  EXPECT_EQ(document.frames.MethodName(tree.nodes()[2].frame), "run");
  EXPECT_EQ(tree.nodes()[2].count, 5U);
  EXPECT_EQ(document.frames.At(tree.nodes()[3].frame).line, 5);
  EXPECT_EQ(document.frames.At(tree.nodes()[4].frame).line, 6);
}

TEST(Mapping, TheSignalCatchersTextGetsItsNamesBack) {
  const Mapping mapping = MappingOf(
      "app.Pay -> a:\n"
      "# {\"id\":\"sourceFile\",\"fileName\":\"Pay.kt\"}\n"
      "    1:1:void sum():5:5 -> a\n"
      "    1:1:void run():7 -> a\n"
      "    void read() -> b\n"
      "app.Lock -> b:\n");
  model::Document document = QuietDocument();
  document.signal_catcher = {"", "", 0,
                             "\"main\" prio=5 tid=1 Blocked\n"
                             "  at a.a(SourceFile:1)\n"
                             "  - waiting to lock <0x0f00> (a b) held by thread 12\n"
                             "  at a.b(Native method)\n"
                             "  at java.lang.Thread.run(Thread.java:920)\n"
                             "  at odd(\n  at a(b)\n> (a b\n\n(a b)"};
  EXPECT_TRUE(naming::ClassNames(document).contains("a"));
  EXPECT_TRUE(naming::ClassNames(document).contains("b"));
  const std::vector<const Mapping*> mappings = {&mapping};
  naming::RestoreNames(mappings, &document);
  EXPECT_EQ(document.signal_catcher->text,
            "\"main\" prio=5 tid=1 Blocked\n"
            "  at app.Pay.sum(Pay.kt:5)\n"
            "  at app.Pay.run(Pay.kt:7)\n"
            "  - waiting to lock <0x0f00> (a app.Lock) held by thread 12\n"
            "  at app.Pay.read(Native method)\n"
            "  at java.lang.Thread.run(Thread.java:920)\n"
            "  at odd(\n  at a(b)\n> (a b\n\n(a b)\n");
}

TEST(Mapping, TypesOfLocksAreRestoredWithin) {
  const Mapping mapping = MappingOf("org.Cart -> a:\n    1:1:void b():5:5 -> a\n");
  for (const auto& [before, after] : {std::pair{"java.lang.Class<a>", "java.lang.Class<org.Cart>"},
                                      {"a[]", "org.Cart[]"},
                                      {"a[][]", "org.Cart[][]"},
                                      {"[La;", "[Lorg.Cart;"},
                                      {"a", "org.Cart"},
                                      {"int[]", "int[]"}}) {
    model::Document document;
    model::ThreadStack stack;
    stack.wait_class = before;
    document.thread_stacks.emplace().stacks.push_back(stack);
    document.signal_catcher.emplace().text = std::string("  - locked <0x1> (a ") + before + ")\n";
    EXPECT_TRUE(
        naming::ClassNames(document).contains(std::string_view(before)[0] == 'i' ? "int" : "a"));
    const Mapping* const mappings[] = {&mapping};
    naming::RestoreNames(mappings, &document);
    EXPECT_EQ(document.thread_stacks->stacks[0].wait_class, after);
    EXPECT_EQ(document.signal_catcher->text, std::string("  - locked <0x1> (a ") + after + ")\n");
  }
}

TEST(Mapping, AMapIdChoosesTheFile) {
  Mapping first = MappingOf("one.Main -> a:\n");
  first.map_id = "1111111";
  Mapping second = MappingOf("two.Main -> a:\n");
  second.map_id = "2222222";
  const auto name_with = [&](const char* source_file) {
    model::Document document = QuietDocument();
    model::TraceTree tree(Token{1});
    const model::FrameId frame = document.frames.InternFrame("a", "m", "()V", source_file, 3,
                                                             model::FrameKind::kInterpreted);
    tree.Add(std::vector{frame}, {1, 1, 0, model::ThreadState::kRunnable});
    document.trees.push_back(std::move(tree));
    const std::vector<const Mapping*> mappings = {&first, &second};
    const naming::RestoreResult result = naming::RestoreNames(mappings, &document);
    return std::string(document.frames.ClassName(document.trees[0].nodes()[1].frame)) +
           (result.unknown_map_ids.empty() ? "" : "?" + result.unknown_map_ids[0]);
  };
  EXPECT_EQ(name_with("SourceFile"), "one.Main");
  EXPECT_EQ(name_with("r8-map-id-2222222deadbeef"), "two.Main");
  EXPECT_EQ(name_with("r8-map-id-3333333"), "a?3333333");
}

TEST(Mapping, AFrameThatAnotherToolHalfRestoredLosesItsLine) {
  const naming::TextSet wanted = {"shop.Till"};
  Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  ASSERT_TRUE(
      reader.Feed("shop.Till -> a.b:\n    1:3:void pay():10:12 -> c\n    void d() -> d\n") &&
      reader.Finish());
  const auto line_with = [&mapping](const char* method, uint64_t* half) {
    model::Document document = QuietDocument();
    model::TraceTree tree(Token{1});
    const model::FrameId frame = document.frames.InternFrame("shop.Till", method, "", "Till.java",
                                                             99, model::FrameKind::kInterpreted);
    tree.Add(std::vector{frame}, {1, 1, 0, model::ThreadState::kRunnable});
    document.trees.push_back(std::move(tree));
    const std::vector<const Mapping*> mappings = {&mapping};
    *half = naming::RestoreNames(mappings, &document).half_restored;
    return document.frames.At(document.trees[0].nodes()[1].frame).line;
  };
  uint64_t half = 0;
  EXPECT_EQ(line_with("c", &half), model::kLineUnknown);
  EXPECT_EQ(half, 1U);
  for (const char* whole : {"pay", "d", "refund"}) {
    EXPECT_EQ(line_with(whole, &half), 99) << whole;
    EXPECT_EQ(half, 0U) << whole;
  }
}

}  // namespace
}  // namespace stillframe::host_test
