// SPDX-License-Identifier: Apache-2.0
// Native frames named from symbol files, against binutils' addr2line over the same file.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "src/dump/writer.h"
#include "tests/host/command_line.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/naming/native_names.h"

namespace stillframe::host_test {
namespace {

using naming::NameNativeFrames;
using naming::NativeNames;
using naming::SymbolFolders;

constexpr char kFixture[] = STILLFRAME_SYMBOL_FIXTURE;

std::string OutputOf(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  char part[4096];
  for (size_t got = 0; pipe != nullptr && (got = fread(part, 1, sizeof part, pipe)) > 0;)
    text.append(part, got);
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0) << command;
  return text;
}

// Every byte of the fixture's functions.
std::vector<uint64_t> AddressesOf(const std::string& library) {
  std::istringstream lines(OutputOf("nm -S --defined-only '" + library + "'"));
  std::vector<uint64_t> addresses;
  for (std::string line; std::getline(lines, line);) {
    unsigned long long begin = 0;
    unsigned long long bytes = 0;
    char type = 0;
    char name[256] = {};
    if (sscanf(line.c_str(), "%llx %llx %c %255s", &begin, &bytes, &type, name) != 4 ||
        (type != 'T' && type != 't') ||
        std::string(name).find("symbol_fixture") == std::string::npos)
      continue;
    for (uint64_t i = 0; i < bytes; ++i) addresses.push_back(begin + i);
  }
  return addresses;
}

std::string BuildIdOf(const std::string& library) {
  const std::string notes = OutputOf("readelf -n '" + library + "'");
  const size_t at = notes.find("Build ID: ");
  const size_t begin = at + std::string("Build ID: ").size();
  return at == std::string::npos ? "" : notes.substr(begin, notes.find('\n', begin) - begin);
}

// "function place < function place", innermost first, for each address, as addr2line has it.
std::vector<std::string> Expected(const std::vector<uint64_t>& addresses,
                                  const std::string& input) {
  std::string text;
  for (const uint64_t address : addresses) {
    char line[32];
    snprintf(line, sizeof line, "%llx\n", static_cast<unsigned long long>(address));
    text += line;
  }
  WriteAll(input, text);
  std::istringstream lines(
      OutputOf(std::string("addr2line -a -f -i -C -e '") + kFixture + "' <'" + input + "'"));
  std::vector<std::string> expected;
  std::string line;
  std::string place;
  while (std::getline(lines, line)) {
    if (line.starts_with("0x")) {
      expected.emplace_back();
    } else if (std::getline(lines, place)) {
      place = place.substr(0, place.find(" (discriminator"));
      if (place.ends_with(":?")) place.resize(place.size() - 2);
      expected.back()
          .append(expected.back().empty() ? "" : " < ")
          .append(line)
          .append(" ")
          .append(place);
    }
  }
  return expected;
}

// The same of frames, those of one address being one line.
std::vector<std::string> Named(const std::vector<model::NativeFrame>& frames) {
  std::vector<std::string> named;
  bool continues = false;
  for (const model::NativeFrame& frame : frames) {
    if (!continues) named.emplace_back();
    named.back() += (continues ? " < " : "") + index::Demangled(frame.symbol) + " " + frame.place;
    continues = frame.is_inlined;
  }
  return named;
}

class Symbols : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    fs::create_directories(folder_ / "symbols");
    addresses_ = AddressesOf(kFixture);
    ASSERT_GT(addresses_.size(), 200U);
    build_id_ = BuildIdOf(kFixture);
    ASSERT_EQ(build_id_.size(), 40U);
  }

  // Runs a program of binutils in the folder of symbols.
  void Make(const std::string& command) const {
    OutputOf("cd '" + (folder_ / "symbols").string() + "' && " + command);
  }
  model::Document Document() const {
    model::Document document = AnrDocument();
    document.modules = {
        {"/data/app/base.apk!libsymbol_fixture.so", build_id_, 0x10000, 0x20000, 0x10000}};
    document.thread_stacks.emplace();
    model::ThreadStack& main = document.thread_stacks->stacks.emplace_back();
    main.tid = document.identity.pid;
    main.name = "main";
    main.source = model::StackSource::kStoodStill;
    for (const uint64_t address : addresses_) main.native.push_back({1, address, "", "", false});
    return document;
  }
  NativeNames Name(model::Document* document) const {
    return NameNativeFrames(SymbolFolders({(folder_ / "symbols").string()}), document);
  }
  void ExpectNamed() const {
    model::Document document = Document();
    const NativeNames names = Name(&document);
    EXPECT_EQ(names.frames, addresses_.size());
    EXPECT_EQ(names.named, addresses_.size());
    EXPECT_TRUE(names.missing.empty());
    EXPECT_EQ(Named(document.thread_stacks->stacks[0].native), Expected(addresses_, Path("in")));
  }
  void ExpectNothingNamed(const std::string& build_id,
                          const std::string& path = "libsymbol_fixture.so") const {
    model::Document document = Document();
    document.modules[0].build_id = build_id;
    document.modules[0].path = path;
    const std::vector<std::string> before = Named(document.thread_stacks->stacks[0].native);
    const NativeNames names = Name(&document);
    EXPECT_EQ(names.named, 0U);
    EXPECT_EQ(names.missing.size(), 1U);
    EXPECT_EQ(Named(document.thread_stacks->stacks[0].native), before);
  }

  std::vector<uint64_t> addresses_;
  std::string build_id_;
};

