// SPDX-License-Identifier: Apache-2.0
// android.util.Log: each line of a message goes to standard error as "I/tag: line".
// Context: any thread.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/register_natives.h"

namespace testbed {
namespace {

constexpr std::string_view kPriorityLetters = "??VDIWEF";

std::string ToStdString(JNIEnv* env, jstring text) {
  if (text == nullptr) return "null";
  const char* chars = env->GetStringUTFChars(text, nullptr);
  if (chars == nullptr) return "";
  std::string copy(chars);
  env->ReleaseStringUTFChars(text, chars);
  return copy;
}

// One write for the whole message keeps the lines of two threads apart.
void WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDERR_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

jint PrintlnNative(JNIEnv* env, jclass, jint, jint priority, jstring tag, jstring message) {
  const auto level = static_cast<std::size_t>(priority);
  const char letter = level < kPriorityLetters.size() ? kPriorityLetters[level] : '?';
  const std::string prefix = letter + ("/" + ToStdString(env, tag)) + ": ";
  const std::string text = ToStdString(env, message);

  std::string out;
  std::string_view rest = text;
  do {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    out.append(prefix).append(line).push_back('\n');
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  } while (!rest.empty());
  WriteAll(out);
  return static_cast<jint>(out.size());
}

}  // namespace

bool RegisterLog(JNIEnv* env) {
  return RegisterNatives(
      env, "android/util/Log",
      {Native("println_native", "(IILjava/lang/String;Ljava/lang/String;)I", PrintlnNative)});
}

}  // namespace testbed
