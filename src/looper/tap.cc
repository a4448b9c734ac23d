#include "src/looper/tap.h"

#include <iterator>

#include "src/art/jni_method.h"

namespace stillframe::looper {
namespace {

// Built from src/looper/java by tools/tap-dex; a test checks that building it again gives the same
// bytes.
constexpr uint8_t kTapDex[] = {
#include "src/looper/tap_dex.inc"
};

Recorder* RecorderAt(jlong address) { return reinterpret_cast<Recorder*>(address); }

// Modified UTF-8 of a string for the time of a call; "" for null.
class Chars {
 public:
  Chars(JNIEnv* env, jstring string)
      : env_(env),
        string_(string),
        chars_(string != nullptr ? env->GetStringUTFChars(string, nullptr) : nullptr) {}
  ~Chars() {
    if (chars_ != nullptr) env_->ReleaseStringUTFChars(string_, chars_);
  }
  Chars(const Chars&) = delete;
  Chars& operator=(const Chars&) = delete;
  const char* get() const { return chars_ != nullptr ? chars_ : ""; }

 private:
  JNIEnv* env_;
  jstring string_;
  const char* chars_;
};

// @CriticalNative: no JNIEnv, no class.
void TapBegin(jlong recorder) { RecorderAt(recorder)->Begin(); }
jboolean TapEnd(jlong recorder) { return RecorderAt(recorder)->End() ? JNI_TRUE : JNI_FALSE; }

void TapDescribe(JNIEnv* env, jclass, jlong recorder, jstring target, jstring callback, jint what,
                 jlong when_ms, jboolean threw) {
  RecorderAt(recorder)->Describe(Chars(env, target).get(), Chars(env, callback).get(), what,
                                 when_ms, threw != JNI_FALSE);
}

void TapDescribeText(JNIEnv* env, jclass, jlong recorder, jstring dispatching) {
  RecorderAt(recorder)->DescribeText(Chars(env, dispatching).get());
}

// Clears a pending exception; true when there was one.
bool Threw(JNIEnv* env) {
  if (!env->ExceptionCheck()) return false;
  env->ExceptionClear();
  return true;
}

}  // namespace

const char* TapName(TapKind kind) {
  switch (kind) {
    case TapKind::kNone: return "none";
    case TapKind::kObserver: return "observer";
    case TapKind::kPrinter: return "printer";
  }
  return "unknown";
}

bool Tap::LoadClasses(JNIEnv* env, std::string* why) {
  *why =
      "the tap's classes cannot be loaded: no dalvik.system.InMemoryDexClassLoader (API 26 and "
      "later)";
  jclass type = env->FindClass("dalvik/system/InMemoryDexClassLoader");
  if (Threw(env) || type == nullptr) return false;
  const jmethodID constructor =
      env->GetMethodID(type, "<init>", "(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V");
  if (Threw(env) || constructor == nullptr) return false;
  // The class loader copies the bytes and does not write to them.
  jobject buffer = env->NewDirectByteBuffer(const_cast<uint8_t*>(kTapDex), sizeof kTapDex);
  *why = "the tap's classes cannot be loaded: the class loader refused them";
  if (Threw(env) || buffer == nullptr) return false;
  jobject loader = env->NewObject(type, constructor, buffer, nullptr);
  if (Threw(env) || loader == nullptr) return false;
  loader_ = env->NewGlobalRef(loader);
  self_check_ = LoadClass(env, "stillframe.SelfCheck");
  if (self_check_ == nullptr || !RegisterNatives(env)) return false;
  why->clear();
  return true;
}

jclass Tap::LoadClass(JNIEnv* env, const char* name) {
  jclass type = env->GetObjectClass(loader_);
  const jmethodID load =
      env->GetMethodID(type, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
  if (Threw(env) || load == nullptr) return nullptr;
  jstring string = env->NewStringUTF(name);
  jobject loaded = env->CallObjectMethod(loader_, load, string);
  if (Threw(env) || loaded == nullptr) return nullptr;
  return static_cast<jclass>(env->NewGlobalRef(loaded));
}

bool Tap::RegisterNatives(JNIEnv* env) {
  const JNINativeMethod natives[] = {
      art::JniMethod("begin", "(J)V", TapBegin),
      art::JniMethod("end", "(J)Z", TapEnd),
      art::JniMethod("describe", "(JLjava/lang/String;Ljava/lang/String;IJZ)V", TapDescribe),
      art::JniMethod("describeText", "(JLjava/lang/String;)V", TapDescribeText),
  };
  jclass tap = LoadClass(env, "stillframe.Tap");
  if (tap == nullptr) return false;
  const bool ok = env->RegisterNatives(tap, natives, std::size(natives)) == JNI_OK;
  return !Threw(env) && ok;
}

bool Tap::InstallObserver(JNIEnv* env, Recorder* recorder, std::string* why) {
  *why = "no Looper.Observer on this platform";
  jclass looper = env->FindClass("android/os/Looper");
  if (Threw(env) || looper == nullptr) return false;
  const jfieldID field = env->GetStaticFieldID(looper, "sObserver", "Landroid/os/Looper$Observer;");
  if (Threw(env) || field == nullptr) return false;
  if (env->GetStaticObjectField(looper, field) != nullptr) {
    *why = "another component holds Looper's observer";
    return false;
  }
  jclass type = LoadClass(env, "stillframe.ObserverTap");
  if (type == nullptr) return false;
  const jmethodID constructor = env->GetMethodID(type, "<init>", "(J)V");
  if (Threw(env) || constructor == nullptr) return false;
  jobject observer = env->NewObject(type, constructor, reinterpret_cast<jlong>(recorder));
  if (Threw(env) || observer == nullptr) return false;
  env->SetStaticObjectField(looper, field, observer);
  if (Threw(env)) return false;
  why->clear();
  return true;
}

bool Tap::InstallPrinter(JNIEnv* env, Recorder* recorder, std::string* why) {
  *why = "no android.os.Looper in this process";
  jclass looper = env->FindClass("android/os/Looper");
  if (Threw(env) || looper == nullptr) return false;
  const jmethodID get_main =
      env->GetStaticMethodID(looper, "getMainLooper", "()Landroid/os/Looper;");
  const jmethodID set_printer =
      env->GetMethodID(looper, "setMessageLogging", "(Landroid/util/Printer;)V");
  const jfieldID logging = env->GetFieldID(looper, "mLogging", "Landroid/util/Printer;");
  if (Threw(env) || get_main == nullptr || set_printer == nullptr || logging == nullptr)
    return false;
  jobject main = env->CallStaticObjectMethod(looper, get_main);
  if (Threw(env)) return false;
  why->clear();
  if (main == nullptr) return false;
  *why = "the printer tap's class does not fit this platform";
  jclass type = LoadClass(env, "stillframe.PrinterTap");
  if (type == nullptr) return false;
  const jmethodID constructor = env->GetMethodID(type, "<init>", "(JLandroid/util/Printer;)V");
  if (Threw(env) || constructor == nullptr) return false;
  jobject before = env->GetObjectField(main, logging);
  jobject printer = env->NewObject(type, constructor, reinterpret_cast<jlong>(recorder), before);
  if (Threw(env) || printer == nullptr) return false;
  env->CallVoidMethod(main, set_printer, printer);
  if (Threw(env)) return false;
  why->clear();
  return true;
}

}  // namespace stillframe::looper
