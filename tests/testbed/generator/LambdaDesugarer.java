// SPDX-License-Identifier: Apache-2.0
package generator;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Replaces each lambda and method reference (invokedynamic over LambdaMetafactory) of a class by an instance of a
 * generated class {@code Outer$$Lambda$N}, whose fields are the captured values and whose methods call the body.
 */
final class LambdaDesugarer {
  private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

  private final ClassNode outer;
  private final List<ClassNode> generated = new ArrayList<>();
  private final List<MethodNode> accessors = new ArrayList<>();

  private LambdaDesugarer(ClassNode outer) {
    this.outer = outer;
  }

  /** Rewrites {@code outer} in place and returns the classes to add. */
  static List<ClassNode> desugar(ClassNode outer) {
    LambdaDesugarer desugarer = new LambdaDesugarer(outer);
    // Made for serializable lambdas. Nothing here can have serialized one.
    outer.methods.removeIf(method -> method.name.equals("$deserializeLambda$"));
    for (MethodNode method : outer.methods) {
      for (AbstractInsnNode instruction : method.instructions.toArray()) {
        if (instruction instanceof InvokeDynamicInsnNode) {
          desugarer.replace(method, (InvokeDynamicInsnNode) instruction);
        }
      }
    }
    outer.methods.addAll(desugarer.accessors);
    if (!desugarer.generated.isEmpty()) {
      outer.innerClasses.removeIf(inner -> inner.name.equals("java/lang/invoke/MethodHandles$Lookup"));
    }
    return desugarer.generated;
  }

  private void replace(MethodNode method, InvokeDynamicInsnNode site) {
    if (!site.bsm.getOwner().equals(FACTORY)) {
      throw new IllegalArgumentException(
          outer.name + "." + method.name + ": invokedynamic by " + site.bsm.getOwner());
    }
    ClassNode lambda = generate(site);
    generated.add(lambda);
    // The captured values are on the stack: a static factory takes them as they are.
    method.instructions.set(
        site, new MethodInsnNode(Opcodes.INVOKESTATIC, lambda.name, "create", site.desc));
  }

  private ClassNode generate(InvokeDynamicInsnNode site) {
    Type[] captured = Type.getArgumentTypes(site.desc);
    Type implemented = Type.getReturnType(site.desc);
    ClassNode node = new ClassNode();
    node.version = Opcodes.V1_8;
    node.access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
    node.name = outer.name + "$$Lambda$" + generated.size();
    node.superName = "java/lang/Object";
    node.sourceFile = outer.sourceFile;
    node.interfaces.add(implemented.getInternalName());
    for (int i = 0; i < captured.length; i++) {
      int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
      node.fields.add(new FieldNode(access, "captured" + i, captured[i].getDescriptor(), null, null));
    }
    node.methods.add(constructor(node, captured));
    node.methods.add(factory(node, captured, site.desc));

    Handle body = (Handle) site.bsmArgs[1];
    Type instantiated = (Type) site.bsmArgs[2];
    MethodInsnNode call = accessibleCall(body);
    List<String> descriptors = new ArrayList<>();
    descriptors.add(((Type) site.bsmArgs[0]).getDescriptor());
    if (site.bsm.getName().equals("altMetafactory")) {
      addAlternatives(site, node, descriptors);
    }
    for (String descriptor : descriptors) {
      node.methods.add(implementation(node, site.name, descriptor, captured, body, call, instantiated));
    }
    return node;
  }

  /** Reads altMetafactory's flags: 1 serializable, 2 marker interfaces, 4 bridges. */
  private static void addAlternatives(InvokeDynamicInsnNode site, ClassNode node, List<String> descriptors) {
    int flags = (Integer) site.bsmArgs[3];
    int next = 4;
    if ((flags & 1) != 0) {
      node.interfaces.add("java/io/Serializable");
    }
    if ((flags & 2) != 0) {
      int count = (Integer) site.bsmArgs[next++];
      for (int i = 0; i < count; i++) {
        node.interfaces.add(((Type) site.bsmArgs[next++]).getInternalName());
      }
    }
    if ((flags & 4) != 0) {
      int count = (Integer) site.bsmArgs[next++];
      for (int i = 0; i < count; i++) {
        descriptors.add(((Type) site.bsmArgs[next++]).getDescriptor());
      }
    }
  }

