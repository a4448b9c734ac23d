// SPDX-License-Identifier: Apache-2.0
#include "src/entry/java_facade.h"

#include <stdint.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <stillframe/profiler.h>

#include "src/art/jni_method.h"
#include "src/collector/process.h"
#include "src/os/log.h"

namespace stillframe::entry {
namespace {

constexpr const char* kFacade = "dev/stillframe/Stillframe";
constexpr size_t kPathBytes = 4'096;

// A Java string for the C API; null stays null.
class Chars {
 public:
  Chars(JNIEnv* env, jstring string) : is_null_(string == nullptr) {
    if (is_null_) return;
    chars_.resize(static_cast<size_t>(env->GetStringUTFLength(string)));
    env->GetStringUTFRegion(string, 0, env->GetStringLength(string), chars_.data());
  }
  const char* get() const { return is_null_ ? nullptr : chars_.c_str(); }

 private:
  bool is_null_;
  std::string chars_;
};

jint Start(JNIEnv* env, jclass, jstring dump_dir) {
  if (const Chars folder(env, dump_dir); folder.get() != nullptr) {
    if (const auto status = stillframe_configure("dump_dir", folder.get());
        status == STILLFRAME_BAD_ARGUMENT)
      return status;
  }
  return stillframe_start();
}

jint Stop(JNIEnv*, jclass) { return stillframe_stop(); }

jint Configure(JNIEnv* env, jclass, jstring name, jstring value) {
  return stillframe_configure(Chars(env, name).get(), Chars(env, value).get());
}

jint ConfigureDocument(JNIEnv* env, jclass, jbyteArray document) {
  if (document == nullptr) return STILLFRAME_BAD_ARGUMENT;
  // One byte above the limit is enough for the document to be rejected.
  const jsize bytes = std::min(env->GetArrayLength(document), jsize{64 * 1024 + 1});
  std::string text(static_cast<size_t>(bytes), '\0');
  env->GetByteArrayRegion(document, 0, bytes, reinterpret_cast<jbyte*>(text.data()));
  return stillframe_configure_document(text.data(), text.size());
}

void Identify(JNIEnv* env, jclass, jstring install_id, jlong version_code) {
  stillframe_identify(Chars(env, install_id).get(), version_code);
}

jint Await(JNIEnv*, jclass, jint timeout_ms) {
  return stillframe_wait(static_cast<unsigned>(timeout_ms));
}

jstring Dump(JNIEnv* env, jclass) {
  char path[kPathBytes];
  return stillframe_dump(path, sizeof path) == STILLFRAME_OK ? env->NewStringUTF(path) : nullptr;
}

jint Annotate(JNIEnv* env, jclass, jstring name, jstring value) {
  return stillframe_annotate(Chars(env, name).get(), Chars(env, value).get());
}

void Scene(JNIEnv* env, jclass, jstring scene) { stillframe_set_scene(Chars(env, scene).get()); }

jint WatchLooper(JNIEnv*, jclass) { return stillframe_watch_looper(); }

jboolean IsEnrolled(JNIEnv* env, jclass, jstring install_id, jstring salt, jdouble percent) {
  const bool is_in =
      stillframe_is_enrolled(Chars(env, install_id).get(), Chars(env, salt).get(), percent) != 0;
  return is_in ? JNI_TRUE : JNI_FALSE;
}

jstring State(JNIEnv* env, jclass) { return env->NewStringUTF(stillframe_state()); }

jstring Group(JNIEnv* env, jclass) { return env->NewStringUTF(stillframe_group()); }

jstring Version(JNIEnv* env, jclass) { return env->NewStringUTF(stillframe_version()); }

jint NewestDump(JNIEnv*, jclass) { return static_cast<jint>(stillframe_newest_dump()); }

using AwaitFunction = stillframe_status (*)(unsigned, char*, size_t, unsigned);

jstring AwaitFile(JNIEnv* env, AwaitFunction await, jint number) {
  char path[kPathBytes];
  stillframe_status status;
  do {
    status = await(static_cast<unsigned>(number), path, sizeof path, UINT32_MAX);
  } while (status == STILLFRAME_TIMED_OUT);
  return status == STILLFRAME_OK ? env->NewStringUTF(path) : nullptr;
}

jstring AwaitDump(JNIEnv* env, jclass, jint number) {
  return AwaitFile(env, stillframe_await_dump, number);
}

jint NewestRecord(JNIEnv*, jclass) { return static_cast<jint>(stillframe_newest_record()); }

jstring AwaitRecord(JNIEnv* env, jclass, jint number) {
  return AwaitFile(env, stillframe_await_record, number);
}

jboolean KnowsExit(JNIEnv*, jclass, jint pid, jlong time_ms) {
  return collector::IsExitKnown(pid, static_cast<uint64_t>(time_ms)) ? JNI_TRUE : JNI_FALSE;
}

std::string BytesOf(JNIEnv* env, jbyteArray array) {
  if (array == nullptr) return "";
  std::string bytes(static_cast<size_t>(env->GetArrayLength(array)), '\0');
  env->GetByteArrayRegion(array, 0, static_cast<jsize>(bytes.size()),
                          reinterpret_cast<jbyte*>(bytes.data()));
  return bytes;
}

void AddExit(JNIEnv* env, jclass, jlongArray number_array, jobjectArray text_array,
             jbyteArray summary, jbyteArray traces) {
  std::array<jlong, 5> numbers = {};
  std::array<std::string, 4> texts;
  env->GetLongArrayRegion(number_array, 0, static_cast<jsize>(numbers.size()), numbers.data());
  for (size_t i = 0; i < texts.size() && env->ExceptionCheck() == JNI_FALSE; ++i) {
    auto* text =
        static_cast<jstring>(env->GetObjectArrayElement(text_array, static_cast<jsize>(i)));
    if (const Chars chars(env, text); chars.get() != nullptr) texts[i] = chars.get();
    env->DeleteLocalRef(text);
  }
  if (env->ExceptionCheck() != JNI_FALSE) return;
  collector::AddExit({.pid = static_cast<int32_t>(numbers[0]),
                      .time_ms = static_cast<uint64_t>(numbers[1]),
                      .reason = static_cast<int32_t>(numbers[2]),
                      .sub_reason = texts[0],
                      .importance = static_cast<int32_t>(numbers[3]),
                      .pss_kib = static_cast<uint64_t>(numbers[4]),
                      .process = texts[1],
                      .description = texts[2],
                      .summary = BytesOf(env, summary),
                      .trace = BytesOf(env, traces),
                      .no_trace = texts[3]});
}

jbyteArray Summary(JNIEnv* env, jclass) {
  const model::ProcessSummary summary = collector::OwnSummary();
  constexpr auto kBytes = static_cast<jsize>(summary.size());
  jbyteArray array = env->NewByteArray(kBytes);
  if (array != nullptr)
    env->SetByteArrayRegion(array, 0, kBytes, reinterpret_cast<const jbyte*>(summary.data()));
  return array;
}

}  // namespace

bool BindFacade(JNIEnv* env) {
  jclass facade = env->FindClass(kFacade);
  env->ExceptionClear();
  if (facade == nullptr) return false;
  const JNINativeMethod natives[] = {
      art::JniMethod("nativeStart", "(Ljava/lang/String;)I", Start),
      art::JniMethod("nativeStop", "()I", Stop),
      art::JniMethod("nativeConfigure", "(Ljava/lang/String;Ljava/lang/String;)I", Configure),
      art::JniMethod("nativeConfigureDocument", "([B)I", ConfigureDocument),
      art::JniMethod("nativeIdentify", "(Ljava/lang/String;J)V", Identify),
      art::JniMethod("nativeAwait", "(I)I", Await),
      art::JniMethod("nativeDump", "()Ljava/lang/String;", Dump),
      art::JniMethod("nativeAnnotate", "(Ljava/lang/String;Ljava/lang/String;)I", Annotate),
      art::JniMethod("nativeScene", "(Ljava/lang/String;)V", Scene),
      art::JniMethod("nativeWatchLooper", "()I", WatchLooper),
      art::JniMethod("nativeIsEnrolled", "(Ljava/lang/String;Ljava/lang/String;D)Z", IsEnrolled),
      art::JniMethod("nativeState", "()Ljava/lang/String;", State),
      art::JniMethod("nativeGroup", "()Ljava/lang/String;", Group),
      art::JniMethod("nativeVersion", "()Ljava/lang/String;", Version),
      art::JniMethod("nativeNewestDump", "()I", NewestDump),
      art::JniMethod("nativeAwaitDump", "(I)Ljava/lang/String;", AwaitDump),
      art::JniMethod("nativeNewestRecord", "()I", NewestRecord),
      art::JniMethod("nativeAwaitRecord", "(I)Ljava/lang/String;", AwaitRecord),
      art::JniMethod("nativeKnowsExit", "(IJ)Z", KnowsExit),
      art::JniMethod("nativeAddExit", "([J[Ljava/lang/String;[B[B)V", AddExit),
      art::JniMethod("nativeSummary", "()[B", Summary),
  };
  const bool is_bound = env->RegisterNatives(facade, natives, std::size(natives)) == JNI_OK;
  env->ExceptionClear();
  env->DeleteLocalRef(facade);
  if (!is_bound)
    os::Log("the class dev.stillframe.Stillframe is of another version than this library");
  return is_bound;
}

}  // namespace stillframe::entry
