// SPDX-License-Identifier: Apache-2.0
// SHA-1 in the interface of OpenSSL, so that dex2oat needs no libcrypto for the build id of an oat
// file.
// Context: found in place of OpenSSL's header when dex2oat is compiled.
#ifndef STILLFRAME_TESTS_TESTBED_COMPILER_INCLUDE_OPENSSL_SHA_H_
#define STILLFRAME_TESTS_TESTBED_COMPILER_INCLUDE_OPENSSL_SHA_H_

#include <array>
#include <cstddef>
#include <cstdint>

constexpr size_t SHA_DIGEST_LENGTH = 20;
constexpr size_t kSha1BlockSize = 64;

struct SHA_CTX {
  std::array<uint32_t, 5> state;
  std::array<uint8_t, kSha1BlockSize> block;
  uint64_t length;  // bytes so far
};

inline uint32_t Sha1RotateLeft(uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

inline void Sha1Block(SHA_CTX* context) {
  std::array<uint32_t, 80> words{};
  for (size_t i = 0; i < 16; ++i)
    for (size_t byte = 0; byte < 4; ++byte) words[i] = words[i] << 8 | context->block[4 * i + byte];
  for (size_t i = 16; i < words.size(); ++i)
    words[i] = Sha1RotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = context->state;
  for (size_t i = 0; i < words.size(); ++i) {
    uint32_t f = b ^ c ^ d;
    uint32_t k = i < 40 ? 0x6ed9eba1 : 0xca62c1d6;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999;
    } else if (i >= 40 && i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdc;
    }
    const uint32_t next = Sha1RotateLeft(a, 5) + f + e + k + words[i];
    e = d;
    d = c;
    c = Sha1RotateLeft(b, 30);
    b = a;
    a = next;
  }
  const std::array<uint32_t, 5> sums = {a, b, c, d, e};
  for (size_t i = 0; i < sums.size(); ++i) context->state[i] += sums[i];
}

inline int SHA1_Init(SHA_CTX* context) {
  *context = {{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, {}, 0};
  return 1;
}

inline int SHA1_Update(SHA_CTX* context, const void* data, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    context->block[context->length++ % kSha1BlockSize] = static_cast<const uint8_t*>(data)[i];
    if (context->length % kSha1BlockSize == 0) Sha1Block(context);
  }
  return 1;
}

inline int SHA1_Final(uint8_t* digest, SHA_CTX* context) {
  const uint64_t bits = context->length * 8;
  const uint8_t mark = 0x80;
  const uint8_t zero = 0;
  SHA1_Update(context, &mark, 1);
  while (context->length % kSha1BlockSize != kSha1BlockSize - 8) SHA1_Update(context, &zero, 1);
  for (int shift = 56; shift >= 0; shift -= 8) {
    const auto byte = static_cast<uint8_t>(bits >> shift);
    SHA1_Update(context, &byte, 1);
  }
  for (size_t i = 0; i < SHA_DIGEST_LENGTH; ++i)
    digest[i] = static_cast<uint8_t>(context->state[i / 4] >> (24 - 8 * (i % 4)));
  return 1;
}

#endif  // STILLFRAME_TESTS_TESTBED_COMPILER_INCLUDE_OPENSSL_SHA_H_
