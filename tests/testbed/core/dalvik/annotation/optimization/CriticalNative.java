// SPDX-License-Identifier: Apache-2.0
package dalvik.annotation.optimization;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A static native over primitives that gets neither JNIEnv nor class. */
@Retention(RetentionPolicy.CLASS)
public @interface CriticalNative {}
