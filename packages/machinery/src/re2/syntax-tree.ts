/**
 * Syntax tree of a pattern. Every node knows its height and its number of instructions, so that an oversized pattern is rejected
 * while it is parsed.
 *
 *     pattern → parse → Node → compileProgram → Program
 */
import type { CharClass } from "./char-class.ts";

/** A condition on the edge between two characters. */
export type Assertion = "begin-text" | "end-text" | "begin-line" | "end-line" | "word-boundary" | "no-word-boundary";

interface Measures {
  /** Whether it can match the empty text. */
  readonly nullable: boolean;
  readonly height: number;
  readonly size: number;
}

/** A node of the tree. */
export type Node = Measures &
  (
    | { readonly kind: "empty" }
    | { readonly kind: "char"; readonly charClass: CharClass }
    | { readonly kind: "assert"; readonly assertion: Assertion }
    | { readonly kind: "capture"; readonly index: number; readonly child: Node }
    | RepeatNode
    | { readonly kind: "concat"; readonly children: readonly Node[] }
    | { readonly kind: "alternate"; readonly children: readonly Node[] }
  );

/** A repetition. */
export interface RepeatNode {
  readonly kind: "repeat";
  readonly child: Node;
  readonly min: number;
  /** Infinity for no limit. */
  readonly max: number;
  readonly greedy: boolean;
  /** Whether it was written with braces, whose counts multiply towards the limit of 1000. */
  readonly counted: boolean;
}

/** The empty node, which always matches. */
export const emptyNode: Node = { kind: "empty", nullable: true, height: 1, size: 1 };

/** One character of a class. */
export function charNode(charClass: CharClass): Node {
  return { kind: "char", charClass, nullable: false, height: 1, size: 1 };
}

/** An assertion, which consumes no character. */
export function assertNode(assertion: Assertion): Node {
  return { kind: "assert", assertion, nullable: true, height: 1, size: 1 };
}

/** A numbered group. */
export function captureNode(index: number, child: Node): Node {
  return { kind: "capture", index, child, nullable: child.nullable, height: child.height + 1, size: child.size + 2 };
}

/** A repetition, greedy or not. */
export function repeatNode(fields: Omit<RepeatNode, "kind">): Node {
  const { child, min, max } = fields;
  const copies = max === Infinity ? Math.max(min, 1) * child.size + 2 : max * child.size + (max - min);
  return { kind: "repeat", ...fields, nullable: min === 0 || child.nullable, height: child.height + 1, size: Math.max(copies, 1) };
}

/** A sequence; of one it is that node, of none the empty node. */
export function concatNode(children: readonly Node[]): Node {
  const [only] = children;
  if (only === undefined) return emptyNode;
  if (children.length === 1) return only;
  const nullable = children.every((child) => child.nullable);
  return { kind: "concat", children, nullable, height: heightOver(children, "concat"), size: sizeOf(children) };
}

/** A choice, earlier ones preferred; of one it is that node. */
export function alternateNode(children: readonly Node[]): Node {
  const [only] = children;
  if (only === undefined) return emptyNode;
  if (children.length === 1) return only;
  const nullable = children.some((child) => child.nullable);
  return { kind: "alternate", children, nullable, height: heightOver(children, "alternate"), size: sizeOf(children) + children.length - 1 };
}

/**
 * Yields the members of nested sequences (or nested choices) from last to first. Such nesting does not count as height and may
 * exceed the call stack, so walkers must use this function.
 */
export function* membersBackwards(node: Node & { readonly children: readonly Node[] }): Generator<Node> {
  const pending: Node[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === node.kind) for (const child of (next as typeof node).children) pending.push(child);
    else yield next;
  }
}

/** Whether nested counted repetitions stay within so many copies of the innermost node. */
export function repeatsWithin(node: Node, copiesMax: number): boolean {
  switch (node.kind) {
    case "repeat": {
      if (!node.counted) return repeatsWithin(node.child, copiesMax);
      const copies = node.max === Infinity ? node.min : node.max;
      if (node.max === 0) return true;
      if (copies > copiesMax) return false;
      return repeatsWithin(node.child, copies > 0 ? Math.floor(copiesMax / copies) : copiesMax);
    }
    case "capture":
      return repeatsWithin(node.child, copiesMax);
    case "concat":
    case "alternate":
      for (const member of membersBackwards(node)) if (!repeatsWithin(member, copiesMax)) return false;
      return true;
    case "empty":
    case "char":
    case "assert":
      return true;
    default:
      return node satisfies never;
  }
}

function heightOver(children: readonly Node[], kind: Node["kind"]): number {
  return children.reduce((height, child) => Math.max(height, child.kind === kind ? child.height : child.height + 1), 1);
}

function sizeOf(children: readonly Node[]): number {
  return children.reduce((size, child) => size + child.size, 0);
}