TEST_F(Symbols, APlainTreeOfUnstrippedLibrariesNamesAsAddr2line) {
  Make(std::string("mkdir -p obj/local/x86_64 && cp '") + kFixture + "' obj/local/x86_64/");
  ExpectNamed();
  // Without inlined functions the test would prove little.
  model::Document document = Document();
  Name(&document);
  EXPECT_GT(document.thread_stacks->stacks[0].native.size(), addresses_.size() * 3 / 2);
}

TEST_F(Symbols, AFolderByBuildIdNamesAsAddr2line) {
  const std::string folder = ".build-id/" + build_id_.substr(0, 2);
  Make("mkdir -p " + folder + " && objcopy --only-keep-debug '" + kFixture + "' " + folder + "/" +
       build_id_.substr(2) + ".debug");
  ExpectNamed();
}

TEST_F(Symbols, CompressedSectionsNameAsAddr2line) {
  Make(std::string("objcopy --compress-debug-sections=zlib '") + kFixture + "' lib.so");
  ExpectNamed();
}

TEST_F(Symbols, AStrippedLibraryLeadsToItsDebugFile) {
  // Without a build id in the debug file, only the debug link leads there.
  Make(std::string("mkdir -p lib elsewhere && objcopy --only-keep-debug --remove-section="
                   ".note.gnu.build-id '") +
       kFixture + "' elsewhere/lib.debug && strip -o lib/lib.so '" + kFixture +
       "' && objcopy --add-gnu-debuglink=elsewhere/lib.debug lib/lib.so");
  ExpectNamed();
  // Another file of that name is rejected.
  Make("printf x >>elsewhere/lib.debug");
  model::Document document = Document();
  Name(&document);
  for (const model::NativeFrame& frame : document.thread_stacks->stacks[0].native)
    EXPECT_EQ(frame.place, "");
}

TEST_F(Symbols, AnotherBuildNamesNothing) {
  Make(std::string("cp '") + kFixture + "' libsymbol_fixture.so");
  ExpectNothingNamed("00" + build_id_.substr(2));
  ExpectNothingNamed("");
}

TEST_F(Symbols, WithoutABuildIdTheNameTells) {
  Make(std::string("objcopy --remove-section=.note.gnu.build-id '") + kFixture +
       "' libsymbol_fixture.so && cp libsymbol_fixture.so other.so");
  ExpectNothingNamed(build_id_);
  model::Document document = Document();
  document.modules[0].build_id.clear();
  EXPECT_EQ(Name(&document).named, addresses_.size());
  ExpectNothingNamed("", "/lib/nobody.so");
}

