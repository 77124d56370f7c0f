/**
 * A syntax tree compiled to instructions, in flat arrays addressed by index.
 *
 *     parse → Node → compileProgram → Program → LazyDfa (yes or no), findFirst (where)
 */
import type { CharClass } from "./char-class.ts";
import { edgeBits } from "./edge.ts";
import { membersBackwards } from "./syntax-tree.ts";
import type { Node, RepeatNode } from "./syntax-tree.ts";

/** The kinds of instructions. */
export const op = { match: 0, char: 1, either: 2, assert: 3 } as const;

/** Instructions by index, and their operands. */
export interface Program {
  readonly start: number;
  /** Whether a match can only start at the beginning of the text. */
  readonly anchored: boolean;
  /** Every bit of `edgeBits` that some instruction tests. */
  readonly edges: number;
  readonly ops: Uint8Array;
  /** Next instruction; for `either` the preferred one. */
  readonly outs: Int32Array;
  /** `either`: the other choice. `char`: index of the class. `assert`: bits of `edgeBits`. */
  readonly args: Int32Array;
  readonly classes: readonly CharClass[];
}

/** Compiles a tree. Assumes the limits that the parser checks. */
export function compileProgram(node: Node): Program {
  return new Compiler().compile(node);
}

// Emits code from the end of the pattern to its start, so the successor of each node is known.
class Compiler {
  readonly #ops: number[] = [];
  readonly #outs: number[] = [];
  readonly #args: number[] = [];
  readonly #classes: CharClass[] = [];
  readonly #classIndexes = new Map<string, number>();
  #edges = 0;

  compile(node: Node): Program {
    const start = this.#node(node, this.#emit(op.match, 0, 0));
    return {
      start,
      anchored: beginsAtStart(node),
      edges: this.#edges,
      ops: Uint8Array.from(this.#ops),
      outs: Int32Array.from(this.#outs),
      args: Int32Array.from(this.#args),
      classes: this.#classes,
    };
  }

  /** Emits a node that continues at `next`, and returns its start. */
  #node(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "char":
        return this.#emit(op.char, next, this.#classIndex(node.charClass));
      case "assert":
        this.#edges |= edgeBits[node.assertion];
        return this.#emit(op.assert, next, edgeBits[node.assertion]);
      case "capture":
        return this.#node(node.child, next);
      case "repeat":
        return this.#repeat(node, next);
      case "concat": {
        let entry = next;
        for (const member of membersBackwards(node)) entry = this.#node(member, entry);
        return entry;
      }
      case "alternate": {
        let entry: number | undefined;
        for (const member of membersBackwards(node)) {
          const branch = this.#node(member, next);
          entry = entry === undefined ? branch : this.#emit(op.either, branch, entry);
        }
        return entry ?? next;
      }
      default:
        return node satisfies never;
    }
  }

  #repeat({ child, min, max, greedy }: RepeatNode, next: number): number {
    if (max === Infinity && min === 0 && !child.nullable) return this.#loop(child, greedy, next).head;
    if (max === Infinity && min === 0) {
      // x* of a nullable x is (x+)?, otherwise an empty iteration would be preferred over going on.
      return this.#either(this.#loop(child, greedy, next).body, next, greedy);
    }
    let entry = max === Infinity ? this.#loop(child, greedy, next).body : next;
    if (max !== Infinity) for (let count = min; count < max; count++) entry = this.#either(this.#node(child, entry), next, greedy);
    for (let count = max === Infinity ? 1 : 0; count < min; count++) entry = this.#node(child, entry);
    return entry;
  }

  /** A child followed by the choice between another iteration and going on: entered at the body for x+, at the head for x*. */
  #loop(child: Node, greedy: boolean, next: number): { readonly head: number; readonly body: number } {
    const head = this.#either(next, next, greedy);
    const body = this.#node(child, head);
    (greedy ? this.#outs : this.#args)[head] = body;
    return { head, body };
  }

  #either(preferred: number, other: number, greedy: boolean): number {
    return greedy ? this.#emit(op.either, preferred, other) : this.#emit(op.either, other, preferred);
  }

  #emit(code: number, out: number, arg: number): number {
    this.#outs.push(out);
    this.#args.push(arg);
    return this.#ops.push(code) - 1;
  }

  #classIndex(charClass: CharClass): number {
    const known = this.#classIndexes.get(charClass.key);
    if (known !== undefined) return known;
    this.#classIndexes.set(charClass.key, this.#classes.length);
    return this.#classes.push(charClass) - 1;
  }
}

function beginsAtStart(node: Node): boolean {
  switch (node.kind) {
    case "assert":
      return node.assertion === "begin-text";
    case "capture":
      return beginsAtStart(node.child);
    case "repeat":
      return node.min > 0 && beginsAtStart(node.child);
    case "concat": {
      let first: Node | undefined = node;
      while (first?.kind === "concat") first = first.children[0];
      return first !== undefined && beginsAtStart(first);
    }
    case "alternate":
      for (const member of membersBackwards(node)) if (!beginsAtStart(member)) return false;
      return true;
    case "empty":
    case "char":
      return false;
    default:
      return node satisfies never;
  }
}
