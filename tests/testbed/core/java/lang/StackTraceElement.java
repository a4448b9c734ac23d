// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.Objects;

/** One frame of a stack trace. ART creates and lays it out in C++ too (runtime/mirror/stack_trace_element.h). */
public final class StackTraceElement implements java.io.Serializable {
  private String declaringClass;
  private String methodName;
  private String fileName;
  private int lineNumber;

  public StackTraceElement(String declaringClass, String methodName, String fileName, int lineNumber) {
    this.declaringClass = declaringClass;
    this.methodName = methodName;
    this.fileName = fileName;
    this.lineNumber = lineNumber;
  }

  public String getClassName() {
    return declaringClass;
  }

  public String getMethodName() {
    return methodName;
  }

  public String getFileName() {
    return fileName;
  }

  public int getLineNumber() {
    return lineNumber;
  }

  public boolean isNativeMethod() {
    return lineNumber == -2;
  }

  @Override
  public String toString() {
    String place;
    if (isNativeMethod()) {
      place = "Native Method";
    } else if (fileName == null) {
      place = "Unknown Source";
    } else {
      place = lineNumber >= 0 ? fileName + ":" + lineNumber : fileName;
    }
    return declaringClass + "." + methodName + "(" + place + ")";
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof StackTraceElement)) {
      return false;
    }
    StackTraceElement that = (StackTraceElement) other;
    return lineNumber == that.lineNumber
        && declaringClass.equals(that.declaringClass)
        && Objects.equals(methodName, that.methodName)
        && Objects.equals(fileName, that.fileName);
  }

  @Override
  public int hashCode() {
    return 31 * declaringClass.hashCode() + Objects.hashCode(methodName) + lineNumber;
  }
}
