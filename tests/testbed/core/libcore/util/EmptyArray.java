// SPDX-License-Identifier: Apache-2.0
package libcore.util;

/** Shared empty arrays; ART reads STACK_TRACE_ELEMENT for exceptions it creates itself. */
public final class EmptyArray {
  public static final StackTraceElement[] STACK_TRACE_ELEMENT = new StackTraceElement[0];
  public static final Object[] OBJECT = new Object[0];

  private EmptyArray() {}
}
