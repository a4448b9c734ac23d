// SPDX-License-Identifier: Apache-2.0
// Runs a fuzzer's function without libFuzzer: over the files of the folders that are named, and
// over damaged copies of them that are the same in each run. A sanitizer's report, a crash or no
// input at all fails it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

constexpr int kDamagedCopies = 12;
constexpr int kInputsWithoutSeeds = 5000;
constexpr size_t kMostBytes = 65536;

using Bytes = std::vector<uint8_t>;

std::vector<Bytes> FilesOf(int count, char** folders) {
  std::vector<Bytes> files;
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(folders[i])) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return files;
}

// A few bytes changed, or the end cut off.
Bytes Damaged(Bytes bytes, std::mt19937* random) {
  if (bytes.empty()) return bytes;
  const unsigned changes = 1 + (*random)() % 8;
  for (unsigned i = 0; i < changes; ++i)
    bytes[(*random)() % bytes.size()] = static_cast<uint8_t>((*random)());
  if ((*random)() % 4 == 0) bytes.resize((*random)() % bytes.size());
  return bytes;
}

Bytes Random(std::mt19937* random) {
  Bytes bytes((*random)() % 512);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>((*random)());
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  std::mt19937 random(1);
  const std::vector<Bytes> files = FilesOf(argc - 1, argv + 1);
  size_t inputs = 0;
  const auto run = [&inputs](const Bytes& bytes) {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    ++inputs;
  };
  for (const Bytes& file : files) {
    run(file);
    if (file.size() > kMostBytes) continue;
    for (int i = 0; i < kDamagedCopies; ++i) run(Damaged(file, &random));
  }
  for (int i = 0; files.empty() && i < kInputsWithoutSeeds; ++i) run(Random(&random));
  std::printf("%zu inputs from %zu files\n", inputs, files.size());
  return inputs > 0 ? 0 : 1;
}
