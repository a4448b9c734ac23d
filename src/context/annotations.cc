// SPDX-License-Identifier: Apache-2.0
#include "src/context/annotations.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace stillframe::context {
namespace {

// At most `limit` bytes, never cut inside a UTF-8 character.
std::string Truncate(const char* text, size_t limit) {
  size_t length = strnlen(text, limit + 1);
  if (length > limit) {
    length = limit;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  }
  return {text, length};
}

}  // namespace

bool AnnotationStore::Set(const char* name, const char* value, uint64_t now_ns) {
  if (name == nullptr || *name == '\0') return false;
  model::Annotation fresh;
  fresh.name = Truncate(name, kNameBytes);
  fresh.value = value != nullptr ? Truncate(value, kValueBytes) : "";
  fresh.set_ns = now_ns;
  pthread_mutex_lock(&mutex_);
  auto& entries = annotations_.entries;
  std::erase_if(entries, [&fresh](const model::Annotation& old) { return old.name == fresh.name; });
  if (value != nullptr) {
    if (entries.size() == kMaxEntries) entries.erase(entries.begin());
    entries.push_back(std::move(fresh));
  }
  pthread_mutex_unlock(&mutex_);
  return true;
}

bool AnnotationStore::SetScene(const char* scene, uint64_t now_ns) {
  std::string fresh = scene != nullptr ? Truncate(scene, kValueBytes) : "";
  pthread_mutex_lock(&mutex_);
  const bool is_new = fresh != annotations_.scene;
  if (is_new) {
    annotations_.scene = std::move(fresh);
    annotations_.scene_since_ns = now_ns;
  }
  pthread_mutex_unlock(&mutex_);
  return is_new;
}

std::string AnnotationStore::Scene() {
  pthread_mutex_lock(&mutex_);
  std::string scene = annotations_.scene;
  pthread_mutex_unlock(&mutex_);
  return scene;
}

model::Annotations AnnotationStore::Read() {
  pthread_mutex_lock(&mutex_);
  model::Annotations copy = annotations_;
  pthread_mutex_unlock(&mutex_);
  return copy;
}

}  // namespace stillframe::context
