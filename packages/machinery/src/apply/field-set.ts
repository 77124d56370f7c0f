/**
 * A set of paths into an object, stored as the tree of FieldsV1: a node without children is a member, a node with children is a
 * member when it also has the key `.`, and the root never is.
 *
 *     { "f:spec": { "f:replicas": {} }, "f:labels": { ".": {}, "f:app": {} } }    .spec.replicas, .labels, .labels.app
 *
 * Sets are immutable, and results share unchanged parts with their inputs. Keys are canonical path elements in the server's order;
 * `decodeFieldSet` canonicalizes any FieldsV1.
 */
import { hasMembers } from "./has-members.ts";
import { compareElements } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** One node of the tree; also the whole set. */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

type Draft = Record<PathElement, FieldSet>;

/** The empty set, and the node of a member without children. */
export const emptyFieldSet: FieldSet = Object.freeze({});

/** Whether a set has no path. */
export const isEmptyFieldSet = (set: FieldSet): boolean => !hasMembers(set);

/** Whether a node other than the root is itself in the set. */
export const isMember = (node: FieldSet): boolean => node["."] !== undefined || !hasMembers(node);

/** Returns the child elements of a node, in order. */
export function childElements(node: FieldSet): PathElement[] {
  const keys = Object.keys(node);
  if (keys[0] === ".") keys.shift();
  return keys;
}

/**
 * Returns a node with these children, in any order; undefined when nothing is left of it. Children of a member that begin with `.`
 * and are in order need not be copied.
 */
export function fieldNode(member: boolean, children: Readonly<Record<PathElement, FieldSet>> | undefined): FieldSet | undefined {
  // Listed once: a large object is enumerated whole even for its first key.
  const elements = children === undefined ? [] : Object.keys(children);
  if (children === undefined || elements.length === 0) return member ? emptyFieldSet : undefined;
  if (isSorted(elements)) return member && elements[0] !== "." ? { ".": emptyFieldSet, ...children } : children;
  // The engine's order is nearly always the server's, and much faster.
  elements.sort();
  if (!isSorted(elements)) elements.sort(compareElements);
  const node: Draft = member ? { ".": emptyFieldSet } : {};
  for (const element of elements) node[element] = children[element] ?? emptyFieldSet;
  return node;
}

/** Returns the set of these paths. */
export const fieldSetOf = (...paths: readonly (readonly PathElement[])[]): FieldSet => fieldSetFrom(paths);

/** Returns the set of these paths, of which there may be many. */
export function fieldSetFrom(paths: readonly (readonly PathElement[])[]): FieldSet {
  return (
    gather(
      paths.filter((path) => path.length > 0),
      0,
    ) ?? emptyFieldSet
  );
}

/** Returns the node that all these paths pass through after `depth` steps. */
function gather(paths: readonly (readonly PathElement[])[], depth: number): FieldSet | undefined {
  const below = new Map<PathElement, (readonly PathElement[])[]>();
  for (const path of paths) {
    const element = path[depth];
    if (element === undefined) continue;
    const same = below.get(element);
    if (same === undefined) below.set(element, [path]);
    else same.push(path);
  }
  const children: Draft = {};
  for (const [element, group] of below) children[element] = gather(group, depth + 1) ?? emptyFieldSet;
  return fieldNode(depth > 0 && paths.some((path) => path.length === depth), children);
}

/** Whether a path is in the set; those above and below it do not count. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet = set;
  for (const element of path) {
    const next = node[element];
    if (next === undefined) return false;
    node = next;
  }
  return path.length > 0 && isMember(node);
}

/** Returns every path of the set: at each node its members first, then what is below them. */
export function fieldPaths(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = [];
  const visit = (node: FieldSet, prefix: readonly PathElement[]): void => {
    const elements = childElements(node);
    for (const element of elements) if (isMember(node[element] ?? emptyFieldSet)) paths.push([...prefix, element]);
    for (const element of elements) visit(node[element] ?? emptyFieldSet, [...prefix, element]);
  };
  visit(set, []);
  return paths;
}

/** Returns the union. */
export function unionFieldSets(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || !hasMembers(b)) return a;
  if (!hasMembers(a)) return b;
  return unionChildren(a, b, false);
}

/** Returns the intersection. */
export function intersectFieldSets(a: FieldSet, b: FieldSet): FieldSet {
  return a === b ? a : (intersectNodes(a, b, false) ?? emptyFieldSet);
}

