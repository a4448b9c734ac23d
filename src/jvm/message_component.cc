// SPDX-License-Identifier: Apache-2.0
// Classes and fields by AOSP 8-16: core/java/android/app/{ActivityThread,servertransaction/
// ClientTransaction,servertransaction/LaunchActivityItem}.java, core/java/android/content/{Intent,
// ComponentName,pm/PackageItemInfo}.java.
#include "src/jvm/message_component.h"

#include <algorithm>
#include <cstdint>

#include "src/art/framework_members.h"

namespace stillframe::jvm {
namespace {

namespace framework = art::framework;

constexpr jint kLocalReferences = 128;
constexpr jint kMaxItems = 8;  // of a transaction
constexpr size_t kMaxTextBytes = 300;

enum class Holds : uint8_t { kIntent, kInfo, kItems, kItem };

// Fields that identify the component, in order of preference.
struct Source {
  framework::Field field;
  Holds holds;
};
constexpr Source kSources[] = {
    {framework::kReceiverIntent, Holds::kIntent},
    {framework::kReceiverInfo, Holds::kInfo},
    {framework::kCreateServiceInfo, Holds::kInfo},
    {framework::kServiceArgsIntent, Holds::kIntent},
    {framework::kBindServiceIntent, Holds::kIntent},
    // Up to 8; transactions since 9.
    {framework::kActivityIntent, Holds::kIntent},
    {framework::kTransactionItems, Holds::kItems},  // since 15
    {framework::kActivityCallbacks, Holds::kItems},
    {framework::kLifecycleRequest, Holds::kItem},
};

// `class_name` as Class.getName gives it: with dots.
bool IsOf(const Source& source, std::string_view class_name) {
  return std::ranges::equal(
      std::string_view(source.field.owner), class_name,
      [](char jni, char java) { return java == (jni == '/' ? '.' : jni); });
}

// Reads that return null, zero or "" after any failure, and leave no exception.
class ObjectReader {
 public:
  explicit ObjectReader(JNIEnv* env) : env_(env) {}

  jobject Object(jobject of, framework::Field row) const {
    const jfieldID field = Find(of, row);
    return field != nullptr ? env_->GetObjectField(of, field) : nullptr;
  }

  std::string Text(jobject of, framework::Field row) const {
    return TextOf(static_cast<jstring>(Object(of, row)));
  }

  std::string ClassName(jobject object) const {
    jclass type = env_->FindClass(framework::kClass);
    const jmethodID get_name = Threw() ? nullptr : IdOf(env_, type, framework::kClassName);
    if (Threw() || get_name == nullptr) return {};
    return TextOf(
        static_cast<jstring>(env_->CallObjectMethod(env_->GetObjectClass(object), get_name)));
  }

  // Calls use(element) for the first elements of an ArrayList. Other lists are skipped: their code
  // might do anything.
  template <typename Use>
  void ForEachOf(jobject list, const Use& use) const {
    if (ClassName(list) != "java.util.ArrayList") return;
    const jmethodID size = IdByObject(env_, list, framework::kListSize);
    if (Threw()) return;
    const jmethodID get = IdByObject(env_, list, framework::kListGet);
    const jint count = Threw() ? 0 : std::min(env_->CallIntMethod(list, size), kMaxItems);
    for (jint i = 0; i < count && !Threw(); ++i) {
      jobject element = env_->CallObjectMethod(list, get, i);
      if (Threw() || element == nullptr) return;
      use(element);
    }
  }

 private:
  bool Threw() const {
    if (!env_->ExceptionCheck()) return false;
    env_->ExceptionClear();
    return true;
  }

  jfieldID Find(jobject of, framework::Field row) const {
    if (of == nullptr) return nullptr;
    const jfieldID field = IdByObject(env_, of, row);
    return Threw() ? nullptr : field;
  }

  std::string TextOf(jstring text) const {
    if (Threw() || text == nullptr) return {};
    const char* chars = env_->GetStringUTFChars(text, nullptr);
    std::string result = chars != nullptr ? chars : "";
    if (chars != nullptr) env_->ReleaseStringUTFChars(text, chars);
    Threw();
    return result.substr(0, kMaxTextBytes);
  }

  JNIEnv* env_;
};

// As ComponentName.flattenToShortString.
std::string ComponentText(const std::string& package, const std::string& name) {
  if (package.empty() || name.empty()) return package + name;
  const bool is_inside =
      name.size() > package.size() && name.starts_with(package) && name[package.size()] == '.';
  return package + "/" + (is_inside ? name.substr(package.size()) : name);
}

std::string TextOfIntent(const ObjectReader& fields, jobject intent) {
  if (intent == nullptr) return {};
  const std::string action = fields.Text(intent, framework::kIntentAction);
  jobject name = fields.Object(intent, framework::kIntentComponent);
  const std::string component = name == nullptr
                                    ? ""
                                    : ComponentText(fields.Text(name, framework::kComponentPackage),
                                                    fields.Text(name, framework::kComponentClass));
  if (action.empty() || component.empty()) return action + component;
  return action + " to " + component;
}

std::string TextOfInfo(const ObjectReader& fields, jobject info) {
  if (info == nullptr) return {};
  return ComponentText(fields.Text(info, framework::kInfoPackage),
                       fields.Text(info, framework::kInfoName));
}

std::string TextOfItem(const ObjectReader& fields, jobject item) {
  const std::string intent = TextOfIntent(fields, fields.Object(item, framework::kItemIntent));
  const std::string name = fields.ClassName(item);
  return name.substr(name.rfind('.') + 1) + (intent.empty() ? "" : " of " + intent);
}

// Appends `part` unless `text` already has it.
void Add(const std::string& part, std::string* text) {
  if (text->find(part) != std::string::npos) return;
  if (!text->empty()) *text += ", ";
  *text += part;
}

std::string TextOfSource(const ObjectReader& fields, jobject held, Holds holds) {
  std::string text;
  switch (holds) {
    case Holds::kIntent: return TextOfIntent(fields, held);
    case Holds::kInfo: return TextOfInfo(fields, held);
    case Holds::kItem: return TextOfItem(fields, held);
    case Holds::kItems:
      fields.ForEachOf(held, [&](jobject item) { Add(TextOfItem(fields, item), &text); });
      return text;
  }
  return text;
}

}  // namespace

std::string MessageComponent(JNIEnv* env, jobject object, std::string_view class_name) {
  if (object == nullptr) return {};
  const bool is_known =
      std::ranges::any_of(kSources, [&](const Source& source) { return IsOf(source, class_name); });
  if (!is_known) return {};
  if (env->PushLocalFrame(kLocalReferences) != JNI_OK) {
    env->ExceptionClear();
    return {};
  }
  const ObjectReader fields(env);
  std::string text;
  for (const Source& source : kSources) {
    if (!IsOf(source, class_name)) continue;
    jobject held = fields.Object(object, source.field);
    if (held != nullptr) Add(TextOfSource(fields, held, source.holds), &text);
  }
  env->PopLocalFrame(nullptr);
  return text.substr(0, kMaxTextBytes);
}

}  // namespace stillframe::jvm
