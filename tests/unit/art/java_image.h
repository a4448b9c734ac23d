// SPDX-License-Identifier: Apache-2.0
// Java objects that show what a thread waits for, where the heap may be, and the JNI calls that
// give their fields' offsets. Fields are laid out as in libcore; see wait_reader.cc.
#pragma once

#include <jni.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "src/art/field_offset.h"
#include "tests/unit/art/thread_image.h"
#include "tests/unit/names/small_dex.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::art {

// For fixtures to derive from.
class JavaImage : protected ThreadImage {
 protected:
  static constexpr uint32_t kPeerAt = kEnvAt + 3 * sizeof(uintptr_t);     // of art::Thread
  static constexpr uint32_t kEnteredAt = kEnvAt + 9 * sizeof(uintptr_t);  // of art::Thread
  static constexpr uint32_t kWaitAt = kEnvAt + 40 * sizeof(uintptr_t);    // of art::Thread
  static constexpr uint32_t kOwnerAt = 64;                                // of art::Monitor
  static constexpr uint32_t kLockAt = 8;                                  // of java.lang.Thread
  static constexpr uint32_t kNameAt = 12;
  static constexpr uint32_t kBlockerAt = 16;
  static constexpr uint32_t kNativePeerAt = 24;
  static constexpr uint32_t kOwnerOfLockAt = 8;  // of AbstractOwnableSynchronizer
  static constexpr uint32_t kRunnerAt = 12;      // of FutureTask
  static constexpr uint32_t kSuperClassAt = 96;  // of java.lang.Class
  static constexpr uint32_t kTypeIndexAt = 100;
  static constexpr uint32_t kClinitThreadAt = 104;
  static constexpr uint32_t kCountAt = 8;  // of java.lang.String

  JavaImage() {
    thread_class_ = NewClass(0);
    synchronizer_ = NewClass(0);
    future_ = NewClass(0);
    object_class_ = NewClass(0);
    PutDex(object_class_);
    AddField("java/lang/Thread.lock", thread_class_, kLockAt);
    AddField("java/lang/Thread.name", thread_class_, kNameAt);
    AddField("java/lang/Thread.parkBlocker", thread_class_, kBlockerAt);
    AddField("java/lang/Thread.nativePeer", thread_class_, kNativePeerAt);
    AddField("java/util/concurrent/locks/AbstractOwnableSynchronizer.exclusiveOwnerThread",
             synchronizer_, kOwnerOfLockAt);
    AddField("java/util/concurrent/FutureTask.runner", future_, kRunnerAt);
    AddField("java/lang/Class.superClass", object_class_, kSuperClassAt);
    AddField("java/lang/Class.dexTypeIndex", object_class_, kTypeIndexAt);
    AddField("java/lang/Class.clinitThreadId", object_class_, kClinitThreadAt);
    AddField("java/lang/String.count", object_class_, kCountAt);
    chunk_ = (image_.Allocate(8192) + 4095) / 4096 * 4096;
    pool_ = image_.Allocate(128);
    const uintptr_t chunks = image_.Allocate(64);
    image_.PutPointer(pool_, chunks);
    image_.PutPointer(chunks, chunk_);
    facts_.monitors = {true, kOwnerAt, kTidAt, sizeof(uintptr_t) == 8 ? pool_ : 0};
    functions_.PushLocalFrame = [](JNIEnv*, jint) -> jint { return JNI_OK; };
    functions_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    functions_.FindClass = FindClass;
    functions_.GetFieldID = GetFieldId;
    functions_.ExceptionCheck = [](JNIEnv*) -> jboolean { return JNI_FALSE; };
    functions_.ExceptionClear = [](JNIEnv*) {};
    Put(AddressOf(env()), AddressOf(&functions_));
    fields_ = &own_fields_;
  }