TEST_F(Symbols, FramesOfTreesAreNamedWithTheSamplesUnchanged) {
  Make(std::string("cp '") + kFixture + "' .");
  model::Document document = Document();
  document.thread_stacks->stacks[0].native.clear();
  const model::FrameId method =
      document.frames.InternFrame("a.B", "run", "()V", "B.java", 7, model::FrameKind::kJni);
  model::TraceTree tree(Token{4711});
  std::vector<std::string> expected = Expected(addresses_, Path("in"));
  for (size_t i = 0; i < addresses_.size(); i += 10) {
    char address[32];
    snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(addresses_[i]));
    const model::FrameId native =
        document.frames.InternFrame("libsymbol_fixture.so", address, build_id_ + "+" + address, "",
                                    model::kLineUnknown, model::FrameKind::kNative);
    tree.Add(std::vector{method, native}, {static_cast<uint32_t>(i), 10, 0, {}});
  }
  document.trees.clear();
  document.trees.push_back(std::move(tree));
  EXPECT_EQ(Name(&document).named, (addresses_.size() + 9) / 10);
  ASSERT_EQ(document.trees[0].sample_count(), (addresses_.size() + 9) / 10);
  size_t i = 0;
  document.trees[0].ForEachStack(
      [&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& sample) {
        std::string named;
        EXPECT_EQ(sample.wall_us, i);
        EXPECT_EQ(document.frames.MethodName(stack[0]), "run");
        for (size_t j = stack.size(); j-- > 1;) {
          const model::Frame& frame = document.frames.At(stack[j]);
          EXPECT_EQ(frame.kind, model::FrameKind::kNative);
          named += (named.empty() ? "" : " < ") +
                   index::Demangled(std::string(document.frames.MethodName(stack[j]))) + " " +
                   std::string(document.frames.String(frame.source_file)) +
                   (frame.line > 0 ? ":" + std::to_string(frame.line) : "");
        }
        // Trees have the names of files without their folders.
        std::string wanted = expected[i];
        for (size_t begin = 0; (begin = wanted.find(" /")) != std::string::npos;) {
          const size_t slash = wanted.rfind('/', wanted.find(".cc:", begin));
          wanted.erase(begin + 1, slash - begin);
        }
        EXPECT_EQ(named, wanted);
        i += 10;
      });
}

TEST_F(Symbols, TheVerdictIsThatOfTheMethodsAlone) {
  model::Document document = AnrDocument();
  const model::Document plain = AnrDocument();
  const model::FrameId native = document.frames.InternFrame(
      "libc.so.6", "read", "00ff+0x17", "", model::kLineUnknown, model::FrameKind::kNative);
  for (model::TraceTree& tree : document.trees) {
    model::TraceTree mixed(tree.token());
    tree.ForEachStack(
        [&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& sample) {
          std::vector<model::FrameId> frames(stack.begin(), stack.end());
          frames.push_back(native);
          mixed.Add(frames, sample);
        });
    mixed.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
    tree = std::move(mixed);
  }
  ASSERT_NO_FATAL_FAILURE(WriteSample(document, Path("mixed.sfdump")));
  ASSERT_NO_FATAL_FAILURE(WriteSample(plain, Path("plain.sfdump")));
  for (const std::string verb : {"text ", "top ", "export --format article "})
    EXPECT_EQ(Run(verb + "mixed.sfdump").out, Run(verb + "plain.sfdump").out) << verb;
  const std::string mixed = Run("export --format collapsed mixed.sfdump").out;
  EXPECT_NE(mixed.find(";read [libc.so.6] "), std::string::npos) << mixed;
  EXPECT_EQ(Run("export --format collapsed plain.sfdump").out.find("libc"), std::string::npos);
}

TEST_F(Symbols, AddressesOutsideFunctionsAndLibrariesHaveNoNames) {
  Make(std::string("cp '") + kFixture + "' .");
  model::Document document = Document();
  std::vector<model::NativeFrame>& frames = document.thread_stacks->stacks[0].native;
  frames = {{1, 0, "", "", false},
            {1, UINT64_MAX, "", "", false},
            {0, addresses_[0], "", "", false},
            {2, addresses_[0], "", "", false},
            {UINT32_MAX, 0, "kept", "", false}};
  // The linker's own functions have a symbol, but no size.
  std::istringstream lines(OutputOf(std::string("nm --defined-only '") + kFixture + "'"));
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(" t deregister_tm_clones") || line.ends_with(" t register_tm_clones"))
      frames.push_back({1, std::stoull(line, nullptr, 16), "", "", false});
  EXPECT_EQ(frames.size(), 7U);
  EXPECT_EQ(Name(&document).named, 0U);
  EXPECT_EQ(frames.size(), 7U);
  EXPECT_EQ(frames[4].symbol, "kept");
}

