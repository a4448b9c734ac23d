// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Operations on collections. */
public final class Collections {
  /** ART reads this one for exceptions it creates itself. */
  @SuppressWarnings("rawtypes")
  public static final List EMPTY_LIST = new UnmodifiableList<>(new ArrayList<>(0));

  @SuppressWarnings("rawtypes")
  public static final Set EMPTY_SET = new UnmodifiableSet<>(new HashSet<>());

  @SuppressWarnings("rawtypes")
  public static final Map EMPTY_MAP = new UnmodifiableMap<>(new HashMap<>());

  @SuppressWarnings("unchecked")
  public static <T> List<T> emptyList() {
    return EMPTY_LIST;
  }

  @SuppressWarnings("unchecked")
  public static <T> Set<T> emptySet() {
    return EMPTY_SET;
  }

  @SuppressWarnings("unchecked")
  public static <K, V> Map<K, V> emptyMap() {
    return EMPTY_MAP;
  }

  public static <T> Iterator<T> emptyIterator() {
    return Collections.<T>emptyList().iterator();
  }

  public static <T> List<T> singletonList(T element) {
    List<T> list = new ArrayList<>(1);
    list.add(element);
    return unmodifiableList(list);
  }

  public static <T> Set<T> singleton(T element) {
    Set<T> set = new HashSet<>();
    set.add(element);
    return unmodifiableSet(set);
  }

  public static <K, V> Map<K, V> singletonMap(K key, V value) {
    Map<K, V> map = new HashMap<>();
    map.put(key, value);
    return unmodifiableMap(map);
  }

  public static <T> List<T> nCopies(int count, T element) {
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element);
    }
    return unmodifiableList(list);
  }

  public static <T> Collection<T> unmodifiableCollection(Collection<? extends T> collection) {
    return new UnmodifiableCollection<>(collection);
  }

  public static <T> List<T> unmodifiableList(List<? extends T> list) {
    return new UnmodifiableList<>(list);
  }

  public static <T> Set<T> unmodifiableSet(Set<? extends T> set) {
    return new UnmodifiableSet<>(set);
  }

  public static <K, V> Map<K, V> unmodifiableMap(Map<? extends K, ? extends V> map) {
    return new UnmodifiableMap<>(map);
  }

  public static <T> Collection<T> synchronizedCollection(Collection<T> collection) {
    return new SynchronizedCollection<>(collection);
  }

  public static <T> List<T> synchronizedList(List<T> list) {
    return new SynchronizedList<>(list);
  }

  public static <T> Set<T> synchronizedSet(Set<T> set) {
    return new SynchronizedSet<>(set);
  }

  public static <K, V> Map<K, V> synchronizedMap(Map<K, V> map) {
    return new SynchronizedMap<>(map);
  }

  public static <T> Set<T> newSetFromMap(Map<T, Boolean> map) {
    return new MapSet<>(map);
  }

  @SafeVarargs
  public static <T> boolean addAll(Collection<? super T> collection, T... elements) {
    boolean changed = false;
    for (T element : elements) {
      changed |= collection.add(element);
    }
    return changed;
  }

  public static <T extends Comparable<? super T>> void sort(List<T> list) {
    list.sort(null);
  }

  public static <T> void sort(List<T> list, Comparator<? super T> order) {
    list.sort(order);
  }

  public static <T extends Comparable<? super T>> Comparator<T> naturalOrder() {
    return Comparator.naturalOrder();
  }

  @SuppressWarnings("unchecked")
  public static <T> Comparator<T> reverseOrder() {
    return (left, right) -> ((Comparable<Object>) right).compareTo(left);
  }

  public static <T> Comparator<T> reverseOrder(Comparator<T> order) {
    return order == null ? reverseOrder() : order.reversed();
  }

  public static <T> int binarySearch(List<? extends Comparable<? super T>> list, T wanted) {
    return search(list, wanted, null);
  }

  public static <T> int binarySearch(List<? extends T> list, T wanted, Comparator<? super T> order) {
    return search(list, wanted, order);
  }

  @SuppressWarnings("unchecked")
  private static int search(List<?> list, Object wanted, Comparator<?> order) {
    Comparator<Object> effective = (Comparator<Object>) order;
    int low = 0;
    int high = list.size() - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      Object element = list.get(middle);
      int result =
          effective == null
              ? ((Comparable<Object>) element).compareTo(wanted)
              : effective.compare(element, wanted);
      if (result == 0) {
        return middle;
      } else if (result < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }

  public static void reverse(List<?> list) {
    for (int i = 0, j = list.size() - 1; i < j; i++, j--) {
      swap(list, i, j);
    }
  }

  @SuppressWarnings("unchecked")
  public static void swap(List<?> list, int i, int j) {
    List<Object> objects = (List<Object>) list;
    objects.set(i, objects.set(j, objects.get(i)));
  }

  public static void shuffle(List<?> list) {
    shuffle(list, new Random());
  }

  public static void shuffle(List<?> list, Random random) {
    for (int i = list.size(); i > 1; i--) {
      swap(list, i - 1, random.nextInt(i));
    }
  }

  public static <T> void fill(List<? super T> list, T element) {
    for (int i = 0; i < list.size(); i++) {
      list.set(i, element);
    }
  }

  public static <T extends Comparable<? super T>> T min(Collection<? extends T> elements) {
    return min(elements, Comparator.<T>naturalOrder());
  }

  public static <T> T min(Collection<? extends T> elements, Comparator<? super T> order) {
    Iterator<? extends T> i = elements.iterator();
    T least = i.next();
    while (i.hasNext()) {
      T next = i.next();
      if (order.compare(next, least) < 0) {
        least = next;
      }
    }
    return least;
  }

  public static <T extends Comparable<? super T>> T max(Collection<? extends T> elements) {
    return min(elements, Comparator.<T>reverseOrder());
  }

  public static <T> T max(Collection<? extends T> elements, Comparator<? super T> order) {
    return min(elements, (left, right) -> order.compare(right, left));
  }

  public static int frequency(Collection<?> elements, Object wanted) {
    int count = 0;
    for (Object element : elements) {
      count += Objects.equals(element, wanted) ? 1 : 0;
    }
    return count;
  }

  public static boolean disjoint(Collection<?> left, Collection<?> right) {
    for (Object element : left) {
      if (right.contains(element)) {
        return false;
      }
    }
    return true;
  }

  private Collections() {}
}
