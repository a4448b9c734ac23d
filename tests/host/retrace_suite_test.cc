// SPDX-License-Identifier: Apache-2.0
// Mapping files of R8: each kind of additional information, and where a line or a file is unknown.
// The rules are those of R8's doc/retrace.md and of its retrace.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/naming/document_names.h"
#include "tools/stillframe/naming/retrace.h"

namespace stillframe::host_test {
namespace {

using naming::Mapping;

Mapping ReadMapping(const std::string& text, size_t block = 5) {
  const naming::TextSet wanted = {"a.a", "a.b", "a.c", "a.o", "a.p"};
  Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  for (size_t i = 0; i < text.size(); i += block)
    EXPECT_TRUE(reader.Feed(std::string_view(text).substr(i, block))) << reader.error();
  EXPECT_TRUE(reader.Finish()) << reader.error();
  return mapping;
}

std::string ErrorOf(const std::string& text) {
  const naming::TextSet wanted = {"a.a"};
  Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  EXPECT_FALSE(reader.Feed(text) && reader.Finish());
  return reader.error();
}

std::string TextOf(const naming::NamedFrame& frame) {
  std::string text = frame.class_name + "." + frame.method_name + "(" + frame.source_file;
  if (frame.line >= 0) text += ":" + std::to_string(frame.line);
  return text + ")";
}

struct Options {
  std::string file = "SourceFile";
  std::string descriptor;
};

// The frames of "a.b.m:12", innermost first; without a line "a.b.m:-1".
std::string Frames(const Mapping& mapping, const std::string& frame, const Options& options = {}) {
  const size_t colon = frame.find(':');
  const size_t dot = frame.rfind('.', colon);
  const std::string class_name = frame.substr(0, dot);
  const std::string method = frame.substr(dot + 1, colon - dot - 1);
  const int line = std::stoi(frame.substr(colon + 1));
  const std::optional<naming::Retraced> retraced = naming::Retrace(
      mapping, {class_name, method, options.descriptor, options.file, line}, std::nullopt);
  if (!retraced) return "unknown class";
  std::string text;
  for (const naming::NamedFrame& named : retraced->frames)
    text += (text.empty() ? "" : " < ") + TextOf(named);
  return text;
}

// The text of the system's traces with its names restored.
std::string TracesWith(const Mapping& mapping, const std::string& text) {
  model::Document document = QuietDocument();
  document.signal_catcher = {"", "", 0, text};
  const std::vector<const Mapping*> mappings = {&mapping};
  naming::RestoreNames(mappings, &document);
  return document.signal_catcher->text;
}

// A thread stack, innermost first, with its names restored.
std::string StackWith(const Mapping& mapping, const std::vector<std::string>& stack) {
  model::Document document = QuietDocument();
  model::ThreadStack thread;
  for (const std::string& frame : stack) thread.frames.push_back(AddFrame(&document, frame));
  document.thread_stacks.emplace();
  document.thread_stacks->stacks = {thread};
  const std::vector<const Mapping*> mappings = {&mapping};
  naming::RestoreNames(mappings, &document);
  std::string text;
  for (const model::FrameId id : document.thread_stacks->stacks[0].frames) {
    const model::FrameTable& frames = document.frames;
    text += (text.empty() ? "" : " < ") +
            TextOf({std::string(frames.ClassName(id)), std::string(frames.MethodName(id)),
                    std::string(frames.String(frames.At(id).source_file)), frames.At(id).line});
  }
  return text;
}

TEST(Retrace, ByteOrderMarksCommentsAndLineEndsOfWindows) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string lines =
      "shop.Cart -> a.a:\r\n"
      "# {\"id\":\"sourceFile\",\"fileName\":\"Carts.kt\"}\r\n"
      "    1:2:void add():21:22 -> m\r\n";
  const std::string header =
      "# compiler: R8\r\n# pg_map_id: 7f3c2b1 \r\n"
      "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\r\n";
  for (const std::string& text : {lines, mark + lines, mark + header + lines, header + lines}) {
    const Mapping mapping = ReadMapping(text);
    EXPECT_EQ(Frames(mapping, "a.a.m:2"), "shop.Cart.add(Carts.kt:22)") << text;
  }
  EXPECT_EQ(ReadMapping(mark + header + lines).map_id, "7f3c2b1");
}

TEST(Retrace, Utf16IsRejected) {
  const std::string wide("s\0h\0o\0p\0", 8);
  for (const std::string& text : {"\xFF\xFE" + wide, "\xFE\xFF" + wide, wide})
    EXPECT_NE(ErrorOf(text + "\n").find("UTF-16"), std::string::npos);
}

TEST(Retrace, ClassesWithinTypes) {
  const Mapping mapping = ReadMapping("shop.Cart -> a.a:\n");
  const auto locked = [&](const std::string& type) {
    const std::string text = TracesWith(mapping, "  - locked <0x1> (a " + type + ")");
    const size_t begin = text.find("(a ") + 3;
    return text.substr(begin, text.find(')') - begin);
  };
  EXPECT_EQ(locked("a.a"), "shop.Cart");
  EXPECT_EQ(locked("java.lang.Class<a.a>"), "java.lang.Class<shop.Cart>");
  EXPECT_EQ(locked("java.lang.Class<a.a[]>"), "java.lang.Class<shop.Cart[]>");
  EXPECT_EQ(locked("a.a[]"), "shop.Cart[]");
  EXPECT_EQ(locked("a.a[][]"), "shop.Cart[][]");
  EXPECT_EQ(locked("[La.a;"), "[Lshop.Cart;");
  EXPECT_EQ(locked("[[La/a;"), "[[Lshop/Cart;");
  for (const char* other : {"[I", "int[]", "java.lang.Class<a.z>", "a.z[]", "<", ">", "[", "[]"})
    EXPECT_EQ(locked(other), other);
}

TEST(Retrace, ClassesWithinTypesOfAWait) {
  const Mapping mapping = ReadMapping("shop.Cart -> a.a:\n");
  model::Document document = QuietDocument();
  model::ThreadStack thread;
  thread.wait_class = "java.lang.Class<a.a>";
  document.thread_stacks.emplace();
  document.thread_stacks->stacks = {thread};
  EXPECT_TRUE(naming::ClassNames(document).contains("a.a"));
  const std::vector<const Mapping*> mappings = {&mapping};
  EXPECT_TRUE(naming::RestoreNames(mappings, &document).knows_a_class);
  EXPECT_EQ(document.thread_stacks->stacks[0].wait_class, "java.lang.Class<shop.Cart>");
}

TEST(Retrace, InferredSourceFiles) {
  const Mapping mapping = ReadMapping(
      "shop.Screen -> a.a:\n"
      "# {\"id\":\"sourceFile\",\"fileName\":\"Screens.kt\"}\n"
      "    1:1:void shop.TextKt.trim():5:5 -> m\n"
      "    1:1:void shop.Row$Cell.draw():6 -> m\n"
      "    1:1:void show():7 -> m\n"
      "    void hide() -> n\n"
      "shop.Text$Span -> a.b:\n"
      "    1:1:void shop.Row.draw():6:6 -> m\n"
      "    1:1:void cut():8 -> m\n"
      "shop.FormatKt -> a.c:\n"
      "    void format() -> m\n");
  // The class's own entry wins; the others follow the file around them.
  EXPECT_EQ(Frames(mapping, "a.a.m:1"),
            "shop.TextKt.trim(Text.kt:5) < shop.Row$Cell.draw(Row.kt:6) < "
            "shop.Screen.show(Screens.kt:7)");
  EXPECT_EQ(Frames(mapping, "a.a.n:3", {.file = "Kept.java", .descriptor = ""}),
            "shop.Screen.hide(Screens.kt:3)");
  for (const char* file : {"SourceFile", "PG", "Unknown Source", "r8-map-id-0a1b", "", "x.dummy"}) {
    EXPECT_EQ(Frames(mapping, "a.b.m:1", {.file = file, .descriptor = ""}),
              "shop.Row.draw(Row.java:6) < shop.Text$Span.cut(Text.java:8)");
    EXPECT_EQ(Frames(mapping, "a.c.m:1", {.file = file, .descriptor = ""}),
              "shop.FormatKt.format(Format.kt:1)");
  }
  // The frame's own file has an extension.
  EXPECT_EQ(Frames(mapping, "a.b.m:1", {.file = "Text.kt", .descriptor = ""}),
            "shop.Row.draw(Row.kt:6) < shop.Text$Span.cut(Text.kt:8)");
  EXPECT_EQ(Frames(mapping, "a.b.kept:4", {.file = "Any.kt", .descriptor = ""}),
            "shop.Text$Span.kept(Text.kt:4)");
  EXPECT_EQ(Frames(mapping, "a.c.m:1", {.file = "Any.java", .descriptor = ""}),
            "shop.FormatKt.format(FormatKt.java:1)");
}

// The outline has two ranges; its information is at the first.
constexpr char kOutlines[] =
    "shop.Outline0 -> a.o:\n"
    "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"
    "    1:2:void outline(int):0:0 -> x\n"
    "      # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
    "      # {\"id\":\"com.android.tools.r8.outline\"}\n"
    "    3:6:void outline(int):1:1 -> x\n"
    "shop.Outline1 -> a.p:\n"
    "    2:2:void other():0:0 -> x\n"
    "      # {\"id\":\"com.android.tools.r8.outline\"}\n"
    "      # {\"id\":\"com.android.tools.r8.outlineCallsite\","
    "\"positions\":{\"5\":40},\"outline\":\"La/o;x(I)V\"}\n"
    "    40:40:void other():0:0 -> x\n"
    "shop.Map -> a.a:\n"
    "    11:14:void draw():0:0 -> m\n"
    "      # {\"id\":\"com.android.tools.r8.outlineCallsite\","
    "\"positions\":{\"1\":60,\"4\":62},\"outline\":\"La/o;x(I)V\"}\n"
    "    15:15:void draw():0:0 -> m\n"
    "      # {'id':'com.android.tools.r8.outlineCallsite','positions':{'40':62}}\n"
    "    60:60:void draw():71:71 -> m\n"
    "    62:62:void shop.Pin.place():83:83 -> m\n"
    "    62:62:void draw():73 -> m\n";

TEST(Retrace, OutlinesOfSeveralRanges) {
  const Mapping mapping = ReadMapping(kOutlines);
  EXPECT_EQ(StackWith(mapping, {"a.o.x:1", "a.a.m:12", "shop.Main.run:3"}),
            "shop.Map.draw(Map.java:71) < shop.Main.run(Main.java:3)");
  EXPECT_EQ(StackWith(mapping, {"a.o.x:4", "a.a.m:12", "shop.Main.run:3"}),
            "shop.Pin.place(Pin.java:83) < shop.Map.draw(Map.java:73) < "
            "shop.Main.run(Main.java:3)");
  // A line that the callsite does not know, and a callsite that called no outline.
  EXPECT_EQ(StackWith(mapping, {"a.o.x:2", "a.a.m:12"}), "shop.Map.draw(Map.java)");
  EXPECT_EQ(StackWith(mapping, {"a.a.m:12"}), "shop.Map.draw(Map.java)");
}

TEST(Retrace, AnOutlineThatCallsAnOutline) {
  const Mapping mapping = ReadMapping(kOutlines);
  EXPECT_EQ(StackWith(mapping, {"a.o.x:5", "a.p.x:2", "a.a.m:15"}),
            "shop.Pin.place(Pin.java:83) < shop.Map.draw(Map.java:73)");
}

TEST(Retrace, OutlinesInTheTextOfTraces) {
  const Mapping mapping = ReadMapping(kOutlines);
  EXPECT_EQ(TracesWith(mapping,
                       "  at a.o.x(SourceFile:4)\n"
                       "  - locked <0x1> (a a.a)\n"
                       "  at a.a.m(SourceFile:12)\n"
                       "  at a.o.x(SourceFile:4)\n"
                       "\n"
                       "  at a.a.m(SourceFile:12)\n"),
            "  - locked <0x1> (a shop.Map)\n"
            "  at shop.Pin.place(Pin.java:83)\n"
            "  at shop.Map.draw(Map.java:73)\n"
            "\n"
            "  at shop.Map.draw(Map.java)\n");
}

TEST(Retrace, CodeInlinedIntoAnOutlineRemains) {
  const Mapping mapping = ReadMapping(
      "shop.Outline -> a.o:\n"
      "    1:2:int shop.Tax.round():75:76 -> x\n"
      "    1:2:int outline():0 -> x\n"
      "    # {\"id\":\"com.android.tools.r8.outline\"}\n"
      "shop.Cart -> a.a:\n"
      "    9:9:int total():0:0 -> m\n"
      "    # {\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"2\":10}}\n"
      "    10:10:int total():33:33 -> m\n");
  EXPECT_EQ(StackWith(mapping, {"a.o.x:2", "a.a.m:9"}),
            "shop.Tax.round(Tax.java:76) < shop.Cart.total(Cart.java:33)");
}

TEST(Retrace, ResidualSignaturesTellOverloadsApart) {
  const Mapping mapping = ReadMapping(
      "shop.Cart -> a.a:\n"
      "    1:3:void add(int):11:13 -> m\n"
      "      # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"()V\"}\n"
      "    4:6:void add(int):21:23 -> m\n"
      "    1:3:void clear():31:33 -> m\n"
      "      # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(Z)V\"}\n"
      "    1:2:void count(int, int):41:42 -> n\n"
      "    1:3:void list(int):51:53 -> n\n");
  EXPECT_EQ(Frames(mapping, "a.a.m:2", {.file = "", .descriptor = "()V"}),
            "shop.Cart.add(Cart.java:12)");
  EXPECT_EQ(Frames(mapping, "a.a.m:5", {.file = "", .descriptor = "()V"}),
            "shop.Cart.add(Cart.java:22)");
  EXPECT_EQ(Frames(mapping, "a.a.m:2", {.file = "", .descriptor = "(Z)V"}),
            "shop.Cart.clear(Cart.java:32)");
  // The method is certain, the line is another method's.
  EXPECT_EQ(Frames(mapping, "a.a.m:5", {.file = "", .descriptor = "(Z)V"}),
            "shop.Cart.clear(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.n:1", {.file = "", .descriptor = "(II)V"}),
            "shop.Cart.count(Cart.java:41)");
}

