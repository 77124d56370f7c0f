/** The threads of a machine: a set of instructions in order of preference, each with the tag of the thread that got there first. */
import { op } from "./program.ts";
import type { Program } from "./program.ts";

/** Marks an edge that is not known yet: threads wait before their assertions. */
export const edgeUnknown = -1;

/** Instructions at which a thread can wait. Clearing it takes constant time. */
export class ThreadSet {
  /** The instructions in order, up to `size`. */
  readonly pcs: Int32Array;
  /** Their tags, up to `size`. */
  readonly tags: Int32Array;
  readonly #program: Program;
  /** Round in which an instruction was last visited. */
  readonly #visited: Int32Array;
  #round = 1;
  readonly #pending: number[] = [];
  #size = 0;
  #hasMatch = false;
  #hasAsserts = false;

  constructor(program: Program) {
    this.#program = program;
    this.pcs = new Int32Array(program.ops.length);
    this.tags = new Int32Array(program.ops.length);
    this.#visited = new Int32Array(program.ops.length);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether a thread has reached the end of the program. */
  get hasMatch(): boolean {
    return this.#hasMatch;
  }

  /** Whether a thread waits before an assertion. */
  get hasAsserts(): boolean {
    return this.#hasAsserts;
  }

  clear(): void {
    if (this.#round === 0x7fffffff) this.#visited.fill(0);
    this.#round = this.#round === 0x7fffffff ? 1 : this.#round + 1;
    this.#size = 0;
    this.#hasMatch = false;
    this.#hasAsserts = false;
  }

  /** Adds every instruction reachable from this one without consuming a character, given the edge here. */
  add(from: number, edges: number, tag: number): void {
    const { ops, outs, args } = this.#program;
    const pending = this.#pending;
    const visited = this.#visited;
    for (let pc: number | undefined = from; pc !== undefined; pc = pending.pop()) {
      if (visited[pc] === this.#round) continue;
      visited[pc] = this.#round;
      const code = ops[pc];
      if (code === op.either) pending.push(args[pc] ?? 0, outs[pc] ?? 0);
      else if (code === op.assert && edges !== edgeUnknown) {
        if (((args[pc] ?? 0) & edges) !== 0) pending.push(outs[pc] ?? 0);
      } else {
        if (code === op.match) this.#hasMatch = true;
        if (code === op.assert) this.#hasAsserts = true;
        this.pcs[this.#size] = pc;
        this.tags[this.#size] = tag;
        this.#size++;
      }
    }
  }
}
