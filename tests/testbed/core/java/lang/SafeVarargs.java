// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Promises that a variable argument array is used safely. */
@Retention(RetentionPolicy.RUNTIME)
public @interface SafeVarargs {}
