package java.util;

import java.lang.reflect.Array;

/** What one does with arrays. */
public final class Arrays {
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <T> List<T> asList(T... elements) {
    return new ArrayView<>(elements);
  }

  /** A list over an array, of fixed length. */
  private static final class ArrayView<E> extends AbstractList<E> implements RandomAccess {
    private final E[] elements;

    ArrayView(E[] elements) {
      this.elements = Objects.requireNonNull(elements);
    }

    @Override
    public int size() {
      return elements.length;
    }

    @Override
    public E get(int index) {
      return elements[index];
    }

    @Override
    public E set(int index, E element) {
      E previous = elements[index];
      elements[index] = element;
      return previous;
    }
  }

  private static int checkedLength(int arrayLength, int start, int end) {
    if (end < start) {
      throw new IllegalArgumentException(start + " > " + end);
    }
    if (start < 0 || start > arrayLength) {
      throw new ArrayIndexOutOfBoundsException("start " + start + " of " + arrayLength);
    }
    return end - start;
  }

  public static <T> T[] copyOf(T[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  @SuppressWarnings("unchecked")
  public static <T> T[] copyOfRange(T[] array, int start, int end) {
    int length = checkedLength(array.length, start, end);
    T[] copy = (T[]) Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, length));
    return copy;
  }

