// SPDX-License-Identifier: Apache-2.0
// What only the runtime and the platform's classes tell: the application and its version, the API
// level, the Java heap, and how often its collector ran.
// Source: AOSP 11, frameworks/base/core/java/android/app/ActivityThread.java, content/pm/
// ApplicationInfo.java, os/Build.java; ART 8 to 14, runtime/native/dalvik_system_VMDebug.cc.
// Context: a thread that may be held up by the runtime. No call leaves the process
#pragma once

#include <jni.h>

#include <vector>

#include "src/model/process.h"

namespace stillframe::jvm {

// Adds the facts of the groups "device", "process", "memory" and "gc"; what is not to be had is
// absent with its reason.
void DescribeJava(JNIEnv* env, std::vector<model::ContextEntry>* entries);

// The same entries, all absent for one reason.
void DescribeJavaAbsent(const std::string& why, std::vector<model::ContextEntry>* entries);

}  // namespace stillframe::jvm
