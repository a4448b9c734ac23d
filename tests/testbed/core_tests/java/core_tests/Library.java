// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.io.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.*;

/** Classes and reflection, input and output, references, buffers, system facts. */
public class Library {
  public interface Named {
    String name();
  }

  public static class Person implements Named, Comparable<Person>, Cloneable {
    public String first = "Ada";
    private int age = 36;

    public Person() {}

    public Person(String first, int age) {
      this.first = first;
      this.age = age;
    }

    @Override
    public String name() {
      return first;
    }

    public int older(int years) {
      return age + years;
    }

    public static String shout(String text) {
      return text.toUpperCase();
    }

    private void fail() {
      throw new IllegalStateException("by reflection");
    }

    @Override
    public int compareTo(Person other) {
      return age - other.age;
    }

    @Override
    public Person clone() throws CloneNotSupportedException {
      return (Person) super.clone();
    }
  }

  static void classes() throws Exception {
    Class<?> type = Class.forName("core_tests.Library$Person");
    System.out.println(type.getName() + " " + type.getSimpleName() + " " + type.isInterface() + Named.class.isInterface() + type.getSuperclass() + Arrays.toString(type.getInterfaces()) + Modifier.isStatic(type.getModifiers()) + type.getDeclaringClass());
    System.out.println(Named.class.isAssignableFrom(type) + " " + type.isInstance("x") + int.class + int[].class.getName() + String[][].class.getSimpleName() + Integer.class.getComponentType() + int[].class.getComponentType() + Runnable[].class.isArray() + void.class + Thread.State.class.isEnum());
    Object person = type.getDeclaredConstructor().newInstance();
    Object other = type.getConstructor(String.class, int.class).newInstance("Bob", 50);
    Method older = type.getMethod("older", int.class);
    System.out.println(older.invoke(other, 5) + " " + type.getMethod("shout", String.class).invoke(null, "hey") + older.getName() + older.getReturnType() + older.getParameterTypes().length + ((Named) person).name());
    Field first = type.getField("first");
    first.set(person, "Eve");
    Field age = type.getDeclaredField("age");
    age.setAccessible(true);
    age.setInt(person, 99);
    System.out.println(first.get(person) + " " + age.getInt(person) + age.getType() + age.get(other));
    Method fail = type.getDeclaredMethod("fail");
    fail.setAccessible(true);
    try {
      fail.invoke(person);
    } catch (InvocationTargetException exception) {
      System.out.println(exception.getCause());
    }
    try {
      type.getMethod("none");
    } catch (NoSuchMethodException exception) {
      System.out.println("no such method");
    }
    Object array = Array.newInstance(String.class, 3);
    System.out.println(Array.getLength(array) + " " + array.getClass().getName() + Array.newInstance(int.class, 2).getClass().getName());
    Person original = new Person("Cy", 1);
    System.out.println(original.clone().first + (original.clone() != original) + new int[] {1, 2}.clone().length + original.compareTo(new Person()));
    System.out.println(Library.class.getClassLoader() == ClassLoader.getSystemClassLoader());
    System.out.println(Library.class.getClassLoader().loadClass("core_tests.Library") == Library.class);
    System.out.println(Thread.currentThread().getContextClassLoader() == Library.class.getClassLoader());
  }

  static void files() throws Exception {
    File file = new File("core-tests-" + System.nanoTime() + ".txt");
    try (PrintStream out = new PrintStream(new FileOutputStream(file))) {
      out.println("first line é");
      out.printf("second %d%n", 2);
    }
    try (FileWriter appender = new FileWriter(file.getPath() + ".2")) {
      appender.write("other");
    }
    System.out.println(file.exists() + " " + file.length() + file.isFile() + file.isDirectory() + new File(".").isDirectory() + new File("a/b/c.txt").getName() + new File("a/b/c.txt").getParent());
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(new FileInputStream(file)))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        System.out.println("[" + line + "]");
      }
    }
    System.out.println(file.delete() + " " + file.exists() + new File(file.getPath() + ".2").delete());
    try {
      new FileInputStream("/does/not/exist");
    } catch (FileNotFoundException exception) {
      System.out.println("not found");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BufferedOutputStream buffered = new BufferedOutputStream(bytes, 4)) {
      buffered.write(new byte[] {1, 2, 3, 4, 5, 6});
      buffered.write(7);
    }
    System.out.println(Arrays.toString(bytes.toByteArray()) + bytes.size());
    InputStream in = new ByteArrayInputStream(bytes.toByteArray());
    System.out.println(in.read() + " " + in.read(new byte[3]) + in.skip(2) + in.read() + in.read() + in.available());
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    writer.printf("%s-%d", "w", 1);
    writer.print('c');
    writer.flush();
    System.out.println(text);
    System.out.println(new BufferedReader(new StringReader("a\r\nb\nc")).readLine());
  }

  /** In a frame of its own: an interpreter's registers keep objects alive. */
  static WeakReference<Object> toGarbage() {
    return new WeakReference<>(new Object());
  }

  static boolean isCleared(Reference<Object> reference) {
    return reference.get() == null;
  }

  static void references() throws Exception {
    WeakReference<Object> weak = toGarbage();
    Object strong = new Object();
    WeakReference<Object> kept = new WeakReference<>(strong);
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
    for (int i = 0; i < 50 && !isCleared(weak); i++) {
      Runtime.getRuntime().gc();
      Thread.sleep(10);
    }
    System.out.println(isCleared(weak) + " " + (kept.get() == strong) + (queue.remove(5000) == phantom) + new SoftReference<>("soft").get());
    System.out.println(Runtime.getRuntime().availableProcessors() > 0);
    System.out.println(Runtime.getRuntime().maxMemory() > 1000000 && Runtime.getRuntime().totalMemory() >= Runtime.getRuntime().freeMemory());
  }

  static void buffers() {
    for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(32), ByteBuffer.allocateDirect(32)}) {
      buffer.putInt(0x01020304).putLong(5).put((byte) 6).putShort((short) 7).order(ByteOrder.LITTLE_ENDIAN).putInt(8).putDouble(1.5);
      buffer.flip();
      System.out.println(buffer.get() + " " + buffer.remaining() + buffer.order(ByteOrder.BIG_ENDIAN).getShort() + buffer.get() + buffer.getLong() + buffer.get() + buffer.getShort() + buffer.order(ByteOrder.LITTLE_ENDIAN).getInt() + buffer.getDouble() + buffer.hasRemaining() + buffer.isDirect() + buffer.limit() + buffer.capacity());
    }
    System.out.println(ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2).slice().get(1));
  }

  static void system() {
    System.out.println((System.currentTimeMillis() > 1600000000000L) + System.getProperty("line.separator") + System.getProperty("no.such", "default") + System.getenv("NO_SUCH_VARIABLE") + (System.getenv("PATH") != null) + System.getenv().containsKey("PATH"));
    System.setProperty("own", "value");
    int[] source = {1, 2, 3, 4, 5};
    System.arraycopy(source, 0, source, 1, 4);
    System.out.println(System.getProperty("own") + Arrays.toString(source) + (System.identityHashCode(source) == System.identityHashCode(source)) + System.identityHashCode(null));
    Object object = new Object();
    System.out.println(object.equals(object) + " " + object.toString().startsWith("java.lang.Object@") + (object.hashCode() == System.identityHashCode(object)));
  }

  public static void main(String[] args) throws Exception {
    classes();
    files();
    references();
    buffers();
    system();
  }
}
