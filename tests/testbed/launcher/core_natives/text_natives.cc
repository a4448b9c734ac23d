// SPDX-License-Identifier: Apache-2.0
// libcore.util.FloatText: floating-point numbers to and from text.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core_natives/register.h"

namespace stillframe::testbed {
namespace {

// Java wants two digits at least, and of two digits the nearest: the least double is 4.9E-324,
// not 5.0E-324.
template <typename Number>
jstring ShortestDigits(JNIEnv* env, jclass, Number number) {
  char text[64];
  char* const end = text + sizeof(text) - 1;
  const Number magnitude = std::fabs(number);
  auto result = std::to_chars(text, end, magnitude, std::chars_format::scientific);
  if (text[1] == 'e')
    result = std::to_chars(text, end, magnitude, std::chars_format::scientific, 1);
  *result.ptr = '\0';
  return env->NewStringUTF(text);
}

// Java takes a trailing f or d, and neither hexadecimal integers nor the C library's "inf" and
// "nan".
jboolean Parse(JNIEnv* env, jclass, jstring java_text, jboolean is_float, jdoubleArray result) {
  std::string text = ToStdString(env, java_text);
  const std::string magnitude = text.substr(text[0] == '-' || text[0] == '+' ? 1 : 0);
  double number = 0;
  if (magnitude == "NaN" || magnitude == "Infinity") {
    number = magnitude == "NaN" ? std::nan("") : HUGE_VAL;
    number = text[0] == '-' ? -number : number;
  } else {
    if (magnitude.find_first_not_of("0123456789.eE+-fFdD") != std::string::npos ||
        magnitude.empty())
      return JNI_FALSE;
    if (std::string("fFdD").find(text.back()) != std::string::npos) text.pop_back();
    char* end = nullptr;
    number = is_float ? static_cast<double>(std::strtof(text.c_str(), &end))
                      : std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0') return JNI_FALSE;
  }
  env->SetDoubleArrayRegion(result, 0, 1, &number);
  return JNI_TRUE;
}

}  // namespace

bool RegisterTextNatives(JNIEnv* env) {
  return RegisterClass(
      env, "libcore/util/FloatText",
      {{"shortestDigits", "(D)Ljava/lang/String;", Address(ShortestDigits<jdouble>)},
       {"shortestFloatDigits", "(F)Ljava/lang/String;", Address(ShortestDigits<jfloat>)},
       {"parseNative", "(Ljava/lang/String;Z[D)Z", Address(Parse)}});
}

}  // namespace stillframe::testbed