TEST(Retrace, SynthesizedMethodsDisappear) {
  const Mapping mapping = ReadMapping(
      "shop.Main$$Lambda -> a.a:\n"
      "    void run(shop.Main) -> m\n"
      "      # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
      "shop.Text -> a.b:\n"
      "    1:1:void trim():0:0 -> m\n"
      "    1:1:void trim$synthetic():0:0 -> m\n"
      "    2:2:void trim():26:26 -> m\n"
      "    2:2:void trim$synthetic():0:0 -> m\n"
      "      # {'id':'com.android.tools.r8.synthesized'}\n"
      "    4:4:void cut():28:28 -> m\n"
      "    4:4:void trim$synthetic():0 -> m\n");
  EXPECT_EQ(StackWith(mapping, {"shop.Main.call:4", "a.a.m:1", "shop.Main.go:2"}),
            "shop.Main.call(Main.java:4) < shop.Main.go(Main.java:2)");
  EXPECT_EQ(Frames(mapping, "a.b.m:1"), "shop.Text.trim(Text.java)");
  EXPECT_EQ(Frames(mapping, "a.b.m:2"), "shop.Text.trim(Text.java:26)");
  EXPECT_EQ(Frames(mapping, "a.b.m:4"), "shop.Text.cut(Text.java:28)");
  // Without a line, the methods inlined into it are unknown, so it remains.
  EXPECT_EQ(Frames(mapping, "a.b.m:-1"), "shop.Text.trim$synthetic(Text.java)");
}

