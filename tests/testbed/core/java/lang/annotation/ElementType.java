// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Elements that can be annotated. */
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
