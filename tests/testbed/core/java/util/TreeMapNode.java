// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A node of TreeMap's AVL tree. */
final class TreeMapNode<K, V> extends AbstractMap.SimpleEntry<K, V> {
  TreeMapNode<K, V> left;
  TreeMapNode<K, V> right;
  private int height = 1;

  TreeMapNode(K key, V value) {
    super(key, value);
  }

  private static int height(TreeMapNode<?, ?> node) {
    return node == null ? 0 : node.height;
  }

  private static void updateHeight(TreeMapNode<?, ?> node) {
    node.height = 1 + Math.max(height(node.left), height(node.right));
  }

  private static <K, V> TreeMapNode<K, V> rotateRight(TreeMapNode<K, V> node) {
    TreeMapNode<K, V> top = node.left;
    node.left = top.right;
    top.right = node;
    updateHeight(node);
    updateHeight(top);
    return top;
  }

  private static <K, V> TreeMapNode<K, V> rotateLeft(TreeMapNode<K, V> node) {
    TreeMapNode<K, V> top = node.right;
    node.right = top.left;
    top.left = node;
    updateHeight(node);
    updateHeight(top);
    return top;
  }

  /** The tree below {@code node}, whose branches were of the same height but for two; its new top. */
  static <K, V> TreeMapNode<K, V> balance(TreeMapNode<K, V> node) {
    updateHeight(node);
    int tilt = height(node.left) - height(node.right);
    if (tilt > 1) {
      if (height(node.left.left) < height(node.left.right)) {
        node.left = rotateLeft(node.left);
      }
      return rotateRight(node);
    }
    if (tilt < -1) {
      if (height(node.right.right) < height(node.right.left)) {
        node.right = rotateRight(node.right);
      }
      return rotateLeft(node);
    }
    return node;
  }
}
