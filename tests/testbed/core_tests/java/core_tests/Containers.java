// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The collections. */
public class Containers {
  interface Body {
    Object run();
  }

  static String thrown(Body body) {
    try {
      return "no exception but " + body.run();
    } catch (RuntimeException exception) {
      return exception.getClass().getName();
    }
  }

  static void lists(List<Integer> list) {
    list.addAll(Arrays.asList(5, 3, 8, 1));
    list.add(2, 7);
    list.add(9);
    list.remove(0);
    list.remove(Integer.valueOf(8));
    System.out.println(list + " " + list.size() + list.indexOf(7) + list.lastIndexOf(99) + list.contains(1) + list.get(1) + list.set(1, 70) + list.hashCode() + list.equals(Arrays.asList(3, 70, 1, 9)));
    ListIterator<Integer> i = list.listIterator();
    while (i.hasNext()) {
      int value = i.next();
      if (value == 70) {
        i.remove();
      } else if (value == 1) {
        i.set(11);
        i.add(12);
      }
    }
    while (i.hasPrevious()) {
      System.out.print(i.previousIndex() + ":" + i.previous() + " ");
    }
    list.subList(1, 3).clear();
    System.out.println(list + thrown(() -> list.get(10)) + thrown(() -> {
      for (Integer each : list) {
        list.add(each);
      }
      return null;
    }));
    list.clear();
    for (int k = 0; k < 1000; k++) {
      list.add(k * 7919 % 1000);
    }
    Collections.sort(list);
    System.out.println(list.get(0) + " " + list.get(999) + " " + Collections.binarySearch(list, 500) + " " + list.removeAll(Arrays.asList(1, 2, 3)) + list.retainAll(new HashSet<>(list.subList(0, 10))) + list);
    System.out.println(Arrays.toString(list.toArray(new Integer[0])) + list.toArray().length + list.isEmpty());
  }

  static void maps(Map<String, Integer> map) {
    for (String word : "the quick brown fox jumps over the lazy dog the end".split(" ")) {
      map.merge(word, 1, Integer::sum);
    }
    System.out.println(new TreeMap<>(map) + " " + map.size() + map.get("the") + map.get("none") + map.getOrDefault("none", -1) + map.containsKey("fox") + map.containsValue(3) + map.put("fox", 10) + map.putIfAbsent("fox", 11) + map.remove("dog") + map.remove("dog"));
    System.out.println(map.computeIfAbsent("new", String::length) + " " + map.computeIfPresent("new", (k, v) -> v * 2) + map.compute("new", (k, v) -> null) + map.containsKey("new") + map.replace("fox", 12) + map.hashCode() + map.equals(new HashMap<>(map)));
    map.keySet().removeIf(word -> word.length() > 4);
    map.values().remove(12);
    map.replaceAll((k, v) -> v + k.length());
    for (Iterator<Map.Entry<String, Integer>> i = map.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<String, Integer> entry = i.next();
      if (entry.getKey().equals("end")) {
        i.remove();
      } else {
        entry.setValue(entry.getValue() + 100);
      }
    }
    List<String> sorted = new ArrayList<>(map.keySet());
    Collections.sort(sorted);
    System.out.println(sorted + " " + new TreeMap<>(map));
    for (int i = 0; i < 2000; i++) {
      map.put("key" + i, i);
    }
    for (int i = 0; i < 2000; i += 2) {
      map.remove("key" + i);
    }
    long total = 0;
    for (int value : map.values()) {
      total += value;
    }
    System.out.println(map.size() + " " + total);
  }

