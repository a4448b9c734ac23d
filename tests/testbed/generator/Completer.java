// SPDX-License-Identifier: Apache-2.0
package generator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Adds to the core library what a release of ART demands and the Java sources lack: classes, fields, natives and
 * methods. Pads the virtual methods and static fields of classes whose size ART checks. An added method with a body
 * throws. Declarations of the sources are checked against the facts.
 */
final class Completer {
  private static final String OBJECT = "java/lang/Object";
  private static final String STRING = "java/lang/String";
  private static final String PROXY = "java/lang/reflect/Proxy";

  /** Checked when a proxy class is made (ART 10, 11 and 14 runtime/class_linker.cc, CreateProxyConstructor). */
  private static final int PROXY_DIRECT_METHODS = 21;

  private static final String[] STATIC_PADDING_TYPES = {"B", "S", "I", "J", "Ljava/lang/Object;"};

  /** Superclasses, other than Object, of classes that no Java source declares. */
  private static final Map<String, String> SUPERCLASSES = new HashMap<>();

  static {
    SUPERCLASSES.put("java/lang/invoke/MethodHandleImpl", "java/lang/invoke/MethodHandle");
    SUPERCLASSES.put("java/lang/invoke/FieldVarHandle", "java/lang/invoke/VarHandle");
    SUPERCLASSES.put("java/lang/invoke/StaticFieldVarHandle", "java/lang/invoke/FieldVarHandle");
    SUPERCLASSES.put("java/lang/invoke/ArrayElementVarHandle", "java/lang/invoke/VarHandle");
    SUPERCLASSES.put("java/lang/invoke/ByteArrayViewVarHandle", "java/lang/invoke/VarHandle");
    SUPERCLASSES.put("java/lang/invoke/ByteBufferViewVarHandle", "java/lang/invoke/VarHandle");
  }

  private final Facts facts;
  private final ClassFolder classes;
  private final List<String> problems = new ArrayList<>();

  Completer(Facts facts, ClassFolder classes) {
    this.facts = facts;
    this.classes = classes;
  }

  List<String> problems() {
    return problems;
  }

  void complete() {
    addMissingClasses();
    addFields();
    for (Facts.Member method : facts.natives) {
      addNative(method);
    }
    // Before the methods, among which 14 has polymorphic ones too: those are native.
    for (Facts.Member method : facts.intrinsics) {
      addIntrinsic(method);
    }
    for (Facts.Member method : facts.methods) {
      if (!method.name().startsWith("<") && isInherited(method)) {
        continue;
      }
      addStub(method.owner(), method.name(), method.type(), method.isStatic() ? Opcodes.ACC_STATIC : 0);
    }
    for (Facts.StringInit init : facts.stringInits) {
      addStub(STRING, "<init>", init.constructor(), 0);
      addStub("java/lang/StringFactory", init.factory(), init.factoryDescriptor(), Opcodes.ACC_STATIC);
    }
    facts.extraVtableSlots.forEach(this::padVtable);
    padStringStatics();
    padProxy();
  }

  private void addMissingClasses() {
    Set<String> wanted = new TreeSet<>(facts.classes);
    wanted.addAll(facts.mirrorFields.keySet());
    facts.fields.forEach(field -> wanted.add(field.owner()));
    facts.methods.forEach(method -> wanted.add(method.owner()));
    facts.natives.forEach(method -> wanted.add(method.owner()));
    facts.intrinsics.forEach(method -> wanted.add(method.owner()));
    wanted.forEach(this::addMissingClass);
  }