  uint32_t NewClass(uint32_t super_class) {
    const auto type = static_cast<uint32_t>(image_.Allocate(128));
    image_.Put32(type + layout_.object_class,
                 LoadReference(image_.class_address(), layout_.object_class));
    image_.Put32(type + kSuperClassAt, super_class);
    return type;
  }
  // com.example.Row
  void PutDex(uintptr_t type) {
    const uintptr_t dex_file = image_.Allocate(64);
    image_.PutPointer(dex_file + layout_.dex_file_begin, dex_.begin());
    image_.PutPointer(dex_file + layout_.dex_file_size, dex_.size());
    image_.PutPointer(dex_file + layout_.dex_file_data_begin, dex_.begin());
    const uintptr_t dex_cache = image_.Allocate(64);
    image_.Put64(dex_cache + layout_.dex_cache_dex_file, dex_file);
    image_.Put32(type + layout_.class_dex_cache, static_cast<uint32_t>(dex_cache));
    image_.Put32(type + kTypeIndexAt, 0);
  }
  uint32_t NewObject(uint32_t type) {
    const auto object = static_cast<uint32_t>(image_.Allocate(160));
    image_.Put32(object + layout_.object_class, type);
    return object;
  }
  // The java.lang.Thread of a thread, with a lock of its own.
  uint32_t AddPeer(uintptr_t thread) {
    const uint32_t peer = NewObject(thread_class_);
    image_.Put64(peer + kNativePeerAt, thread);
    image_.Put32(peer + kLockAt, NewObject(object_class_));
    Put(thread + kPeerAt, peer);
    return peer;
  }
  static uint32_t LockOf(uint32_t peer) { return LoadReference(peer, kLockAt); }
  void SetName(uint32_t peer, std::string_view name, uint32_t is_wide = 0) {
    const uint32_t text = NewObject(object_class_);
    image_.Put32(text + kCountAt, static_cast<uint32_t>(name.size()) * 2 + is_wide);
    for (uint32_t i = 0; i < name.size(); ++i)
      image_.Put8(text + kCountAt + 8 + i, static_cast<uint8_t>(name[i]));
    image_.Put32(peer + kNameAt, text);
  }
  // Gives the object the monitor of that number, held by the thread.
  uintptr_t PutMonitor(uint32_t object, uint32_t number, uintptr_t owner) {
    const uintptr_t monitor = chunk_ + number * 160;
    const uint32_t id =
        sizeof(uintptr_t) == 4 ? static_cast<uint32_t>(monitor >> 4) : number * 160 / 8;
    image_.Put32(object + 4, 1U << 30 | id);
    image_.PutPointer(monitor + kOwnerAt, owner);
    image_.Put32(monitor + kOwnerAt + sizeof(uintptr_t) + 4, object);
    return monitor;
  }
  void LoseField(const std::string& name) { own_fields_.erase(name); }

  walk::ArtImage image_{layout_};
  names::SmallDex dex_;
  JNINativeInterface_ functions_ = {};
  uint32_t thread_class_ = 0;
  uint32_t synchronizer_ = 0;
  uint32_t future_ = 0;
  uint32_t object_class_ = 0;
  uintptr_t chunk_ = 0;
  uintptr_t pool_ = 0;

 private:
  void AddField(const std::string& name, uint32_t type, uint32_t offset) {
    const uintptr_t field = image_.Allocate(16);
    image_.Put32(field, type);
    image_.Put32(field + 12, offset);
    own_fields_[name] = field;
  }
  // The class that was asked for last is the one whose field is asked for next.
  static jclass FindClass(JNIEnv*, const char* name) {
    asked_ = name;
    return nullptr;
  }
  static jfieldID GetFieldId(JNIEnv*, jclass, const char* name, const char*) {
    const auto found = fields_->find(asked_ + "." + name);
    return found == fields_->end() ? nullptr : reinterpret_cast<jfieldID>(found->second);
  }

  std::map<std::string, uintptr_t> own_fields_;
  static inline std::map<std::string, uintptr_t>* fields_ = nullptr;
  static inline std::string asked_;
};

}  // namespace stillframe::art