  private static MethodNode constructor(ClassNode node, Type[] captured) {
    MethodNode method =
        new MethodNode(0, "<init>", Type.getMethodDescriptor(Type.VOID_TYPE, captured), null, null);
    InsnList code = method.instructions;
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, node.superName, "<init>", "()V"));
    int local = 1;
    for (FieldNode field : node.fields) {
      Type type = Type.getType(field.desc);
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
      code.add(new FieldInsnNode(Opcodes.PUTFIELD, node.name, field.name, field.desc));
      local += type.getSize();
    }
    code.add(new InsnNode(Opcodes.RETURN));
    return method;
  }

  private static MethodNode factory(ClassNode node, Type[] captured, String descriptor) {
    MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "create", descriptor, null, null);
    InsnList code = method.instructions;
    code.add(new TypeInsnNode(Opcodes.NEW, node.name));
    code.add(new InsnNode(Opcodes.DUP));
    int local = 0;
    for (Type type : captured) {
      code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
      local += type.getSize();
    }
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESPECIAL,
            node.name,
            "<init>",
            Type.getMethodDescriptor(Type.VOID_TYPE, captured)));
    code.add(new InsnNode(Opcodes.ARETURN));
    return method;
  }

  private static MethodNode implementation(
      ClassNode node,
      String name,
      String descriptor,
      Type[] captured,
      Handle body,
      MethodInsnNode call,
      Type instantiated) {
    MethodNode method = new MethodNode(Opcodes.ACC_PUBLIC, name, descriptor, null, null);
    InsnList code = method.instructions;
    boolean creates = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (creates && call.getOpcode() == Opcodes.INVOKESPECIAL) {
      code.add(new TypeInsnNode(Opcodes.NEW, body.getOwner()));
      code.add(new InsnNode(Opcodes.DUP));
    }
    List<Type> wanted = new ArrayList<>();
    if (call.getOpcode() != Opcodes.INVOKESTATIC && !creates) {
      wanted.add(Type.getObjectType(call.owner));
    }
    wanted.addAll(List.of(Type.getArgumentTypes(call.desc)));
    for (int i = 0; i < captured.length; i++) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(
          new FieldInsnNode(Opcodes.GETFIELD, node.name, "captured" + i, captured[i].getDescriptor()));
    }
    Type[] given = Type.getArgumentTypes(descriptor);
    Type[] actual = instantiated.getArgumentTypes();
    int local = 1;
    for (int i = 0; i < given.length; i++) {
      code.add(new VarInsnNode(given[i].getOpcode(Opcodes.ILOAD), local));
      local += given[i].getSize();
      Conversions.convert(code, given[i], actual[i]);
      Conversions.convert(code, actual[i], wanted.get(captured.length + i));
    }
    code.add(call.clone(null));
    Type result = creates ? Type.getObjectType(body.getOwner()) : Type.getReturnType(call.desc);
    Type returned = Type.getReturnType(descriptor);
    Conversions.convertResult(code, result, instantiated.getReturnType(), returned);
    code.add(new InsnNode(returned.getOpcode(Opcodes.IRETURN)));
    return method;
  }

  /**
   * The instruction that calls the body from the generated class. Private bodies become package-private (renamed
   * uniquely by javac already); other private or protected targets get a synthetic accessor in the outer class. So do
   * an interface's bodies with a receiver: public ones would be default methods, which change the vtables of classes.
   */
  private MethodInsnNode accessibleCall(Handle body) {
    if (body.getOwner().equals(outer.name)) {
      for (MethodNode method : outer.methods) {
        if (method.name.equals(body.getName()) && method.desc.equals(body.getDesc())) {
          boolean isPrivate = (method.access & Opcodes.ACC_PRIVATE) != 0;
          boolean inInterface = (outer.access & Opcodes.ACC_INTERFACE) != 0;
          boolean isDefault = inInterface && (method.access & Opcodes.ACC_STATIC) == 0;
          if (isPrivate && method.name.startsWith("lambda$") && !isDefault || method.name.equals("<init>")) {
            method.access &= ~Opcodes.ACC_PRIVATE;
            method.access |= inInterface ? Opcodes.ACC_PUBLIC : 0;
            return call(body, isPrivate && !method.name.equals("<init>"));
          }
          return isPrivate ? accessorCall(body) : call(body, false);
        }
      }
      return accessorCall(body);
    }
    boolean samePackage = packageOf(body.getOwner()).equals(packageOf(outer.name));
    boolean viaSuper = body.getTag() == Opcodes.H_INVOKESPECIAL;
    boolean maybeProtected =
        !samePackage && body.getTag() == Opcodes.H_INVOKEVIRTUAL && body.getOwner().equals(outer.superName);
    return viaSuper || maybeProtected ? accessorCall(body) : call(body, false);
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  private MethodInsnNode call(Handle body, boolean noLongerPrivate) {
    int opcode;
    switch (body.getTag()) {
      case Opcodes.H_INVOKESTATIC:
        opcode = Opcodes.INVOKESTATIC;
        break;
      case Opcodes.H_NEWINVOKESPECIAL:
        opcode = Opcodes.INVOKESPECIAL;
        break;
      case Opcodes.H_INVOKEINTERFACE:
        opcode = Opcodes.INVOKEINTERFACE;
        break;
      default:
        opcode = body.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
    }
    if (noLongerPrivate) {
      rewritePrivateCalls(body);
    }
    return new MethodInsnNode(opcode, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
  }

  /** Calls of a method that stopped being private must dispatch virtually. */
  private void rewritePrivateCalls(Handle body) {
    for (MethodNode method : outer.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction.getOpcode() == Opcodes.INVOKESPECIAL) {
          MethodInsnNode call = (MethodInsnNode) instruction;
          if (call.owner.equals(body.getOwner())
              && call.name.equals(body.getName())
              && call.desc.equals(body.getDesc())) {
            call.setOpcode(call.itf ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL);
          }
        }
      }
    }
  }

  /** A static method of the outer class that calls {@code body} with the receiver as first argument. */
  private MethodInsnNode accessorCall(Handle body) {
    boolean isStatic = body.getTag() == Opcodes.H_INVOKESTATIC;
    List<Type> arguments = new ArrayList<>();
    if (!isStatic) {
      arguments.add(Type.getObjectType(outer.name));
    }
    arguments.addAll(List.of(Type.getArgumentTypes(body.getDesc())));
    String descriptor =
        Type.getMethodDescriptor(Type.getReturnType(body.getDesc()), arguments.toArray(new Type[0]));
    boolean inInterface = (outer.access & Opcodes.ACC_INTERFACE) != 0;
    String name = "access$lambda$" + accessors.size();
    int access = Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC | (inInterface ? Opcodes.ACC_PUBLIC : 0);
    MethodNode method = new MethodNode(access, name, descriptor, null, null);
    int local = 0;
    for (Type type : arguments) {
      method.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
      local += type.getSize();
    }
    int opcode =
        isStatic
            ? Opcodes.INVOKESTATIC
            : body.getTag() == Opcodes.H_INVOKEVIRTUAL ? Opcodes.INVOKEVIRTUAL : Opcodes.INVOKESPECIAL;
    method.instructions.add(
        new MethodInsnNode(opcode, body.getOwner(), body.getName(), body.getDesc(), body.isInterface()));
    method.instructions.add(new InsnNode(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN)));
    accessors.add(method);
    return new MethodInsnNode(Opcodes.INVOKESTATIC, outer.name, name, descriptor, inInterface);
  }
}