/** Returns what is in `a` and not in `b`. A path in `b` removes itself and nothing below it. */
export function subtractFieldSet(a: FieldSet, b: FieldSet): FieldSet {
  return subtractNode(a, b, false, subtractChild) ?? emptyFieldSet;
}

/** Returns what is in `a` and neither in `b` nor below a path of `b`. */
export function subtractFieldSetRecursively(a: FieldSet, b: FieldSet): FieldSet {
  return subtractNode(a, b, false, subtractChildRecursively) ?? emptyFieldSet;
}

/** Returns the paths of the set that have none below them. */
export function leafFieldSet(set: FieldSet): FieldSet {
  return leafNode(set) ?? emptyFieldSet;
}

/** Whether two sets have the same paths. */
export function sameFieldSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const left = a[key];
      const right = b[key];
      return left !== undefined && right !== undefined && sameFieldSet(left, right);
    })
  );
}

/** Returns the union of two nodes below the root. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  return unionChildren(a, b, isMember(a) || isMember(b));
}

function unionChildren(a: FieldSet, b: FieldSet, member: boolean): FieldSet {
  let added: Draft | undefined;
  let changed: Draft | undefined;
  for (const element of childElements(b)) {
    const own = a[element];
    const other = b[element] ?? emptyFieldSet;
    if (own === undefined) (added ??= {})[element] = other;
    else {
      const union = unionNodes(own, other);
      if (union !== own) (changed ??= {})[element] = union;
    }
  }
  if (added === undefined && changed === undefined && member === (a["."] !== undefined || !hasMembers(a))) return a;
  const { ".": _, ...children } = a;
  return fieldNode(member, { ...children, ...changed, ...added }) ?? emptyFieldSet;
}

function intersectNodes(a: FieldSet, b: FieldSet, member: boolean): FieldSet | undefined {
  let node: Draft | undefined;
  for (const element of Object.keys(a)) {
    const own = a[element];
    const other = b[element];
    if (own === undefined || other === undefined || element === ".") continue;
    const both = own === other ? own : intersectNodes(own, other, isMember(own) && isMember(other));
    if (both !== undefined) (node ??= startNode(member))[element] = both;
  }
  return node ?? (member ? emptyFieldSet : undefined);
}

type SubtractChild = (own: FieldSet, other: FieldSet) => FieldSet | undefined;

const subtractChild: SubtractChild = (own, other) => subtractNode(own, other, isMember(own) && !isMember(other), subtractChild);
const subtractChildRecursively: SubtractChild = (own, other) =>
  isMember(other) ? undefined : subtractNode(own, other, isMember(own), subtractChildRecursively);

function subtractNode(a: FieldSet, b: FieldSet, member: boolean, subtract: SubtractChild): FieldSet | undefined {
  const elements = childElements(a);
  let unchanged = member === (a["."] !== undefined || elements.length === 0);
  let node: Draft | undefined;
  for (const [position, element] of elements.entries()) {
    const own = a[element] ?? emptyFieldSet;
    const other = b[element];
    const rest = other === undefined ? own : subtract(own, other);
    if (unchanged && rest !== own) {
      unchanged = false;
      // Members before the first change are kept as they are.
      for (const kept of elements.slice(0, position)) (node ??= startNode(member))[kept] = a[kept] ?? emptyFieldSet;
    }
    if (!unchanged && rest !== undefined) (node ??= startNode(member))[element] = rest;
  }
  if (unchanged) return a;
  return node ?? (member ? emptyFieldSet : undefined);
}

function leafNode(node: FieldSet): FieldSet | undefined {
  let leaves: Draft | undefined;
  for (const element of childElements(node)) {
    const child = node[element] ?? emptyFieldSet;
    const below = hasMembers(child) ? leafNode(child) : child;
    if (below !== undefined) (leaves ??= {})[element] = below;
  }
  return leaves;
}

/** Returns a node to which children are added in order. */
export const startNode = (member: boolean): Record<PathElement, FieldSet> => (member ? { ".": emptyFieldSet } : {});

function isSorted(keys: readonly PathElement[]): boolean {
  for (let position = 1; position < keys.length; position++)
    if (compareElements(keys[position - 1] ?? "", keys[position] ?? "") > 0) return false;
  return true;
}