  private void addMissingClass(String name) {
    if (classes.get(name) != null) {
      return;
    }
    ClassNode node = new ClassNode();
    node.version = Opcodes.V1_8;
    node.name = name;
    node.superName = SUPERCLASSES.getOrDefault(name, OBJECT);
    node.access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER;
    if (name.startsWith("dalvik/annotation/")) {
      node.access =
          Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_ANNOTATION;
      node.interfaces.add("java/lang/annotation/Annotation");
    }
    classes.add(node);
    if ((node.access & Opcodes.ACC_INTERFACE) == 0) {
      addMissingClass(node.superName);
      MethodNode constructor = new MethodNode(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
      constructor.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));
      constructor.instructions.add(
          new MethodInsnNode(Opcodes.INVOKESPECIAL, node.superName, "<init>", "()V"));
      constructor.instructions.add(new InsnNode(Opcodes.RETURN));
      node.methods.add(constructor);
    }
  }

  private void addFields() {
    for (Facts.Member field : facts.fields) {
      addField(field.owner(), field.name(), field.type(), field.isStatic(), true);
    }
    facts.mirrorFields.forEach(
        (owner, fields) -> {
          Set<String> names = new HashSet<>();
          for (Facts.Member field : fields) {
            addField(owner, field.name(), field.type(), false, false);
            names.add(field.name());
          }
          removeFields(classes.get(owner), names);
        });
  }

  /** Removes the instance fields that ART's layout lacks, which are another release's: they read as zero. */
  private static void removeFields(ClassNode node, Set<String> wanted) {
    Set<String> removed = new HashSet<>();
    for (FieldNode field : node.fields) {
      if ((field.access & Opcodes.ACC_STATIC) == 0 && !wanted.contains(field.name)) {
        removed.add(field.name);
      }
    }
    node.fields.removeIf(field -> removed.contains(field.name));
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode instruction : method.instructions.toArray()) {
        if (instruction instanceof FieldInsnNode) {
          FieldInsnNode use = (FieldInsnNode) instruction;
          if (use.owner.equals(node.name) && removed.contains(use.name)) {
            replaceUse(method, use);
          }
        }
      }
    }
  }

  private static void replaceUse(MethodNode method, FieldInsnNode use) {
    Type type = Type.getType(use.desc);
    if (use.getOpcode() == Opcodes.PUTFIELD) {
      method.instructions.insertBefore(use, new InsnNode(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
      method.instructions.set(use, new InsnNode(Opcodes.POP));
      return;
    }
    method.instructions.insertBefore(use, new InsnNode(Opcodes.POP));
    boolean isReference = type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    int zero = isReference ? Opcodes.ACONST_NULL : type.getSize() == 2 ? Opcodes.LCONST_0 : Opcodes.ICONST_0;
    method.instructions.set(use, new InsnNode(zero));
  }

  private void addField(String owner, String name, String type, boolean isStatic, boolean inherits) {
    FieldNode present = inherits ? findInherited(owner, name) : find(classes.get(owner), name);
    if (present == null) {
      int access = Opcodes.ACC_PRIVATE | (isStatic ? Opcodes.ACC_STATIC : 0);
      classes.get(owner).fields.add(new FieldNode(access, name, type, null, null));
    } else if (inherits && !present.desc.equals(type)) {
      problems.add(owner + "." + name + ": ART looks for type " + type + ", found " + present.desc);
    }
  }

  private static FieldNode find(ClassNode node, String name) {
    return node.fields.stream().filter(field -> field.name.equals(name)).findFirst().orElse(null);
  }

  private FieldNode findInherited(String owner, String name) {
    for (ClassNode node = classes.get(owner); node != null; node = classes.get(node.superName)) {
      FieldNode field = find(node, name);
      if (field != null || node.superName == null) {
        return field;
      }
    }
    return null;
  }

  private static MethodNode find(ClassNode node, String name, String descriptor) {
    for (MethodNode method : node.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        return method;
      }
    }
    return null;
  }

  private boolean isInherited(Facts.Member method) {
    ClassNode node = classes.get(method.owner());
    while (node != null && find(node, method.name(), method.type()) == null) {
      node = node.superName == null ? null : classes.get(node.superName);
    }
    return node != null;
  }

  private void addNative(Facts.Member fact) {
    ClassNode node = classes.get(fact.owner());
    int staticFlag = fact.isStatic() ? Opcodes.ACC_STATIC : 0;
    MethodNode method = find(node, fact.name(), fact.type());
    if (method == null) {
      int visibility = isVirtualIntrinsic(fact) ? Opcodes.ACC_PUBLIC : Opcodes.ACC_PRIVATE;
      method =
          new MethodNode(visibility | Opcodes.ACC_NATIVE | staticFlag, fact.name(), fact.type(), null, null);
      node.methods.add(method);
    } else if ((method.access & Opcodes.ACC_NATIVE) == 0) {
      problems.add(fact.owner() + "." + fact.name() + fact.type() + ": ART registers it as a native");
    }
    if (!fact.kind().equals("normal")) {
      method.invisibleAnnotations = new ArrayList<>();
      method.invisibleAnnotations.add(
          new AnnotationNode("Ldalvik/annotation/optimization/" + fact.kind() + ";"));
    }
  }

  private boolean isVirtualIntrinsic(Facts.Member method) {
    return facts.intrinsics.stream()
        .anyMatch(
            intrinsic ->
                intrinsic.kind().equals("kVirtual")
                    && intrinsic.owner().equals(method.owner())
                    && intrinsic.name().equals(method.name())
                    && intrinsic.type().equals(method.type()));
  }

  private void addIntrinsic(Facts.Member fact) {
    switch (fact.kind()) {
      case "kStatic":
        addStub(fact.owner(), fact.name(), fact.type(), Opcodes.ACC_STATIC);
        break;
      case "kDirect":
        MethodNode method = find(classes.get(fact.owner()), fact.name(), fact.type());
        if (method == null) {
          problems.add(fact.owner() + "." + fact.name() + fact.type() + ": must be declared, and private");
        }
        break;
      case "kPolymorphic":
        ClassNode node = classes.get(fact.owner());
        if (find(node, fact.name(), fact.type()) == null) {
          int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_NATIVE | Opcodes.ACC_VARARGS;
          node.methods.add(new MethodNode(access, fact.name(), fact.type(), null, null));
        }
        break;
      default:
        addStub(fact.owner(), fact.name(), fact.type(), 0);
    }
  }

  /** A method that throws UnsupportedOperationException with its own name. */
  private void addStub(String owner, String name, String descriptor, int flags) {
    ClassNode node = classes.get(owner);
    if (find(node, name, descriptor) != null) {
      return;
    }
    MethodNode method = new MethodNode(Opcodes.ACC_PUBLIC | flags, name, descriptor, null, null);
    node.methods.add(method);
    if ((node.access & Opcodes.ACC_INTERFACE) != 0) {
      method.access |= Opcodes.ACC_ABSTRACT;
      return;
    }
    if (name.equals("<init>")) {
      method.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));
      method.instructions.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, node.superName, "<init>", "()V"));
    }
    String exception = "java/lang/UnsupportedOperationException";
    method.instructions.add(new TypeInsnNode(Opcodes.NEW, exception));
    method.instructions.add(new InsnNode(Opcodes.DUP));
    method.instructions.add(new LdcInsnNode(owner.replace('/', '.') + "." + name));
    method.instructions.add(
        new MethodInsnNode(Opcodes.INVOKESPECIAL, exception, "<init>", "(Ljava/lang/String;)V"));
    method.instructions.add(new InsnNode(Opcodes.ATHROW));
  }

  private void padVtable(String owner, int wanted) {
    ClassNode node = classes.get(owner);
    ClassNode object = classes.get(OBJECT);
    int present = countDefaultMethods(node);
    for (MethodNode method : node.methods) {
      boolean isVirtual =
          (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0 && !method.name.startsWith("<");
      if (isVirtual && find(object, method.name, method.desc) == null) {
        present++;
      }
    }
    // ART checks the size of the class, and that of an abstract class has no part for its virtual methods.
    boolean isAbstract = (node.access & Opcodes.ACC_ABSTRACT) != 0;
    if (present > wanted && !isAbstract) {
      problems.add(owner + ": " + present + " new virtual methods, ART demands exactly " + wanted);
    }
    for (int i = present; i < wanted; i++) {
      addStub(owner, "vtablePadding" + i, "()V", 0);
    }
  }

  /** Methods that the class has of its interfaces: they need a virtual method each. */
  private int countDefaultMethods(ClassNode node) {
    Set<String> found = new HashSet<>();
    Deque<String> interfaces = new ArrayDeque<>(node.interfaces);
    while (!interfaces.isEmpty()) {
      ClassNode owner = classes.get(interfaces.pop());
      interfaces.addAll(owner.interfaces);
      for (MethodNode method : owner.methods) {
        int other = Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE;
        if ((method.access & other) == 0 && find(node, method.name, method.desc) == null) {
          found.add(method.name + method.desc);
        }
      }
    }
    return found.size();
  }

  private void padStringStatics() {
    int[] present = new int[STATIC_PADDING_TYPES.length];
    ClassNode node = classes.get(STRING);
    for (FieldNode field : node.fields) {
      if ((field.access & Opcodes.ACC_STATIC) != 0) {
        present[sizeClass(Type.getType(field.desc))]++;
      }
    }
    for (int size = 0; size < present.length; size++) {
      int wanted = facts.stringStaticFieldsBySize.get(size);
      if (present[size] > wanted) {
        problems.add(STRING + ": too many static fields of type size " + STATIC_PADDING_TYPES[size]);
      }
      for (int i = present[size]; i < wanted; i++) {
        addField(STRING, "staticPadding" + size + "_" + i, STATIC_PADDING_TYPES[size], true, false);
      }
    }
  }

  private void padProxy() {
    int present = 0;
    for (MethodNode method : classes.get(PROXY).methods) {
      int direct = Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE;
      present += (method.access & direct) != 0 || method.name.startsWith("<") ? 1 : 0;
    }
    for (int i = present; i < PROXY_DIRECT_METHODS; i++) {
      addStub(PROXY, "directPadding" + i, "()V", Opcodes.ACC_STATIC);
    }
  }

  private static int sizeClass(Type type) {
    switch (type.getSort()) {
      case Type.BOOLEAN:
      case Type.BYTE:
        return 0;
      case Type.CHAR:
      case Type.SHORT:
        return 1;
      case Type.INT:
      case Type.FLOAT:
        return 2;
      case Type.LONG:
      case Type.DOUBLE:
        return 3;
      default:
        return 4;
    }
  }
}
