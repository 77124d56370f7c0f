/**
 * An immutable sorted map: a change returns a new map that shares all but O(log n) nodes with the old one. Keeping every revision
 * costs one path each, and a snapshot is a pointer.
 *
 * Weight-balanced: neither side of a node is more than three times as heavy as the other.
 */

export interface SortedTree<V> {
  readonly key: string;
  readonly value: V;
  readonly size: number;
  readonly left: SortedTree<V> | undefined;
  readonly right: SortedTree<V> | undefined;
}

type Tree<V> = SortedTree<V> | undefined;

const sizeOf = <V>(tree: Tree<V>): number => tree?.size ?? 0;

function node<V>(left: Tree<V>, key: string, value: V, right: Tree<V>): SortedTree<V> {
  return { key, value, size: sizeOf(left) + sizeOf(right) + 1, left, right };
}

export function treeGet<V>(tree: Tree<V>, key: string): V | undefined {
  for (let at = tree; at !== undefined; at = key < at.key ? at.left : at.right) if (key === at.key) return at.value;
  return undefined;
}

export function treeSet<V>(tree: Tree<V>, key: string, value: V): SortedTree<V> {
  if (tree === undefined) return node(undefined, key, value, undefined);
  if (key === tree.key) return { ...tree, value };
  return key < tree.key
    ? balanced(treeSet(tree.left, key, value), tree, tree.right)
    : balanced(tree.left, tree, treeSet(tree.right, key, value));
}

/** Returns the tree without a key; the same tree when the key is absent. */
export function treeDelete<V>(tree: Tree<V>, key: string): Tree<V> {
  if (tree === undefined) return undefined;
  if (key === tree.key) return joined(tree.left, tree.right);
  const [left, right] = key < tree.key ? [treeDelete(tree.left, key), tree.right] : [tree.left, treeDelete(tree.right, key)];
  return left === tree.left && right === tree.right ? tree : balanced(left, tree, right);
}

/** Returns the number of smaller keys. */
export function treeRank<V>(tree: Tree<V>, key: string): number {
  let rank = 0;
  for (let at = tree; at !== undefined;) {
    if (key <= at.key) at = at.left;
    else {
      rank += sizeOf(at.left) + 1;
      at = at.right;
    }
  }
  return rank;
}

/** Returns the values of keys in [from, before), in order, at most `limit`. */
export function treeRange<V>(tree: Tree<V>, from: string, before: string, limit: number): V[] {
  const found: V[] = [];
  const visit = (at: Tree<V>): void => {
    if (at === undefined || found.length >= limit) return;
    if (from < at.key) visit(at.left);
    if (from <= at.key && at.key < before && found.length < limit) found.push(at.value);
    if (at.key < before) visit(at.right);
  };
  visit(tree);
  return found;
}

/** Returns all values, in order. */
export function* treeValues<V>(tree: Tree<V>): Generator<V, void, undefined> {
  const above: SortedTree<V>[] = [];
  for (let at = tree; at !== undefined || above.length > 0;) {
    for (; at !== undefined; at = at.left) above.push(at);
    const next = above.pop() as SortedTree<V>;
    yield next.value;
    at = next.right;
  }
}

/** Builds a tree of values in the order of their keys; much faster than setting one after the other. */
export function treeOf<V extends { readonly key: string }>(sorted: readonly V[], from = 0, before: number = sorted.length): Tree<V> {
  const middle = (from + before) >>> 1;
  const value = sorted[middle];
  if (from >= before || value === undefined) return undefined;
  return node(treeOf(sorted, from, middle), value.key, value, treeOf(sorted, middle + 1, before));
}

/** Joins the two children of a removed node. */
function joined<V>(left: Tree<V>, right: Tree<V>): Tree<V> {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (left.size > right.size) {
    const last = lastOf(left);
    return balanced(treeDelete(left, last.key), last, right);
  }
  const first = firstOf(right);
  return balanced(left, first, treeDelete(right, first.key));
}

function firstOf<V>(tree: SortedTree<V>): SortedTree<V> {
  let at = tree;
  while (at.left !== undefined) at = at.left;
  return at;
}

function lastOf<V>(tree: SortedTree<V>): SortedTree<V> {
  let at = tree;
  while (at.right !== undefined) at = at.right;
  return at;
}

/** Builds a node from two trees of which one may be one step too heavy. */
function balanced<V>(left: Tree<V>, { key, value }: SortedTree<V>, right: Tree<V>): SortedTree<V> {
  const [leftSize, rightSize] = [sizeOf(left), sizeOf(right)];
  if (leftSize + rightSize <= 1) return node(left, key, value, right);
  if (right !== undefined && rightSize > 3 * leftSize) return rotateLeft(left, key, value, right);
  if (left !== undefined && leftSize > 3 * rightSize) return rotateRight(left, key, value, right);
  return node(left, key, value, right);
}

function rotateLeft<V>(left: Tree<V>, key: string, value: V, right: SortedTree<V>): SortedTree<V> {
  const inner = right.left;
  if (inner === undefined || inner.size < 2 * sizeOf(right.right))
    return node(node(left, key, value, inner), right.key, right.value, right.right);
  return node(node(left, key, value, inner.left), inner.key, inner.value, node(inner.right, right.key, right.value, right.right));
}

function rotateRight<V>(left: SortedTree<V>, key: string, value: V, right: Tree<V>): SortedTree<V> {
  const inner = left.right;
  if (inner === undefined || inner.size < 2 * sizeOf(left.left))
    return node(left.left, left.key, left.value, node(inner, key, value, right));
  return node(node(left.left, left.key, left.value, inner.left), inner.key, inner.value, node(inner.right, key, value, right));
}