  public static void fill(Object[] array, Object value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(Object[] array, int start, int end, Object value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static void sort(Object[] array) {
    sort(array, 0, array.length, null);
  }

  public static <T> void sort(T[] array, Comparator<? super T> order) {
    sort(array, 0, array.length, order);
  }

  /** Merge sort, so that equal elements keep their order; a null comparator means the natural order. */
  @SuppressWarnings("unchecked")
  public static <T> void sort(T[] array, int start, int end, Comparator<? super T> order) {
    Comparator<Object> effective = (Comparator<Object>) (order == null ? Comparator.naturalOrder() : order);
    mergeSort(array, new Object[end - start], start, end, effective);
  }

  private static void mergeSort(Object[] array, Object[] spare, int start, int end, Comparator<Object> order) {
    if (end - start < 2) {
      return;
    }
    int middle = start + end >>> 1;
    mergeSort(array, spare, start, middle, order);
    mergeSort(array, spare, middle, end, order);
    if (order.compare(array[middle - 1], array[middle]) <= 0) {
      return;
    }
    System.arraycopy(array, start, spare, 0, middle - start);
    int left = 0;
    int right = middle;
    int to = start;
    while (left < middle - start) {
      boolean takeRight = right < end && order.compare(array[right], spare[left]) < 0;
      array[to++] = takeRight ? array[right++] : spare[left++];
    }
  }

  public static int binarySearch(Object[] array, Object wanted) {
    return binarySearch(array, wanted, null);
  }

  @SuppressWarnings("unchecked")
  public static <T> int binarySearch(T[] array, T wanted, Comparator<? super T> order) {
    return Collections.binarySearch(asList(array), wanted, order);
  }

  public static String toString(Object[] array) {
    return array == null ? "null" : asList(array).toString();
  }

  public static String deepToString(Object[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (Object element : array) {
      text.add(element instanceof Object[] ? deepToString((Object[]) element) : describe(element));
    }
    return text.toString();
  }

  private static String describe(Object element) {
    if (element instanceof boolean[]) {
      return toString((boolean[]) element);
    }
    if (element instanceof byte[]) {
      return toString((byte[]) element);
    }
    if (element instanceof char[]) {
      return toString((char[]) element);
    }
    if (element instanceof short[]) {
      return toString((short[]) element);
    }
    if (element instanceof int[]) {
      return toString((int[]) element);
    }
    if (element instanceof long[]) {
      return toString((long[]) element);
    }
    if (element instanceof float[]) {
      return toString((float[]) element);
    }
    if (element instanceof double[]) {
      return toString((double[]) element);
    }
    return String.valueOf(element);
  }

  public static boolean equals(Object[] left, Object[] right) {
    return left == right || left != null && right != null && asList(left).equals(asList(right));
  }

  public static boolean deepEquals(Object[] left, Object[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (!deepEqualElements(left[i], right[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean deepEqualElements(Object left, Object right) {
    if (left instanceof Object[] && right instanceof Object[]) {
      return deepEquals((Object[]) left, (Object[]) right);
    }
    if (left instanceof boolean[] && right instanceof boolean[]) {
      return equals((boolean[]) left, (boolean[]) right);
    }
    if (left instanceof byte[] && right instanceof byte[]) {
      return equals((byte[]) left, (byte[]) right);
    }
    if (left instanceof char[] && right instanceof char[]) {
      return equals((char[]) left, (char[]) right);
    }
    if (left instanceof short[] && right instanceof short[]) {
      return equals((short[]) left, (short[]) right);
    }
    if (left instanceof int[] && right instanceof int[]) {
      return equals((int[]) left, (int[]) right);
    }
    if (left instanceof long[] && right instanceof long[]) {
      return equals((long[]) left, (long[]) right);
    }
    if (left instanceof float[] && right instanceof float[]) {
      return equals((float[]) left, (float[]) right);
    }
    if (left instanceof double[] && right instanceof double[]) {
      return equals((double[]) left, (double[]) right);
    }
    return Objects.equals(left, right);
  }

  public static int hashCode(Object[] array) {
    return array == null ? 0 : asList(array).hashCode();
  }

  public static String toString(boolean[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (boolean element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(boolean[] array, boolean value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(boolean[] array, int start, int end, boolean value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static boolean[] copyOf(boolean[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static boolean[] copyOfRange(boolean[] array, int start, int end) {
    boolean[] copy = new boolean[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(boolean[] left, boolean[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(boolean[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (boolean element : array) {
      hash = 31 * hash + Boolean.hashCode(element);
    }
    return hash;
  }

  public static String toString(byte[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (byte element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(byte[] array, byte value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(byte[] array, int start, int end, byte value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static byte[] copyOf(byte[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static byte[] copyOfRange(byte[] array, int start, int end) {
    byte[] copy = new byte[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(byte[] left, byte[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(byte[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (byte element : array) {
      hash = 31 * hash + Byte.hashCode(element);
    }
    return hash;
  }

  public static void sort(byte[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(byte[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      byte largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(byte[] array, int start, int from, int length) {
    byte moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && array[start + child] < array[start + child + 1]) {
        child++;
      }
      if (!(moved < array[start + child])) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(byte[] array, byte wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Byte.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(char[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (char element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(char[] array, char value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(char[] array, int start, int end, char value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static char[] copyOf(char[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static char[] copyOfRange(char[] array, int start, int end) {
    char[] copy = new char[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(char[] left, char[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(char[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (char element : array) {
      hash = 31 * hash + Character.hashCode(element);
    }
    return hash;
  }

  public static void sort(char[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(char[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      char largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(char[] array, int start, int from, int length) {
    char moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && array[start + child] < array[start + child + 1]) {
        child++;
      }
      if (!(moved < array[start + child])) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(char[] array, char wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Character.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(short[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (short element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(short[] array, short value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(short[] array, int start, int end, short value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static short[] copyOf(short[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static short[] copyOfRange(short[] array, int start, int end) {
    short[] copy = new short[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(short[] left, short[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(short[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (short element : array) {
      hash = 31 * hash + Short.hashCode(element);
    }
    return hash;
  }

  public static void sort(short[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(short[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      short largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(short[] array, int start, int from, int length) {
    short moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && array[start + child] < array[start + child + 1]) {
        child++;
      }
      if (!(moved < array[start + child])) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(short[] array, short wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Short.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(int[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(int[] array, int value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(int[] array, int start, int end, int value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static int[] copyOf(int[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static int[] copyOfRange(int[] array, int start, int end) {
    int[] copy = new int[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(int[] left, int[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(int[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (int element : array) {
      hash = 31 * hash + Integer.hashCode(element);
    }
    return hash;
  }

  public static void sort(int[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(int[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      int largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(int[] array, int start, int from, int length) {
    int moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && array[start + child] < array[start + child + 1]) {
        child++;
      }
      if (!(moved < array[start + child])) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(int[] array, int wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Integer.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(long[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (long element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(long[] array, long value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(long[] array, int start, int end, long value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static long[] copyOf(long[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static long[] copyOfRange(long[] array, int start, int end) {
    long[] copy = new long[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(long[] left, long[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (left[i] != right[i]) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(long[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (long element : array) {
      hash = 31 * hash + Long.hashCode(element);
    }
    return hash;
  }

  public static void sort(long[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(long[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      long largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(long[] array, int start, int from, int length) {
    long moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && array[start + child] < array[start + child + 1]) {
        child++;
      }
      if (!(moved < array[start + child])) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(long[] array, long wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Long.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(float[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (float element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(float[] array, float value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(float[] array, int start, int end, float value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static float[] copyOf(float[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static float[] copyOfRange(float[] array, int start, int end) {
    float[] copy = new float[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(float[] left, float[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (Float.compare(left[i], right[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(float[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (float element : array) {
      hash = 31 * hash + Float.hashCode(element);
    }
    return hash;
  }

  public static void sort(float[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(float[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      float largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(float[] array, int start, int from, int length) {
    float moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && Float.compare(array[start + child], array[start + child + 1]) < 0) {
        child++;
      }
      if (!(Float.compare(moved, array[start + child]) < 0)) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(float[] array, float wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Float.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static String toString(double[] array) {
    if (array == null) {
      return "null";
    }
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (double element : array) {
      text.add(String.valueOf(element));
    }
    return text.toString();
  }

  public static void fill(double[] array, double value) {
    fill(array, 0, array.length, value);
  }

  public static void fill(double[] array, int start, int end, double value) {
    for (int i = start; i < end; i++) {
      array[i] = value;
    }
  }

  public static double[] copyOf(double[] array, int length) {
    return copyOfRange(array, 0, length);
  }

  public static double[] copyOfRange(double[] array, int start, int end) {
    double[] copy = new double[checkedLength(array.length, start, end)];
    System.arraycopy(array, start, copy, 0, Math.min(array.length - start, end - start));
    return copy;
  }

  public static boolean equals(double[] left, double[] right) {
    if (left == right) {
      return true;
    }
    if (left == null || right == null || left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      if (Double.compare(left[i], right[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  public static int hashCode(double[] array) {
    if (array == null) {
      return 0;
    }
    int hash = 1;
    for (double element : array) {
      hash = 31 * hash + Double.hashCode(element);
    }
    return hash;
  }

  public static void sort(double[] array) {
    sort(array, 0, array.length);
  }

  /** Heap sort: no worst case, no extra memory. */
  public static void sort(double[] array, int start, int end) {
    int length = end - start;
    for (int root = length / 2 - 1; root >= 0; root--) {
      siftDown(array, start, root, length);
    }
    for (int last = length - 1; last > 0; last--) {
      double largest = array[start];
      array[start] = array[start + last];
      array[start + last] = largest;
      siftDown(array, start, 0, last);
    }
  }

  private static void siftDown(double[] array, int start, int from, int length) {
    double moved = array[start + from];
    int root = from;
    for (int child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && Double.compare(array[start + child], array[start + child + 1]) < 0) {
        child++;
      }
      if (!(Double.compare(moved, array[start + child]) < 0)) {
        break;
      }
      array[start + root] = array[start + child];
      root = child;
    }
    array[start + root] = moved;
  }

  public static int binarySearch(double[] array, double wanted) {
    int low = 0;
    int high = array.length - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Double.compare(array[middle], wanted);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static void setAll(int[] array, java.util.function.IntUnaryOperator generator) {
    for (int i = 0; i < array.length; i++) {
      array[i] = generator.applyAsInt(i);
    }
  }

  public static <T> void setAll(T[] array, java.util.function.IntFunction<? extends T> generator) {
    for (int i = 0; i < array.length; i++) {
      array[i] = generator.apply(i);
    }
  }

  private Arrays() {}
}
