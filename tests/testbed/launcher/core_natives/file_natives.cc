// SPDX-License-Identifier: Apache-2.0
// java.io.FileDescriptor and java.io.File over system calls; failures come back as negative errno.
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core_natives/register.h"

namespace stillframe::testbed {
namespace {

jint Open(JNIEnv* env, jclass, jstring path, jint flags) {
  const int result = open(ToStdString(env, path).c_str(), flags | O_CLOEXEC, 0666);
  return result < 0 ? -errno : result;
}

jint Read(JNIEnv* env, jclass, jint descriptor, jbyteArray bytes, jint offset, jint length) {
  std::vector<jbyte> buffer(static_cast<size_t>(length));
  ssize_t count = 0;
  do {
    count = read(descriptor, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  env->SetByteArrayRegion(bytes, offset, static_cast<jsize>(count), buffer.data());
  return static_cast<jint>(count);
}

jint Write(JNIEnv* env, jclass, jint descriptor, jbyteArray bytes, jint offset, jint length) {
  std::vector<jbyte> buffer(static_cast<size_t>(length));
  env->GetByteArrayRegion(bytes, offset, length, buffer.data());
  size_t written = 0;
  while (written < buffer.size()) {
    const ssize_t count = write(descriptor, buffer.data() + written, buffer.size() - written);
    if (count < 0 && errno != EINTR) return -errno;
    written += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return length;
}

jint Available(JNIEnv*, jclass, jint descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) < 0 ? -errno : count;
}

void Close(JNIEnv*, jclass, jint descriptor) { close(descriptor); }

jint Kind(JNIEnv* env, jclass, jstring path) {
  struct stat status = {};
  if (stat(ToStdString(env, path).c_str(), &status) != 0) return 0;
  return S_ISREG(status.st_mode) ? 1 : S_ISDIR(status.st_mode) ? 2 : 3;
}

jlong Length(JNIEnv* env, jclass, jstring path) {
  struct stat status = {};
  return stat(ToStdString(env, path).c_str(), &status) == 0 ? status.st_size : 0;
}

jboolean Delete(JNIEnv* env, jclass, jstring path) {
  return std::remove(ToStdString(env, path).c_str()) == 0;
}

jboolean MakeFolder(JNIEnv* env, jclass, jstring path) {
  return mkdir(ToStdString(env, path).c_str(), 0777) == 0;
}

jboolean Rename(JNIEnv* env, jclass, jstring from, jstring to) {
  return std::rename(ToStdString(env, from).c_str(), ToStdString(env, to).c_str()) == 0;
}

jobjectArray List(JNIEnv* env, jclass, jstring path) {
  DIR* folder = opendir(ToStdString(env, path).c_str());
  if (folder == nullptr) return nullptr;
  std::vector<std::string> names;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(folder);
  return ToStringArray(env, names);
}

}  // namespace

bool RegisterFileNatives(JNIEnv* env) {
  return RegisterClass(env, "java/io/FileDescriptor",
                       {{"openNative", "(Ljava/lang/String;I)I", Address(Open)},
                        {"readNative", "(I[BII)I", Address(Read)},
                        {"writeNative", "(I[BII)I", Address(Write)},
                        {"availableNative", "(I)I", Address(Available)},
                        {"closeNative", "(I)V", Address(Close)}}) &&
         RegisterClass(env, "java/io/File",
                       {{"kind", "(Ljava/lang/String;)I", Address(Kind)},
                        {"length", "(Ljava/lang/String;)J", Address(Length)},
                        {"delete", "(Ljava/lang/String;)Z", Address(Delete)},
                        {"makeFolder", "(Ljava/lang/String;)Z", Address(MakeFolder)},
                        {"rename", "(Ljava/lang/String;Ljava/lang/String;)Z", Address(Rename)},
                        {"list", "(Ljava/lang/String;)[Ljava/lang/String;", Address(List)}});
}

}  // namespace stillframe::testbed
