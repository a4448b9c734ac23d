// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** What an annotation may stand at. */
public enum ElementType {
  TYPE,
  FIELD,
  METHOD,
  PARAMETER,
  CONSTRUCTOR,
  LOCAL_VARIABLE,
  ANNOTATION_TYPE,
  PACKAGE,
  TYPE_PARAMETER,
  TYPE_USE
}
