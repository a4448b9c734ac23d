// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Marks a method that overrides another. */
@Retention(RetentionPolicy.SOURCE)
public @interface Override {}
