// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed number. */
public abstract class Number implements java.io.Serializable {
  public abstract int intValue();

  public abstract long longValue();

  public abstract float floatValue();

  public abstract double doubleValue();

  public byte byteValue() {
    return (byte) intValue();
  }

  public short shortValue() {
    return (short) intValue();
  }
}