TEST(Retrace, FramesAreRewrittenOnlyBelowExceptions) {
  const Mapping mapping = ReadMapping(
      "shop.Cart -> a.a:\n"
      "    4:4:void shop.Item.price():23:23 -> m\n"
      "    4:4:void total(shop.Item):7 -> m\n"
      "    # {\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":"
      "[\"throws(Ljava/lang/NullPointerException;)\"],\"actions\":[\"removeInnerFrames(1)\"]}\n");
  EXPECT_EQ(Frames(mapping, "a.a.m:4"),
            "shop.Item.price(Item.java:23) < shop.Cart.total(Cart.java:7)");
}

TEST(Retrace, SpansOfLines) {
  const Mapping mapping = ReadMapping(
      "shop.Cart -> a.a:\n"
      "    1:5:void same():21:25 -> m\n"
      "    6:9:void single():30:30 -> m\n"
      "    10:12:void bare():31 -> m\n"
      "    13:13:void narrow():40:48 -> m\n"
      "    14:17:void wide():50:52 -> m\n"
      "    20:18:void backwards():62:60 -> m\n"
      "    void several():31:39 -> n\n"
      "    void one():77:77 -> o\n"
      "    void short():78 -> p\n"
      "    void none():0:0 -> q\n"
      "    void kept() -> r\n");
  EXPECT_EQ(Frames(mapping, "a.a.m:4"), "shop.Cart.same(Cart.java:24)");
  EXPECT_EQ(Frames(mapping, "a.a.m:8"), "shop.Cart.single(Cart.java:30)");
  EXPECT_EQ(Frames(mapping, "a.a.m:11"), "shop.Cart.bare(Cart.java:31)");
  EXPECT_EQ(Frames(mapping, "a.a.m:13"), "shop.Cart.narrow(Cart.java:40)");
  EXPECT_EQ(Frames(mapping, "a.a.m:15"), "shop.Cart.wide(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.m:19"), "shop.Cart.backwards(Cart.java:61)");
  for (const char* line : {":1", ":35", ":-1"}) {
    EXPECT_EQ(Frames(mapping, std::string("a.a.n") + line), "shop.Cart.several(Cart.java)");
    EXPECT_EQ(Frames(mapping, std::string("a.a.o") + line), "shop.Cart.one(Cart.java:77)");
    EXPECT_EQ(Frames(mapping, std::string("a.a.p") + line), "shop.Cart.short(Cart.java:78)");
    EXPECT_EQ(Frames(mapping, std::string("a.a.q") + line), "shop.Cart.none(Cart.java)");
  }
  EXPECT_EQ(Frames(mapping, "a.a.r:12"), "shop.Cart.kept(Cart.java:12)");
  EXPECT_EQ(Frames(mapping, "a.a.r:-1"), "shop.Cart.kept(Cart.java)");
}

