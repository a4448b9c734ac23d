// SPDX-License-Identifier: Apache-2.0
// java.lang.Math, and the bits of floating-point numbers; all are @CriticalNative: no JNIEnv, no
// class.
#include <bit>
#include <cmath>

#include "core_natives/register.h"

namespace stillframe::testbed {
namespace {

using Unary = jdouble(jdouble);
using Binary = jdouble(jdouble, jdouble);

Native UnaryNative(const char* name, Unary* function) { return {name, "(D)D", Address(function)}; }

Native BinaryNative(const char* name, Binary* function) {
  return {name, "(DD)D", Address(function)};
}

jlong DoubleBits(jdouble number) { return std::bit_cast<jlong>(number); }

jdouble DoubleFromBits(jlong bits) { return std::bit_cast<jdouble>(bits); }

jint FloatBits(jfloat number) { return std::bit_cast<jint>(number); }

jfloat FloatFromBits(jint bits) { return std::bit_cast<jfloat>(bits); }

jbyte PeekByte(JNIEnv*, jclass, jlong address) { return *reinterpret_cast<const jbyte*>(address); }

void PokeByte(JNIEnv*, jclass, jlong address, jbyte value) {
  *reinterpret_cast<jbyte*>(address) = value;
}

}  // namespace

bool RegisterMathNatives(JNIEnv* env) {
  const std::vector<Native> math = {
      UnaryNative("cos", ::cos),
      UnaryNative("sin", ::sin),
      UnaryNative("acos", ::acos),
      UnaryNative("asin", ::asin),
      UnaryNative("atan", ::atan),
      UnaryNative("cbrt", ::cbrt),
      UnaryNative("cosh", ::cosh),
      UnaryNative("exp", ::exp),
      UnaryNative("expm1", ::expm1),
      UnaryNative("log", ::log),
      UnaryNative("log10", ::log10),
      UnaryNative("log1p", ::log1p),
      UnaryNative("sinh", ::sinh),
      UnaryNative("tan", ::tan),
      UnaryNative("tanh", ::tanh),
      UnaryNative("sqrt", ::sqrt),
      UnaryNative("ceil", ::ceil),
      UnaryNative("floor", ::floor),
      UnaryNative("rint", ::rint),
      BinaryNative("atan2", ::atan2),
      BinaryNative("pow", ::pow),
      BinaryNative("hypot", ::hypot),
      BinaryNative("nextAfter", ::nextafter),
  };
  return RegisterClass(env, "java/lang/Math", math) &&
         RegisterClass(env, "java/lang/Double",
                       {{"doubleToRawLongBits", "(D)J", Address(DoubleBits)},
                        {"longBitsToDouble", "(J)D", Address(DoubleFromBits)}}) &&
         RegisterClass(env, "java/lang/Float",
                       {{"floatToRawIntBits", "(F)I", Address(FloatBits)},
                        {"intBitsToFloat", "(I)F", Address(FloatFromBits)}}) &&
         RegisterClass(
             env, "libcore/io/Memory",
             {{"peekByte", "(J)B", Address(PeekByte)}, {"pokeByte", "(JB)V", Address(PokeByte)}});
}

}  // namespace stillframe::testbed
