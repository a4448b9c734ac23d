// SPDX-License-Identifier: Apache-2.0
// Samples methods that are inlined into each other, and judges the innermost frame's name. A sample
// notes the number that the running method has written.
//
// A frame marked as a guess means "this method or one inlined into it". It is wrong if even that is
// not true. An unmarked frame is wrong if it names another method.
// Context: natives
// of InlinedLeaves.java, on its main thread
#include <jni.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/art/jni_method.h"
#include "src/art/runtime_probe.h"
#include "src/core/clock.h"
#include "src/core/guarded_memory.h"
#include "src/core/sampler.h"
#include "src/model/frame_table.h"
#include "src/names/method_names.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/os/thread_timer.h"
#include "src/walk/walk.h"
#include "tests/process/runtime_facts_here.h"

namespace stillframe {
namespace {

constexpr uint32_t kMaxDepth = 256;
constexpr uint64_t kIntervalNs = 400'000;
constexpr uint64_t kPatienceNs = 20'000'000'000;
constexpr size_t kMaxExamples = 40;

struct Counts {
  uint64_t samples = 0;
  uint64_t right = 0;
  uint64_t wrong = 0;
  uint64_t guess_right = 0;  // the method that is named, without what is inlined into it
  uint64_t guess_wrong = 0;
};

struct Check {
  walk::RuntimeFacts facts;
  core::WatchedThread main;
  core::Sampler sampler;
  os::ThreadTimer timer;
  model::FrameTable frames;
  names::MethodNames names{facts, &frames};
  uintptr_t number_method = 0;  // of the class that has the field
  uint32_t number_offset = 0;
  std::vector<std::string> methods;
  std::vector<std::vector<uint32_t>> callers;
  std::string program;
  uint64_t judged = 0;  // samples
  uint64_t others = 0;  // not in compiled code of the program
  uint64_t wanted = 0;
  uint64_t last_ns = 0;                     // CLOCK_MONOTONIC
  std::map<std::string, Counts> by_method;  // the one that ran
  std::map<std::string, uint64_t> examples;
};

// Never destroyed: the handler stays installed.
Check& TheCheck() {
  static auto* check = new Check;
  return *check;
}

// Static fields lie in the class, which the collector may move: then its lock word says where to
// (runtime/lock_word.h).
uint32_t NumberNow() {
  constexpr uint32_t kForwarded = 3;
  const Check& check = TheCheck();
  uint32_t its_class = 0;
  uint32_t lock_word = 0;
  uint32_t number = 0;
  if (!arch::GuardedLoad32(check.number_method + check.facts.layout->method_declaring_class,
                           &its_class) ||
      !arch::GuardedLoad32(its_class + 4, &lock_word))
    return 0;
  if (lock_word >> 30 == kForwarded) its_class = lock_word << 3;
  return arch::GuardedLoad32(its_class + check.number_offset, &number) ? number : 0;
}

// Before the frames of a sample, one that holds pc and number.
uint8_t WalkWithNumber(const void* facts, uintptr_t thread, const arch::Registers* registers,
                       core::FrameSink* sink) {
  sink->Push(registers->pc, NumberNow(), core::RawFrameKind::kInterpreted);
  return walk::WalkManagedStack(facts, thread, registers, sink);
}

std::string TextOf(JNIEnv* env, jobject string) {
  const auto text = static_cast<jstring>(string);
  const char* chars = env->GetStringUTFChars(text, nullptr);
  std::string result = chars;
  env->ReleaseStringUTFChars(text, chars);
  return result;
}

void TakeTables(JNIEnv* env, jobjectArray names, jobjectArray callers) {
  Check& check = TheCheck();
  for (jsize i = 0; i < env->GetArrayLength(names); ++i) {
    check.methods.push_back(TextOf(env, env->GetObjectArrayElement(names, i)));
    const auto row = static_cast<jintArray>(env->GetObjectArrayElement(callers, i));
    std::vector<jint> numbers(static_cast<size_t>(env->GetArrayLength(row)));
    env->GetIntArrayRegion(row, 0, static_cast<jsize>(numbers.size()), numbers.data());
    check.callers.emplace_back(numbers.begin(), numbers.end());
  }
}

extern "C" jboolean Bind(JNIEnv* env, jclass type, jstring release, jobjectArray names,
                         jobjectArray callers) {
  Check& check = TheCheck();
  const auto kernel_sigaction = os::KernelSigaction();
  const walk::Layout* layout = process_test::LayoutOf(env, release);
  if (layout == nullptr || core::InstallFaultRecovery(kernel_sigaction) != 0 ||
      !process_test::FindFacts(env, *layout, type, __builtin_return_address(0), &check.facts))
    return JNI_FALSE;
  TakeTables(env, names, callers);
  check.number_method = art::MethodOf(env, type, env->GetMethodID(type, "<init>", "()V"));
  // art::ArtField: class, flags, index, offset (runtime/art_field.h).
  const jfieldID number = env->GetStaticFieldID(type, "at", "I");
  memcpy(&check.number_offset, reinterpret_cast<const uint8_t*>(number) + 12, sizeof(uint32_t));
  env->SetStaticIntField(type, number, 4711);
  if (NumberNow() != 4711) {
    fprintf(stderr, "inlined leaves: the number is not where it is read\n");
    return JNI_FALSE;
  }
  check.main.tid = gettid();
  check.main.runtime_thread = art::RuntimeThreadOf(*layout, env);
  check.main.message.Publish(Token{1}, 0, 0);
  const int error = check.sampler.Start(
      {WalkWithNumber, &check.facts, &check.main, 0, kMaxDepth, 8 << 20, kernel_sigaction});
  return error == 0 && check.timer.Create(CLOCK_MONOTONIC, gettid(), check.sampler.cookie()) == 0
             ? JNI_TRUE
             : JNI_FALSE;
}

extern "C" void Begin(JNIEnv* env, jclass, jstring program, jint samples) {
  Check& check = TheCheck();
  check.program = TextOf(env, program);
  check.wanted = check.judged + static_cast<uint32_t>(samples);
  check.last_ns = core::MonotonicNs() + kPatienceNs;
  check.timer.Arm(kIntervalNs, kIntervalNs);
}

// `outer` is the method of `number`, or one that it is inlined into.
bool IsAround(uint32_t number, const std::string& outer) {
  const Check& check = TheCheck();
  if (number >= check.methods.size()) return false;
  if (check.methods[number] == outer) return true;
  for (const uint32_t caller : check.callers[number])
    if (IsAround(caller, outer)) return true;
  return false;
}

// The number that is written within the next few instructions, because methods begin or resume
// before they write their own; 0: none.
uint32_t NumberAhead(uintptr_t pc) {
  constexpr uint32_t kInstructions = 6;
  uint8_t code[96] = {};
  for (size_t i = 0; i < sizeof code; ++i)
    if (!arch::GuardedLoad8(pc + i, &code[i])) return 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < kInstructions; ++i) {
    arch::CodeFlow flow;
    if (!arch::ReadCodeFlow(code, sizeof code, at, &flow)) return 0;
    // Ends with the field's offset and the number: mov dword [register + offset], number.
    uint32_t written[2] = {};
    if (flow.bytes >= 10) memcpy(written, &code[at + flow.bytes - sizeof written], sizeof written);
    if (written[0] == TheCheck().number_offset) return written[1];
    at += flow.bytes;
    const bool goes_on = flow.flow == arch::Flow::kNext || flow.flow == arch::Flow::kBranch;
    if (!goes_on || at >= sizeof code) return 0;
  }
  return 0;
}

bool IsAheadOf(const core::RawFrame& taken, const std::string& name) {
  const uint32_t ahead = NumberAhead(static_cast<uintptr_t>(taken.method));
  return ahead != 0 && ahead < TheCheck().methods.size() && TheCheck().methods[ahead] == name;
}

// True if a method that `truth` calls or inlines has begun, but has not written yet. Called frames
// would be on the stack, so only a stack of one frame counts.
bool HasBegun(uint32_t truth, const std::string& name, uint32_t frames) {
  const Check& check = TheCheck();
  for (uint32_t i = 0; frames == 1 && i < check.methods.size(); ++i)
    if (check.methods[i] == name && std::ranges::count(check.callers[i], truth) != 0) return true;
  return false;
}

void Judge(const core::RawFrame& taken, const model::Frame& frame, const core::RawFrame& raw,
           uint32_t frames) {
  Check& check = TheCheck();
  const uint32_t number = taken.dex_pc;
  const std::string name(check.frames.String(frame.method_name));
  const std::string truth = number < check.methods.size() ? check.methods[number] : "?";
  Counts* counts = &check.by_method[truth];
  ++counts->samples;
  const bool is_guess = frame.kind == model::FrameKind::kCompiledOrInlined;
  const bool has_begun = HasBegun(number, name, frames);
  const bool is_right = name == truth || has_begun || (!is_guess && IsAheadOf(taken, name));
  if (is_guess && (has_begun || IsAround(number, name)))
    ++(is_right ? counts->guess_right : counts->guess_wrong);
  else
    ++(is_right && !is_guess ? counts->right : counts->wrong);
  if (is_right && !is_guess) return;
  char text[200];
  snprintf(text, sizeof text, "%s: %s in %s, at %u of the code: %s%s line %d",
           is_guess ? "guess" : "WRONG", truth.c_str(), check.program.c_str(), raw.dex_pc,
           name.c_str(), is_guess ? " or inlined into it" : "", frame.line);
  ++check.examples[text];
}

extern "C" jboolean Enough(JNIEnv*, jclass) {
  Check& check = TheCheck();
  core::RawSample sample;
  while (check.sampler.Peek(&sample)) {
    model::FrameId ids[names::MethodNames::kMaxFrames] = {};
    bool is_judged = false;
    if (sample.depth > 1) {
      const core::RawFrame taken = check.sampler.FrameAt(0);
      const core::RawFrame raw = check.sampler.FrameAt(1);
      const uint32_t frames = check.names.Resolve(raw, ids);
      const model::Frame& frame = check.frames.At(ids[0]);
      is_judged = (frame.kind == model::FrameKind::kCompiled ||
                   frame.kind == model::FrameKind::kCompiledOrInlined) &&
                  check.frames.ClassName(ids[0]).substr(0, 13) == "InlinedLeaves";
      if (is_judged) Judge(taken, frame, raw, frames);
    }
    ++(is_judged ? check.judged : check.others);
    check.sampler.Release(sample);
  }
  const bool is_enough = check.judged >= check.wanted || core::MonotonicNs() > check.last_ns;
  if (is_enough) check.timer.Disarm();
  return is_enough ? JNI_TRUE : JNI_FALSE;
}

extern "C" jint Report(JNIEnv*, jclass) {
  const Check& check = TheCheck();
  printf("others %" PRIu64 "\n", check.others);
  for (const auto& [method, counts] : check.by_method) {
    printf("%s: samples %" PRIu64 " right %" PRIu64 " wrong %" PRIu64 " guess_right %" PRIu64
           " guess_wrong %" PRIu64 "\n",
           method.c_str(), counts.samples, counts.right, counts.wrong, counts.guess_right,
           counts.guess_wrong);
  }
  size_t shown = 0;
  for (const auto& [text, count] : check.examples)
    if (++shown <= kMaxExamples || text[0] == 'W')
      printf("%" PRIu64 " times %s\n", count, text.c_str());
  fflush(stdout);
  return 0;
}

}  // namespace
}  // namespace stillframe

extern "C" __attribute__((visibility("default"))) jint JNI_OnLoad(JavaVM* vm, void*) {
  namespace sf = stillframe;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const JNINativeMethod natives[] = {
      sf::art::JniMethod("bind", "(Ljava/lang/String;[Ljava/lang/String;[[I)Z", sf::Bind),
      sf::art::JniMethod("begin", "(Ljava/lang/String;I)V", sf::Begin),
      sf::art::JniMethod("enough", "()Z", sf::Enough),
      sf::art::JniMethod("report", "()I", sf::Report),
  };
  const jclass type = env->FindClass("InlinedLeaves");
  return env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]) == JNI_OK
             ? JNI_VERSION_1_6
             : JNI_ERR;
}
