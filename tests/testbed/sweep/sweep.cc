// SPDX-License-Identifier: Apache-2.0
// The natives of Sweep.java: runs a program one instruction at a time and walks after each.
// Context: an ART process, its main thread
#include <jni.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "src/art/jni_method.h"
#include "tests/testbed/oracle/art_oracle.h"
#include "tests/testbed/quick_code/stepper.h"
#include "tests/testbed/sweep/call_truth.h"

namespace testbed::sweep {
namespace {

using quick_code::Place;
using quick_code::PlaceKind;

struct Check {
  ArtOracle oracle;
  CallTruth truth;
  quick_code::Stepper stepper;
  uint32_t programs = 0;
};

// Never destroyed: its handlers stay.
Check& TheCheck() {
  static auto* check = new Check;
  return *check;
}

Place CodePlace(PlaceKind kind, const std::string& name, uintptr_t begin, uintptr_t end) {
  Place place;
  place.kind = kind;
  place.name = name;
  place.begin = begin;
  place.end = end;
  return place;
}

// The name for compiled code in a mapping; empty: the mapping has none.
std::string CodeNameOf(const std::string& mapping) {
  const auto has = [&](const char* part) { return mapping.find(part) != std::string::npos; };
  if (has("jit-cache") || has("jit-code-cache")) return "jit code";
  if (has("boot.oat")) return "boot image code";
  return has(".odex") ? "application code" : "";
}

// A class loader may map the code of its classes anew.
void FindCodeOfCompiler() {
  std::vector<Place> places;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char mode[8] = {};
    int name = 0;
    if (sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %7s %*s %*s %*s %n", &begin, &end, mode,
               &name) < 3 ||
        mode[2] != 'x')
      continue;
    const std::string code = CodeNameOf(line.substr(static_cast<size_t>(name)));
    if (!code.empty()) places.push_back(CodePlace(PlaceKind::kCompiled, code, begin, end));
  }
  TheCheck().stepper.SetCode(places);
}

extern "C" jboolean Open(JNIEnv* env, jclass, jint release, jclass untouched) {
  Check& check = TheCheck();
  JavaVM* vm = nullptr;
  std::string why = "no VM, or no oracle";
  const bool is_open =
      env->GetJavaVM(&vm) == JNI_OK && check.oracle.Open(vm) &&
      check.stepper.Open(vm, env, release, env->GetMethodID(untouched, "<init>", "()V"),
                         env->GetMethodID(untouched, "neverCalled", "()V"), &why);
  if (!is_open) {
    fprintf(stderr, "sweep: %s\n", why.c_str());
    return JNI_FALSE;
  }
  check.truth.Open(*check.stepper.facts().layout);
  FindCodeOfCompiler();
  const auto& facts = check.stepper.facts();
  if (facts.nterp_begin != 0)
    check.stepper.AddPlace(
        CodePlace(PlaceKind::kNterp, "nterp code", facts.nterp_begin, facts.nterp_end));
  return JNI_TRUE;
}

// Runs work.run(seed) step by step.
extern "C" jint Run(JNIEnv* env, jclass, jobject work, jint seed, jboolean notes) {
  Check& check = TheCheck();
  const jmethodID run = env->GetMethodID(env->GetObjectClass(work), "run", "(I)I");
  std::vector<uint64_t> below;
  for (const OracleFrame& frame : ArtOracle::WalkByStackVisitor(ArtOracle::ThreadOf(env)))
    below.push_back(frame.method);
  check.truth.Begin(below, check.programs++);
  FindCodeOfCompiler();
  check.stepper.NoteCode(notes != JNI_FALSE);
  check.stepper.Start(&check.truth);
  const jint result = env->CallIntMethod(work, run, seed);
  check.stepper.Stop();
  return result;
}

// Native code that calls back.
extern "C" jint Through(JNIEnv* env, jclass, jobject work, jint seed) {
  return env->CallIntMethod(work, env->GetMethodID(env->GetObjectClass(work), "run", "(I)I"),
                            seed) +
         1;
}

extern "C" jint Leaf(JNIEnv*, jclass, jint seed) { return seed * 3; }

// How many of the methods that a class declares have compiled code of their own.
extern "C" jint Compiled(JNIEnv* env, jclass, jobjectArray methods) {
  jint compiled = 0;
  for (jsize i = 0; i < env->GetArrayLength(methods); ++i) {
    const jobject method = env->GetObjectArrayElement(methods, i);
    compiled +=
        TheCheck().stepper.IsInCode(reinterpret_cast<uintptr_t>(env->FromReflectedMethod(method)));
    env->DeleteLocalRef(method);
  }
  return compiled;
}

// Steps in code that ART's compiler made.
uint64_t CompiledSteps() {
  uint64_t steps = 0;
  for (const Place& place : TheCheck().stepper.places())
    if (place.kind == PlaceKind::kCompiled) steps += place.steps;
  return steps;
}

extern "C" jlong Steps(JNIEnv*, jclass) { return static_cast<jlong>(CompiledSteps()); }

// One place for all mappings of the same kind of code.
std::vector<Place> PlacesByName() {
  std::vector<Place> sums;
  for (const Place& place : TheCheck().stepper.places()) {
    if (place.steps == 0) continue;
    Place* sum = nullptr;
    for (Place& known : sums)
      if (known.name == place.name) sum = &known;
    if (sum == nullptr) {
      sums.push_back(place);
      continue;
    }
    sum->visited.insert(sum->visited.end(), place.visited.begin(), place.visited.end());
    sum->steps += place.steps;
    sum->right += place.right;
    sum->truncated += place.truncated;
    sum->wrong += place.wrong;
  }
  return sums;
}

extern "C" jint Report(JNIEnv*, jclass) {
  const Check& check = TheCheck();
  uint64_t wrong = check.truth.counts().wrong_handlers;
  for (const Place& place : PlacesByName()) {
    printf("%-16s visited %zu steps %" PRIu64 " right %" PRIu64 " truncated %" PRIu64
           " wrong %" PRIu64 "\n",
           place.name.c_str(), place.Visited(), place.steps, place.right, place.truncated,
           place.wrong);
    wrong += place.wrong;
  }
  const CallTruth::Counts& counts = check.truth.counts();
  printf("methods entered %" PRIu64 " frames replaced %" PRIu64 " lost %" PRIu64 "\n",
         counts.entered, counts.replaced, counts.lost);
  if (counts.wrong_handlers != 0)
    printf("handlers that were not entered %" PRIu64 "\n", counts.wrong_handlers);
  for (const std::string& example : check.stepper.DescribeWrong()) printf("%s", example.c_str());
  for (const std::string& truncation : check.stepper.DescribeTruncations())
    printf("%s\n", truncation.c_str());
  fflush(stdout);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace testbed::sweep

extern "C" __attribute__((visibility("default"))) void Java_Sweep_bind(JNIEnv* env, jclass type) {
  using stillframe::art::JniMethod;
  namespace sw = testbed::sweep;
  const JNINativeMethod natives[] = {
      JniMethod("open", "(ILjava/lang/Class;)Z", sw::Open),
      JniMethod("run", "(LSweep$Work;IZ)I", sw::Run),
      JniMethod("through", "(LSweep$Work;I)I", sw::Through),
      JniMethod("leaf", "(I)I", sw::Leaf),
      JniMethod("compiled", "([Ljava/lang/Object;)I", sw::Compiled),
      JniMethod("steps", "()J", sw::Steps),
      JniMethod("report", "()I", sw::Report),
  };
  env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]);
}