  public static void main(String[] args) {
    lists(new ArrayList<>());
    lists(new LinkedList<>());
    maps(new HashMap<>());
    maps(new LinkedHashMap<>());
    maps(new TreeMap<>());
    maps(new ConcurrentHashMap<>());
    maps(Collections.synchronizedMap(new HashMap<>()));
    maps(new Hashtable<>());

    LinkedHashMap<Integer, String> recent = new LinkedHashMap<Integer, String>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
        return size() > 3;
      }
    };
    for (int i = 0; i < 4; i++) {
      recent.put(i, "v" + i);
      recent.get(1);
    }
    System.out.println(recent + " " + recent.keySet() + recent.values() + recent.entrySet());
    Map<String, Integer> withNull = new HashMap<>();
    withNull.put(null, 1);
    withNull.put("n", null);
    System.out.println(withNull.get(null) + " " + withNull.containsKey("n") + withNull.get("n") + withNull);

    TreeMap<Integer, String> tree = new TreeMap<>(Comparator.reverseOrder());
    for (int i = 0; i < 50; i++) {
      tree.put(i * 37 % 50, "t" + i);
    }
    for (int i = 0; i < 50; i += 3) {
      tree.remove(i);
    }
    System.out.println(tree.firstKey() + " " + tree.lastEntry() + tree.floorKey(30) + tree.ceilingKey(30) + tree.lowerKey(31) + tree.higherKey(1) + tree.headMap(40) + tree.tailMap(10) + tree.subMap(20, 10) + tree.pollFirstEntry() + tree.descendingMap().firstKey());

    Set<String> hash = new HashSet<>(Arrays.asList("b", "a", "c", "a"));
    TreeSet<String> sorted = new TreeSet<>(hash);
    System.out.println(hash.size() + " " + sorted + sorted.first() + sorted.last() + sorted.ceiling("bb") + sorted.floor("bb") + sorted.headSet("b") + sorted.tailSet("b") + sorted.descendingSet() + sorted.pollFirst() + hash.add("a") + hash.equals(new HashSet<>(Arrays.asList("c", "b", "a"))) + new LinkedHashSet<>(Arrays.asList(3, 1, 2, 3)));

    Deque<Integer> deque = new ArrayDeque<>();
    for (int i = 0; i < 40; i++) {
      deque.addLast(i);
      deque.addFirst(-i);
      if (i % 3 == 0) {
        deque.pollLast();
      }
    }
    deque.removeFirstOccurrence(7);
    System.out.println(deque + " " + deque.peekFirst() + deque.getLast() + deque.pop() + deque.size() + thrown(() -> new ArrayDeque<>().pop()) + thrown(() -> deque.add(null)));
    Queue<int[]> heap = new PriorityQueue<>((a, b) -> a[0] - b[0]);
    for (int i = 0; i < 30; i++) {
      heap.add(new int[] {i * 17 % 31});
    }
    StringBuilder order = new StringBuilder();
    while (!heap.isEmpty()) {
      order.append(heap.poll()[0]).append(' ');
    }
    System.out.println(order);
    PriorityQueue<String> words = new PriorityQueue<>(Arrays.asList("pear", "fig", "apple"));
    System.out.println(words.peek() + words.remove("apple") + words.poll() + words.size());
    Stack<Integer> stack = new Stack<>();
    stack.push(1);
    stack.push(2);
    System.out.println(stack.pop() + stack.peek() + " " + stack.empty() + stack);

    Integer[] boxes = {5, 2, 9};
    Arrays.sort(boxes, Collections.reverseOrder());
    int[] ints = {5, 2, 9, -1, 2};
    Arrays.sort(ints);
    double[] doubles = {0.5, Double.NaN, -0.0, 0.0, -1};
    Arrays.sort(doubles);
    System.out.println(Arrays.toString(boxes) + Arrays.toString(ints) + Arrays.toString(doubles) + Arrays.binarySearch(ints, 5) + Arrays.binarySearch(ints, 4) + Arrays.equals(ints, ints.clone()) + Arrays.hashCode(ints) + Arrays.toString(Arrays.copyOfRange(ints, 1, 8)) + Arrays.asList(1, 2).hashCode() + Arrays.deepEquals(new int[][] {{1}}, new int[][] {{1}}));
    char[] letters = new char[3];
    Arrays.fill(letters, 'z');
    System.out.println(new String(letters) + Collections.max(Arrays.asList(3, 7, 5)) + Collections.min(Arrays.asList("b", "a")) + Collections.frequency(Arrays.asList(1, 2, 1), 1) + Collections.nCopies(3, "n") + Collections.emptyList() + Collections.singletonList(1) + Collections.unmodifiableList(Arrays.asList(1)));
    List<Integer> shuffled = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5, 6));
    Collections.shuffle(shuffled, new Random(7));
    Collections.reverse(shuffled);
    Collections.swap(shuffled, 0, 5);
    System.out.println(shuffled + thrown(() -> Collections.unmodifiableList(shuffled).add(1)) + thrown(() -> Collections.unmodifiableMap(new HashMap<>()).put(1, 1)) + thrown(() -> Arrays.asList(1, 2).add(3)) + thrown(() -> Collections.emptyList().iterator().next()));

    Optional<String> present = Optional.of("value");
    System.out.println(present.map(String::length).filter(n -> n > 3).get() + " " + Optional.empty().isPresent() + Optional.ofNullable((String) null).orElse("other") + present + Objects.hash(1, "a", null) + Objects.equals(null, null) + Objects.requireNonNull("x") + thrown(() -> Objects.requireNonNull(null, "message")));
    BitSet bits = new BitSet();
    bits.set(3);
    bits.set(70, 73);
    bits.flip(71);
    System.out.println(bits + " " + bits.cardinality() + bits.nextSetBit(4) + bits.nextClearBit(3) + bits.length() + bits.get(72));
    EnumMap<Thread.State, Integer> states = new EnumMap<>(Thread.State.class);
    states.put(Thread.State.WAITING, 1);
    states.put(Thread.State.NEW, 2);
    System.out.println(states + " " + EnumSet.of(Thread.State.BLOCKED, Thread.State.NEW) + EnumSet.allOf(Thread.State.class).size());
    CopyOnWriteArrayList<Integer> copies = new CopyOnWriteArrayList<>(Arrays.asList(1, 2, 3));
    for (Integer each : copies) {
      copies.add(each * 10);
    }
    System.out.println(copies + " " + copies.remove(Integer.valueOf(2)) + copies.addIfAbsent(1));
  }
}