TEST(Retrace, FramesWithoutALineAreThoseOfRangeZero) {
  const Mapping mapping = ReadMapping(
      "shop.Cart -> a.a:\n"
      "    0:0:void shop.Item.price():42:42 -> m\n"
      "    0:0:void total():28 -> m\n"
      "    1:1:void total():53 -> m\n"
      "    0:0:void shop.Item.name():42:44 -> n\n"
      "    0:0:void label():29 -> n\n"
      "    0:65535:void size():33:33 -> o\n");
  EXPECT_EQ(Frames(mapping, "a.a.m:-1"),
            "shop.Item.price(Item.java:42) < shop.Cart.total(Cart.java:28)");
  EXPECT_EQ(Frames(mapping, "a.a.n:-1"),
            "shop.Item.name(Item.java) < shop.Cart.label(Cart.java:29)");
  EXPECT_EQ(Frames(mapping, "a.a.o:-1"), "shop.Cart.size(Cart.java:33)");
}

TEST(Retrace, SeveralCandidatesAreAllNamed) {
  const Mapping mapping = ReadMapping(
      "shop.Cart -> a.a:\n"
      "    void pay(int) -> m\n"
      "    void refund(int,int) -> m\n"
      "    10:10:void add(int):10:10 -> n\n"
      "    11:11:void add(long):11:11 -> n\n"
      "    void stop(int) -> o\n"
      "    2:2:void start():5:5 -> o\n"
      "    0:0:void list():6:6 -> p\n"
      "    1:1:void count():7:7 -> p\n"
      "    void run() -> q\n"
      "    void shop.Task.run() -> q\n"
      "    void shop.Task.call() -> q\n");
  EXPECT_EQ(Frames(mapping, "a.a.m:7"), "shop.Cart.pay|refund(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.n:-1"), "shop.Cart.add(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.n:11"), "shop.Cart.add(Cart.java:11)");
  EXPECT_EQ(Frames(mapping, "a.a.o:-1"), "shop.Cart.stop|start(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.p:-1"), "shop.Cart.list|count(Cart.java)");
  EXPECT_EQ(Frames(mapping, "a.a.q:-1"), "shop.Cart.run|shop.Task.run|shop.Task.call(Cart.java)");
}

TEST(Retrace, AMappingOfAnotherBuildKnowsNoClass) {
  const Mapping other = ReadMapping("shop.Other -> a.a:\n    void run() -> m\n");
  const auto knows = [&](const std::string& frame) {
    model::Document document = QuietDocument();
    model::ThreadStack thread;
    thread.frames = {AddFrame(&document, frame)};
    document.thread_stacks.emplace();
    document.thread_stacks->stacks = {thread};
    const std::vector<const Mapping*> mappings = {&other};
    return naming::RestoreNames(mappings, &document).knows_a_class;
  };
  EXPECT_FALSE(knows("a.b.m:1"));
  EXPECT_TRUE(knows("a.a.m:1"));
}

}  // namespace
}  // namespace stillframe::host_test
