// SPDX-License-Identifier: Apache-2.0
// Classes and fields by AOSP 8-16: core/java/android/app/{ActivityThread,servertransaction/
// ClientTransaction,servertransaction/LaunchActivityItem}.java, core/java/android/content/{Intent,
// ComponentName,pm/PackageItemInfo}.java.
#include "src/jvm/message_component.h"

#include <algorithm>
#include <cstdint>

namespace stillframe::jvm {
namespace {

constexpr jint kLocalReferences = 128;
constexpr jint kMaxItems = 8;  // of a transaction
constexpr size_t kMaxTextBytes = 300;
constexpr const char* kStringType = "Ljava/lang/String;";
constexpr const char* kIntentType = "Landroid/content/Intent;";
constexpr const char* kListType = "Ljava/util/List;";

enum class Holds : uint8_t { kIntent, kInfo, kItems, kItem };

// Fields that identify the component, in order of preference.
struct Source {
  std::string_view class_name;
  const char* field;
  const char* type;
  Holds holds;
};
constexpr Source kSources[] = {
    {"android.app.ActivityThread$ReceiverData", "intent", kIntentType, Holds::kIntent},
    {"android.app.ActivityThread$ReceiverData", "info", "Landroid/content/pm/ActivityInfo;",
     Holds::kInfo},
    {"android.app.ActivityThread$CreateServiceData", "info", "Landroid/content/pm/ServiceInfo;",
     Holds::kInfo},
    {"android.app.ActivityThread$ServiceArgsData", "args", kIntentType, Holds::kIntent},
    {"android.app.ActivityThread$BindServiceData", "intent", kIntentType, Holds::kIntent},
    // Up to 8; transactions since 9.
    {"android.app.ActivityThread$ActivityClientRecord", "intent", kIntentType, Holds::kIntent},
    {"android.app.servertransaction.ClientTransaction", "mTransactionItems", kListType,  // since 15
     Holds::kItems},
    {"android.app.servertransaction.ClientTransaction", "mActivityCallbacks", kListType,
     Holds::kItems},
    {"android.app.servertransaction.ClientTransaction", "mLifecycleStateRequest",
     "Landroid/app/servertransaction/ActivityLifecycleItem;", Holds::kItem},
};

// Reads that return null, zero or "" after any failure, and leave no exception.
class ObjectReader {
 public:
  explicit ObjectReader(JNIEnv* env) : env_(env) {}

  jobject Object(jobject of, const char* name, const char* type) const {
    const jfieldID field = Find(of, name, type);
    return field != nullptr ? env_->GetObjectField(of, field) : nullptr;
  }

  std::string Text(jobject of, const char* name) const {
    return TextOf(static_cast<jstring>(Object(of, name, kStringType)));
  }

  std::string ClassName(jobject object) const {
    jclass type = env_->FindClass("java/lang/Class");
    const jmethodID get_name =
        Threw() ? nullptr : env_->GetMethodID(type, "getName", "()Ljava/lang/String;");
    if (Threw() || get_name == nullptr) return {};
    return TextOf(
        static_cast<jstring>(env_->CallObjectMethod(env_->GetObjectClass(object), get_name)));
  }

  // Calls use(element) for the first elements of an ArrayList. Other lists are skipped: their code
  // might do anything.
  template <typename Use>
  void ForEachOf(jobject list, const Use& use) const {
    if (ClassName(list) != "java.util.ArrayList") return;
    const jmethodID size = env_->GetMethodID(env_->GetObjectClass(list), "size", "()I");
    if (Threw()) return;
    const jmethodID get =
        env_->GetMethodID(env_->GetObjectClass(list), "get", "(I)Ljava/lang/Object;");
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

  jfieldID Find(jobject of, const char* name, const char* type) const {
    if (of == nullptr) return nullptr;
    const jfieldID field = env_->GetFieldID(env_->GetObjectClass(of), name, type);
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
  const std::string action = fields.Text(intent, "mAction");
  jobject name = fields.Object(intent, "mComponent", "Landroid/content/ComponentName;");
  const std::string component =
      name == nullptr ? ""
                      : ComponentText(fields.Text(name, "mPackage"), fields.Text(name, "mClass"));
  if (action.empty() || component.empty()) return action + component;
  return action + " to " + component;
}

std::string TextOfInfo(const ObjectReader& fields, jobject info) {
  if (info == nullptr) return {};
  return ComponentText(fields.Text(info, "packageName"), fields.Text(info, "name"));
}

std::string TextOfItem(const ObjectReader& fields, jobject item) {
  const std::string intent = TextOfIntent(fields, fields.Object(item, "mIntent", kIntentType));
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
  const bool is_known = std::ranges::any_of(
      kSources, [&](const Source& source) { return source.class_name == class_name; });
  if (!is_known) return {};
  if (env->PushLocalFrame(kLocalReferences) != JNI_OK) {
    env->ExceptionClear();
    return {};
  }
  const ObjectReader fields(env);
  std::string text;
  for (const Source& source : kSources) {
    if (source.class_name != class_name) continue;
    jobject held = fields.Object(object, source.field, source.type);
    if (held != nullptr) Add(TextOfSource(fields, held, source.holds), &text);
  }
  env->PopLocalFrame(nullptr);
  return text.substr(0, kMaxTextBytes);
}

}  // namespace stillframe::jvm
