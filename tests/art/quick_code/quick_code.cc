// The natives of QuickCode.java: learns the stacks of its chains while ART runs them, then compares
// those of the same chains over compiled methods.
// Context: natives of QuickCode.java, on its main thread
#include <jni.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "src/art/jni_method.h"
#include "tests/art/oracle/art_oracle.h"
#include "tests/art/quick_code/fixture.h"

namespace testbed::quick_code {
namespace {

enum Phase { kLearn, kCompare };

struct Seen {
  std::vector<OracleFrame> stack;  // by StackVisitor
  std::string trace;               // by Thread.getStackTrace
};

struct Check {
  Fixture fixture;
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
    for (const OracleFrame& frame : side->stack) {
      fprintf(stderr, "  %s at %u\n", ArtOracle::PrettyMethod(frame.method).c_str(), frame.dex_pc);
    }
    fprintf(stderr, "by Java:\n%s", side->trace.c_str());
  }
}

extern "C" void Begin(JNIEnv*, jclass, jint phase, jint chain) {
  TheCheck().phase = phase;
  TheCheck().chain = chain;
}

extern "C" void End(JNIEnv*, jclass) {}

extern "C" jint Probe(JNIEnv* env, jclass type, jint) {
  Check& check = TheCheck();
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

extern "C" jint Through(JNIEnv* env, jclass type, jint code) {
  const auto next = static_cast<Kind>(code & 15);
  return next < kKinds
             ? env->CallStaticIntMethod(type, TheCheck().fixture.IdOf(next), code >> 4) + 1
             : 0;
}

extern "C" jboolean Install(JNIEnv* env, jclass, jint release) {
  JavaVM* vm = nullptr;
  std::string why = "no VM";
  if (env->GetJavaVM(&vm) == JNI_OK && TheCheck().fixture.Install(release, vm, &why)) {
    return JNI_TRUE;
  }
  fprintf(stderr, "quick code: %s\n", why.c_str());
  return JNI_FALSE;
}

extern "C" jint Report(JNIEnv*, jclass) {
  const Check& check = TheCheck();
  printf("stacks %u different %u\n", check.compared, check.different);
  fflush(stdout);
  return static_cast<jint>(check.different);
}

}  // namespace
}  // namespace testbed::quick_code

extern "C" __attribute__((visibility("default"))) void Java_QuickCode_bind(JNIEnv* env,
                                                                           jclass type) {
  using stillframe::art::JniMethod;
  namespace qc = testbed::quick_code;
  const JNINativeMethod natives[] = {
      JniMethod("begin", "(II)V", qc::Begin),    JniMethod("end", "()V", qc::End),
      JniMethod("install", "(I)Z", qc::Install), JniMethod("report", "()I", qc::Report),
      JniMethod("probe", "(I)I", qc::Probe),     JniMethod("through", "(I)I", qc::Through),
  };
  env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]);
  if (!qc::TheCheck().fixture.Open(env, type)) {
    fprintf(stderr, "quick code: a method of QuickCode.java is missing\n");
  }
}