// Every cut and every changed byte of the headers: no answer may crash.
TEST_F(Symbols, DamagedFilesAreNoHazard) {
  const std::string whole = ReadAll(kFixture);
  const auto try_it = [this](const std::string& bytes) {
    WriteAll(folder_ / "symbols" / "lib.so", bytes);
    model::Document document = Document();
    document.thread_stacks->stacks[0].native.resize(40);
    const NativeNames names = Name(&document);
    EXPECT_LE(names.named, 40U);
  };
  for (size_t i = 1; i < 60; ++i) try_it(whole.substr(0, whole.size() * i / 60));
  for (size_t i = 0; i < 1024; i += 5) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    try_it(bytes);
  }
  for (size_t i = 0; i < 200; ++i) {
    std::string bytes = whole;
    for (size_t j = 0; j < 8; ++j) {
      const size_t at = (i * 7919 + j * 104'729) % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << (i + j) % 8));
    }
    try_it(bytes);
  }
}

TEST_F(Symbols, TheVerbPrintsFunctionsFilesAndLines) {
  Make(std::string("cp '") + kFixture + "' .");
  model::Document document = Document();
  document.thread_stacks->stacks[0].native_is_truncated = true;
  ASSERT_NO_FATAL_FAILURE(WriteSample(document, Path("native.sfdump")));
  const Outcome named = Run("symbolize native.sfdump --symbols symbols");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(named.err, "");
  EXPECT_NE(named.out.find("native symbol_fixture::Cart::Add(unsigned int) (fixture.cc:"),
            std::string::npos)
      << named.out;
  EXPECT_NE(named.out.find(") inlined, libsymbol_fixture.so"), std::string::npos) << named.out;
  EXPECT_NE(named.out.find("[further native frames were not found]"), std::string::npos);
  for (const char* verb : {"text", "inspect --json", "report -o -"}) {
    const Outcome shown = Run(std::string(verb) + " native.sfdump --symbols symbols");
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    if (std::string(verb) != "report -o -")
      EXPECT_NE(shown.out.find("fixture.cc:"), std::string::npos) << verb;
  }
}

TEST_F(Symbols, WhatIsMissingIsSaid) {
  ASSERT_NO_FATAL_FAILURE(WriteSample(Document(), Path("native.sfdump")));
  ExpectOneLine(Run("symbolize native.sfdump --symbols symbols"), "symbols");
  EXPECT_EQ(Run("symbolize native.sfdump --symbols symbols").exit_code, 1);
  ExpectOneLine(Run("symbolize native.sfdump --symbols nowhere"), "nowhere");
  EXPECT_EQ(Run("symbolize native.sfdump").exit_code, 2);
  Make("cp /bin/true .");
  const Outcome other = Run("symbolize native.sfdump --symbols symbols");
  EXPECT_EQ(other.exit_code, 0);
  ExpectOneLine(other, "native.sfdump");
  EXPECT_NE(other.err.find("libsymbol_fixture.so (build id " + build_id_), std::string::npos);
  EXPECT_NE(other.out.find("native libsymbol_fixture.so+0x"), std::string::npos);
  ExpectOneLine(Run("symbolize quiet.sfdump --symbols symbols"), "quiet.sfdump");
}

TEST(NativeFrameText, SaysWhatIsKnown) {
  const std::vector<model::Module> modules = {{"/apex/lib64/libart.so", "", 0, 0, 0},
                                              {"/data/app/base.apk!libshop.so", "", 0, 0, 0}};
  const auto text = [&modules](const model::NativeFrame& frame) {
    return index::NativeFrameText(modules, frame);
  };
  EXPECT_EQ(text({2, 0x1a2b, "", "", false}), "libshop.so+0x1a2b");
  EXPECT_EQ(text({0, 0x7f12, "", "", false}), "code at 0x7f12");
  EXPECT_EQ(text({9, 0x7f12, "ignored", "", false}), "code at 0x7f12");
  EXPECT_EQ(text({2, 1, "_ZN4shop4Cart3AddEi", "", false}), "shop::Cart::Add(int) (libshop.so)");
  EXPECT_EQ(text({2, 1, "_Znonsense", "/src/cart.cc:12", true}),
            "_Znonsense (cart.cc:12) inlined, libshop.so");
  const std::vector<model::NativeFrame> frames = {
      {2, 1, "read", "", false},
      {1, 1, "_ZN3art7Monitor4WaitEv", "", false},
      {1, 1, "_ZN3art11interpreter7ExecuteEv", "", false},
      {1, 1, "art_quick_generic_jni_trampoline", "", false}};
  EXPECT_EQ(index::WithoutInterpreter(modules, frames).size(), 2U);
  EXPECT_EQ(index::WithoutInterpreter(modules, std::span(frames).first(1)).size(), 1U);
}

}  // namespace
}  // namespace stillframe::host_test
