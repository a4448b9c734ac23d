// SPDX-License-Identifier: Apache-2.0
package dalvik.annotation.optimization;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A native that runs without a thread state change (ART 11, runtime/native). */
@Retention(RetentionPolicy.CLASS)
public @interface FastNative {}
