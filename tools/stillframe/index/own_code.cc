// SPDX-License-Identifier: Apache-2.0
// Prefixes of packages, and the table of libraries.
#include "tools/stillframe/index/own_code.h"

#include <algorithm>
#include <array>

#include "src/model/context_names.h"
#include "tools/stillframe/calltree/method_name.h"

namespace stillframe::index {
namespace {

// What is on Android's stacks most often and is seldom the application's own.
constexpr std::array<std::string_view, 26> kLibraries = {
    "bolts.",        "butterknife.",  "coil.",          "coil3.",      "com.airbnb.",
    "com.bumptech.", "com.facebook.", "com.fasterxml.", "com.google.", "com.jakewharton.",
    "com.squareup.", "dagger.",       "io.grpc.",       "io.ktor.",    "io.reactivex.",
    "io.realm.",     "io.sentry.",    "okhttp3.",       "okio.",       "org.apache.",
    "org.chromium.", "org.json.",     "org.koin.",      "retrofit2.",  "rx.",
    "timber."};

bool IsIn(std::string_view class_name, std::string_view package) {
  return class_name.starts_with(package) &&
         (class_name.size() == package.size() || class_name[package.size()] == '.' ||
          class_name[package.size()] == '$');
}

std::string PackageOf(const model::Document& document) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kText &&
        entry.group == model::context::kProcess && entry.name == model::context::kPackage)
      return entry.text;
  return {};
}

}  // namespace

OwnCode::OwnCode(const model::Document& document, const std::vector<std::string>& packages)
    : packages_(packages) {
  std::erase(packages_, "");
  if (!packages_.empty()) return;
  const std::string package = PackageOf(document);
  if (package.empty()) return;
  const trace::FrameTable& frames = document.frames;
  for (trace::FrameId id = 0; id < frames.size(); ++id) {
    if (IsIn(frames.ClassName(id), package)) {
      packages_ = {package};
      return;
    }
  }
}

bool OwnCode::Has(std::string_view class_name) const {
  const auto in = [class_name](std::string_view package) { return IsIn(class_name, package); };
  if (!packages_.empty()) return std::any_of(packages_.begin(), packages_.end(), in);
  const bool is_library =
      std::any_of(kLibraries.begin(), kLibraries.end(),
                  [class_name](std::string_view prefix) { return class_name.starts_with(prefix); });
  return !is_library && !calltree::IsPlatformClass(class_name);
}

}  // namespace stillframe::index
