// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Marks what should no longer be used. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Deprecated {}
