// SPDX-License-Identifier: Apache-2.0
package generator;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** The conversions that LambdaMetafactory allows between a functional interface and a lambda's body. */
final class Conversions {
  private static final String[] BOXES = {
    null, "Boolean", "Character", "Byte", "Short", "Integer", "Float", "Long", "Double"
  };

  /** Converts the value on the stack; casts, boxes, unboxes and widens. */
  static void convert(InsnList code, Type from, Type to) {
    if (from.equals(to)) {
      return;
    }
    if (isPrimitive(from) && isPrimitive(to)) {
      widen(code, from, to);
    } else if (isPrimitive(from)) {
      box(code, from);
    } else if (isPrimitive(to)) {
      unbox(code, from, to);
    } else if (!to.getInternalName().equals("java/lang/Object")) {
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, to.getInternalName()));
    }
  }

  /** Converts a body's result for the interface's method, which may also drop it. */
  static void convertResult(InsnList code, Type result, Type instantiated, Type returned) {
    if (returned.getSort() == Type.VOID) {
      if (result.getSize() > 0) {
        code.add(new InsnNode(result.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
      }
      return;
    }
    if (isPrimitive(result) && isPrimitive(instantiated)) {
      convert(code, result, instantiated);
      convert(code, instantiated, returned);
    } else {
      convert(code, result, returned);
    }
  }

  private static boolean isPrimitive(Type type) {
    return type.getSort() < Type.ARRAY;
  }

  private static String boxOf(Type primitive) {
    return "java/lang/" + BOXES[primitive.getSort()];
  }

  private static void box(InsnList code, Type primitive) {
    String box = boxOf(primitive);
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, box, "valueOf", "(" + primitive.getDescriptor() + ")L" + box + ";"));
  }

  private static void unbox(InsnList code, Type from, Type to) {
    Type unboxed = unboxedType(from);
    Type target = unboxed == null ? to : unboxed;
    boolean isNumber = target.getSort() != Type.BOOLEAN && target.getSort() != Type.CHAR;
    String owner = unboxed == null && isNumber ? "java/lang/Number" : boxOf(target);
    if (!from.getInternalName().equals(owner)) {
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, owner));
    }
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKEVIRTUAL, owner, target.getClassName() + "Value", "()" + target.getDescriptor()));
    widen(code, target, to);
  }

  private static Type unboxedType(Type box) {
    for (Type type :
        new Type[] {
          Type.BOOLEAN_TYPE, Type.CHAR_TYPE, Type.BYTE_TYPE, Type.SHORT_TYPE, Type.INT_TYPE,
          Type.FLOAT_TYPE, Type.LONG_TYPE, Type.DOUBLE_TYPE
        }) {
      if (box.getInternalName().equals(boxOf(type))) {
        return type;
      }
    }
    return null;
  }

  private static void widen(InsnList code, Type from, Type to) {
    int source = from.getSort();
    int target = to.getSort();
    if (source == target || (source <= Type.INT && target <= Type.INT)) {
      return;
    }
    if (source <= Type.INT) {
      code.add(
          new InsnNode(
              target == Type.LONG ? Opcodes.I2L : target == Type.FLOAT ? Opcodes.I2F : Opcodes.I2D));
    } else if (source == Type.LONG) {
      code.add(new InsnNode(target == Type.FLOAT ? Opcodes.L2F : Opcodes.L2D));
    } else {
      code.add(new InsnNode(Opcodes.F2D));
    }
  }

  private Conversions() {}
}
