// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** How long an annotation is kept. */
public enum RetentionPolicy {
  SOURCE,
  CLASS,
  RUNTIME
}
