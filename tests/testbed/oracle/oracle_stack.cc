// SPDX-License-Identifier: Apache-2.0
// The oracle's view, which OracleStack.java compares with stack traces.
// Context: natives
// of OracleStack
#include <jni.h>

#include "tests/testbed/oracle/art_oracle.h"

namespace {

testbed::ArtOracle& TheOracle() {
  static auto* oracle = new testbed::ArtOracle;
  return *oracle;
}

jobjectArray Names(JNIEnv* env, const std::vector<testbed::OracleFrame>& frames) {
  const auto count = static_cast<jsize>(frames.size());
  jobjectArray names = env->NewObjectArray(count, env->FindClass("java/lang/String"), nullptr);
  for (jsize i = 0; i < count; ++i) {
    jstring name = env->NewStringUTF(
        testbed::ArtOracle::PrettyMethod(frames[static_cast<size_t>(i)].method).c_str());
    env->SetObjectArrayElement(names, i, name);
    env->DeleteLocalRef(name);
  }
  return names;
}

}  // namespace

extern "C" JNIEXPORT jboolean JNICALL Java_OracleStack_open(JNIEnv* env, jclass) {
  JavaVM* vm = nullptr;
  return env->GetJavaVM(&vm) == JNI_OK && TheOracle().Open(vm) ? JNI_TRUE : JNI_FALSE;
}

// The calling thread's, which is in this native method.
extern "C" JNIEXPORT jobjectArray JNICALL Java_OracleStack_ownStack(JNIEnv* env, jclass) {
  return Names(env, testbed::ArtOracle::WalkByStackVisitor(testbed::ArtOracle::ThreadOf(env)));
}

extern "C" JNIEXPORT jint JNICALL Java_OracleStack_ownId(JNIEnv* env, jclass) {
  return static_cast<jint>(testbed::ArtOracle::IdOf(testbed::ArtOracle::ThreadOf(env)));
}

// Another thread's, stopped for it; null when it does not stop.
extern "C" JNIEXPORT jobjectArray JNICALL Java_OracleStack_stackOf(JNIEnv* env, jclass, jint id) {
  void* thread = TheOracle().SuspendById(static_cast<uint32_t>(id));
  if (thread == nullptr) return nullptr;
  const auto frames = testbed::ArtOracle::WalkByStackVisitor(thread);
  TheOracle().Resume(thread);
  return Names(env, frames);
}
