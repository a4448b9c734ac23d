// SPDX-License-Identifier: Apache-2.0
// Functions of BoringSSL that java_math_NativeBN.cpp calls and OpenSSL lacks or names otherwise.
#pragma once

#include <openssl/bn.h>

#include <cstdint>

inline int BN_set_u64(BIGNUM* number, std::uint64_t value) { return BN_set_word(number, value); }

inline int BN_get_u64(const BIGNUM* number, std::uint64_t* value) {
  *value = BN_get_word(number);
  return BN_num_bits(number) <= 64;
}

inline BIGNUM* BN_le2bn(const std::uint8_t* bytes, size_t count, BIGNUM* result) {
  return BN_lebin2bn(bytes, static_cast<int>(count), result);
}

inline int BN_bn2le_padded(std::uint8_t* bytes, size_t count, const BIGNUM* number) {
  return BN_bn2lebinpad(number, bytes, static_cast<int>(count)) >= 0;
}

inline int BN_is_pow2(const BIGNUM* number) {
  const int top = BN_num_bits(number) - 1;
  for (int bit = 0; bit < top; ++bit)
    if (BN_is_bit_set(number, bit)) return 0;
  return top >= 0;
}

inline int BN_nnmod_pow2(BIGNUM* result, const BIGNUM* number, size_t exponent) {
  BIGNUM* modulus = BN_new();
  BN_CTX* context = BN_CTX_new();
  const int ok =
      BN_set_bit(modulus, static_cast<int>(exponent)) && BN_nnmod(result, number, modulus, context);
  BN_free(modulus);
  BN_CTX_free(context);
  return ok;
}

inline int BN_primality_test(int* is_probably_prime, const BIGNUM* candidate, int, BN_CTX* context,
                             int, BN_GENCB* callback) {
  *is_probably_prime = BN_check_prime(candidate, context, callback);
  return *is_probably_prime >= 0;
}
