// SPDX-License-Identifier: Apache-2.0
// In which file's code the callers of a native method run: the JIT's code cache, an oat file or
// libart itself.
// Context: natives of Modes.java, in an ART process.
#include <jni.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/testbed/oracle/art_declarations.h"

namespace {

// The native method's own frame is always a quick frame and the first that is visited.
class CallerPc : public art::StackVisitor {
 public:
  explicit CallerPc(art::Thread* thread)
      : StackVisitor(thread, nullptr, StackWalkKind::kSkipInlinedFrames, false) {}

  bool VisitFrame() override {
    pc_ = GetReturnPc();
    return false;
  }

  uintptr_t pc() const { return pc_; }

 private:
  uintptr_t pc_ = 0;
};

std::string MappingOf(uintptr_t pc) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    int name = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &begin, &end,
                    &name) == 2 &&
        begin <= pc && pc < end)
      return line.substr(static_cast<size_t>(name));
  }
  return "nothing";
}

const char* KindOf(const std::string& mapping) {
  const auto has = [&](const char* part) { return mapping.find(part) != std::string::npos; };
  if (has("jit-cache") || has("jit-code-cache")) return "jit";
  if (has(".odex")) return "application";
  if (has("boot.oat")) return "boot";
  return has("libart.so") ? "libart" : "other";
}

jstring Caller(JNIEnv* env) {
  void* thread = reinterpret_cast<void**>(env)[1];  // runtime/jni/jni_env_ext.h: {functions, self_}
  CallerPc visitor(static_cast<art::Thread*>(thread));
  visitor.WalkStack<art::StackVisitor::CountTransitions::kNo>(false);
  return env->NewStringUTF(KindOf(MappingOf(visitor.pc())));
}

}  // namespace

extern "C" JNIEXPORT jstring JNICALL Java_Modes_caller(JNIEnv* env, jclass) { return Caller(env); }

extern "C" JNIEXPORT jint JNICALL Java_Modes_00024Order_compare(JNIEnv* env, jobject self, jobject,
                                                                jobject) {
  jclass order = env->GetObjectClass(self);
  env->SetObjectField(self, env->GetFieldID(order, "caller", "Ljava/lang/String;"), Caller(env));
  return 1;
}

// A pointer is aligned, an index is odd (runtime/jni/jni_id_manager.h).
extern "C" JNIEXPORT jboolean JNICALL Java_Modes_idsAreIndices(JNIEnv* env, jclass modes) {
  const jmethodID id = env->GetStaticMethodID(modes, "idsAreIndices", "()Z");
  return (reinterpret_cast<uintptr_t>(id) & 1) != 0 ? JNI_TRUE : JNI_FALSE;
}

extern "C" JNIEXPORT jboolean JNICALL Java_Modes_isDebuggable(JNIEnv* env, jclass) {
  jclass runtime = env->FindClass("dalvik/system/VMRuntime");
  jobject self = env->CallStaticObjectMethod(
      runtime, env->GetStaticMethodID(runtime, "getRuntime", "()Ldalvik/system/VMRuntime;"));
  return env->CallBooleanMethod(self, env->GetMethodID(runtime, "isJavaDebuggable", "()Z"));
}
