// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Marks an interface with one abstract method. */
@Retention(RetentionPolicy.RUNTIME)
public @interface FunctionalInterface {}
