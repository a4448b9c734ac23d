// SPDX-License-Identifier: Apache-2.0
#include "src/settings/sha256.h"

namespace stillframe::settings {
namespace {

constexpr size_t kRounds = 64;
constexpr size_t kLengthBytes = 8;  // at the end of the last block

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, kRounds> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

// std::rotr takes a signed or an unsigned count, depending on the C++ library.
uint32_t Rotr(uint32_t x, uint32_t by) { return x >> by | x << (32 - by); }

uint32_t Rotated(uint32_t x, uint32_t a, uint32_t b, uint32_t c) {
  return Rotr(x, a) ^ Rotr(x, b) ^ Rotr(x, c);
}

uint32_t Shifted(uint32_t x, uint32_t a, uint32_t b, uint32_t shift) {
  return Rotr(x, a) ^ Rotr(x, b) ^ x >> shift;
}

}  // namespace

void Sha256::TakeBlock() {
  std::array<uint32_t, kRounds> schedule;
  for (size_t i = 0; i < 16; ++i) {
    schedule[i] = uint32_t{block_[4 * i]} << 24 | uint32_t{block_[4 * i + 1]} << 16 |
                  uint32_t{block_[4 * i + 2]} << 8 | block_[4 * i + 3];
  }
  for (size_t i = 16; i < kRounds; ++i) {
    schedule[i] = Shifted(schedule[i - 2], 17, 19, 10) + schedule[i - 7] +
                  Shifted(schedule[i - 15], 7, 18, 3) + schedule[i - 16];
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t i = 0; i < kRounds; ++i) {
    const uint32_t chosen = (e & f) ^ (~e & g);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t first = h + Rotated(e, 6, 11, 25) + chosen + kConstants[i] + schedule[i];
    const uint32_t second = Rotated(a, 2, 13, 22) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<uint32_t, 8> mixed = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < mixed.size(); ++i) state_[i] += mixed[i];
  used_ = 0;
}

void Sha256::AddByte(uint8_t byte) {
  block_[used_++] = byte;
  if (used_ == block_.size()) TakeBlock();
}

void Sha256::Add(std::string_view bytes) {
  for (const char byte : bytes) AddByte(static_cast<uint8_t>(byte));
  bytes_ += bytes.size();
}

const std::array<uint32_t, 8>& Sha256::Finish() {
  AddByte(0x80);
  while (used_ != block_.size() - kLengthBytes) AddByte(0);
  for (int shift = 56; shift >= 0; shift -= 8) AddByte(static_cast<uint8_t>(bytes_ * 8 >> shift));
  return state_;
}

}  // namespace stillframe::settings
