// SPDX-License-Identifier: Apache-2.0
// The natives of QuickCode.java: learns the stacks of its chains while ART runs them, then compares
// those of the same chains over compiled methods.
// Context: natives of QuickCode.java, on its main thread
#include <jni.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "src/art/jni_method.h"
#include "tests/testbed/oracle/art_oracle.h"
#include "tests/testbed/quick_code/chain_truth.h"
#include "tests/testbed/quick_code/fixture.h"
#include "tests/testbed/quick_code/stepper.h"

namespace testbed::quick_code {
namespace {

// The chain that is NterpWork.work.
constexpr int kNterpWork = -1;

constexpr int kLongestShortChain = 0xfff;

enum Phase { kLearn, kCompare, kSweep, kAnywhere };

struct Seen {
  std::vector<OracleFrame> stack;  // by StackVisitor
  std::string trace;               // by Thread.getStackTrace
};

struct Check {
  ArtOracle oracle;
  Fixture fixture;
  ChainTruth chain_truth{fixture};
  NterpTruth nterp_truth{fixture};
  AnywhereTruth anywhere_truth{chain_truth};
  Stepper stepper;
  int phase = kLearn;
  int chain = 0;
  std::map<int, Seen> learned;  // by chain
  uint32_t compared = 0;
  uint32_t different = 0;
};

// Never destroyed: methods run its code until the process ends.
Check& TheCheck() {
  static auto* check = new Check;
  return *check;
}

std::string TraceOf(JNIEnv* env, jclass type) {
  const jmethodID trace = env->GetStaticMethodID(type, "trace", "()Ljava/lang/String;");
  const auto text = static_cast<jstring>(env->CallStaticObjectMethod(type, trace));
  const char* chars = env->GetStringUTFChars(text, nullptr);
  std::string result = chars != nullptr ? chars : "";
  if (chars != nullptr) env->ReleaseStringUTFChars(text, chars);
  return result;
}

void PrintDifference(int chain, const Seen& learned, const Seen& seen) {
  fprintf(stderr, "chain %x\n", static_cast<unsigned>(chain));
  for (const Seen* side : {&learned, &seen}) {
    fprintf(stderr, "%s, by StackVisitor:\n", side == &learned ? "interpreted" : "compiled");
    for (const OracleFrame& frame : side->stack)
      fprintf(stderr, "  %s at %u\n", ArtOracle::PrettyMethod(frame.method).c_str(), frame.dex_pc);
    fprintf(stderr, "by Java:\n%s", side->trace.c_str());
  }
}

extern "C" void Begin(JNIEnv* env, jclass, jint phase, jint chain) {
  Check& check = TheCheck();
  check.phase = phase;
  check.chain = chain;
  if (phase == kAnywhere) {
    // Learned while main called run; now there are other frames between.
    const auto outer = ArtOracle::WalkByStackVisitor(ArtOracle::ThreadOf(env));
    std::vector<OracleFrame> learned = check.learned[chain].stack;
    learned.pop_back();
    learned.insert(learned.end(), outer.begin() + 2, outer.end());
    check.chain_truth.Begin(learned, static_cast<uint32_t>(chain));
    check.stepper.NoteCode(true);
    check.anywhere_truth.SetRunning(true);
  }
  if (phase != kSweep) return;
  const std::vector<OracleFrame>& learned = check.learned[chain].stack;
  // Short chains meet compiled code for the first time; long ones when samples of it were resolved.
  check.stepper.NoteCode(chain > kLongestShortChain);
  if (chain != kNterpWork) {
    check.chain_truth.Begin(learned, static_cast<uint32_t>(chain));
    check.stepper.Start(&check.chain_truth);
  } else if (learned.size() > 2) {
    check.nterp_truth.Begin({learned.begin() + 2, learned.end()}, learned[1].method);
    check.stepper.Start(&check.nterp_truth);
  }
}

extern "C" void End(JNIEnv*, jclass) {
  TheCheck().stepper.Stop();
  TheCheck().anywhere_truth.SetRunning(false);
}

extern "C" void Sample(JNIEnv*, jclass, jint microseconds) {
  Check& check = TheCheck();
  if (!check.stepper.Sample(static_cast<uint64_t>(microseconds) * 1000, &check.anywhere_truth))
    fprintf(stderr, "quick code: no timer\n");
}

extern "C" jint Probe(JNIEnv* env, jclass type, jint) {
  Check& check = TheCheck();
  if (check.phase >= kSweep) return 1;
  Seen seen = {ArtOracle::WalkByStackVisitor(ArtOracle::ThreadOf(env)), TraceOf(env, type)};
  if (check.phase == kLearn) {
    check.fixture.Learn(seen.stack);
    check.learned[check.chain] = std::move(seen);
    return 1;
  }
  ++check.compared;
  const Seen& learned = check.learned[check.chain];
  if (seen.stack != learned.stack || seen.trace != learned.trace) {
    if (++check.different == 1) PrintDifference(check.chain, learned, seen);
  }
  return 1;
}

extern "C" jint Thrower(JNIEnv* env, jclass type, jint code) {
  Probe(env, type, code);
  // Made while the stacks are learned: no constructor may run where each step counts.
  static jobject exception = nullptr;
  if (exception == nullptr) {
    env->ThrowNew(env->FindClass("java/lang/IllegalStateException"), "thrower");
    exception = env->NewGlobalRef(env->ExceptionOccurred());
  } else {
    env->Throw(static_cast<jthrowable>(exception));
  }
  return 0;
}

extern "C" jint Through(JNIEnv* env, jclass type, jint code) {
  const auto next = static_cast<Kind>(code & 15);
  return next < kKinds
             ? env->CallStaticIntMethod(type, TheCheck().fixture.IdOf(next), code >> 4) + 1
             : 0;
}

void AddPlace(PlaceKind kind, const char* name, uintptr_t begin, size_t bytes, size_t assembled) {
  Place place;
  place.kind = kind;
  place.name = name;
  place.begin = begin;
  place.end = begin + bytes;
  place.assembled = assembled;
  TheCheck().stepper.AddPlace(std::move(place));
}

// The compiled methods come first, as ChainTruth wants it.
bool OpenStepper(JavaVM* vm, JNIEnv* env, int release, std::string* why) {
  const Fixture& fixture = TheCheck().fixture;
  if (!TheCheck().stepper.Open(vm, env, release, fixture.IdOf(kNterp), fixture.IdOf(kProbe), why))
    return false;
  for (const Installed& installed : fixture.installed()) {
    AddPlace(PlaceKind::kCompiled, NameOf(installed.kind), installed.entry,
             installed.method.code.size(), installed.method.instructions.size());
    for (const Safepoint& safepoint : installed.method.description.safepoints) {
      for (const InlinedMethod& inlined : safepoint.inlined)
        if (inlined.is_by_index)
          TheCheck().stepper.AddIndex(inlined.method_index, inlined.art_method);
    }
  }
  if (fixture.HasNterp()) {
    // The size of the code lies before its entry point.
    const uintptr_t entry = fixture.EntryOf(kNterp);
    uint32_t bytes = 0;
    memcpy(&bytes, reinterpret_cast<const void*>(entry - sizeof bytes), sizeof bytes);
    AddPlace(PlaceKind::kNterp, "nterp code", entry, bytes, 0);
  }
  return true;
}

extern "C" jboolean Install(JNIEnv* env, jclass, jint release, jboolean sweeps) {
  Check& check = TheCheck();
  JavaVM* vm = nullptr;
  std::string why = "no VM";
  if (env->GetJavaVM(&vm) == JNI_OK && check.fixture.Install(release, vm, &why) &&
      (!sweeps || OpenStepper(vm, env, release, &why)))
    return JNI_TRUE;
  fprintf(stderr, "quick code: %s\n", why.c_str());
  return JNI_FALSE;
}

extern "C" jint Report(JNIEnv*, jclass) {
  const Check& check = TheCheck();
  printf("stacks %u different %u\n", check.compared, check.different);
  bool is_fine = check.different == 0;
  for (const Place& place : check.stepper.places()) {
    if (place.steps == 0) continue;
    printf("%-12s assembled %zu visited %zu steps %" PRIu64 " right %" PRIu64 " truncated %" PRIu64
           " wrong %" PRIu64 "\n",
           place.name.c_str(), place.assembled, place.Visited(), place.steps, place.right,
           place.truncated, place.wrong);
    is_fine = is_fine && place.wrong == 0 &&
              (check.phase != kSweep || place.Visited() >= place.assembled);
  }
  for (const std::string& wrong : check.stepper.DescribeWrong()) printf("%s", wrong.c_str());
  for (const std::string& truncation : check.stepper.DescribeTruncations())
    printf("%s\n", truncation.c_str());
  fflush(stdout);
  return is_fine ? 0 : 1;
}

}  // namespace
}  // namespace testbed::quick_code

extern "C" __attribute__((visibility("default"))) jboolean Java_QuickCode_bind(JNIEnv* env,
                                                                               jclass type) {
  using stillframe::art::JniMethod;
  namespace qc = testbed::quick_code;
  const JNINativeMethod natives[] = {
      JniMethod("begin", "(II)V", qc::Begin),     JniMethod("end", "()V", qc::End),
      JniMethod("install", "(IZ)Z", qc::Install), JniMethod("report", "()I", qc::Report),
      JniMethod("probe", "(I)I", qc::Probe),      JniMethod("through", "(I)I", qc::Through),
      JniMethod("thrower", "(I)I", qc::Thrower),  JniMethod("sample", "(I)V", qc::Sample),
  };
  env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]);
  JavaVM* vm = nullptr;
  return env->GetJavaVM(&vm) == JNI_OK && qc::TheCheck().oracle.Open(vm) &&
         qc::TheCheck().fixture.Open(env, type);
}
