/**
 * Tests whether a text contains a match, in time proportional to the text.
 *
 * The machine is at many instructions at once; such a set is a state, and the step from state to state by a symbol is computed once
 * and cached. The cache is bounded: when it grows too large it is discarded. A text that keeps producing new states runs faster
 * without a cache and is passed to `findFirst`.
 */
import { edgeBits, edgesBetween, isWordChar, newline } from "./edge.ts";
import { findFirst } from "./pike-machine.ts";
import { op } from "./program.ts";
import type { Program } from "./program.ts";
import { codePointAt } from "./symbol-table.ts";
import type { SymbolTable } from "./symbol-table.ts";
import { edgeUnknown, ThreadSet } from "./thread-set.ts";

const statesMax = 2000;
/** Maximum instructions in all cached states. */
const heldMax = 1_000_000;
/** Cost of new states, in instructions, that one text may cause before the cache has to prove useful: about 50 ms. */
const trialMax = 600_000;
/** What a state costs besides its instructions. */
const stateCost = 64;

interface State {
  /** What is already certain: a match, no match, or neither. */
  readonly verdict: "open" | "match" | "never";
  readonly pcs: Int32Array;
  readonly hasAsserts: boolean;
  /** A code point that looks like the previous one to the program; undefined at the start. */
  readonly before: number | undefined;
  readonly next: (State | undefined)[];
  /** Whether there is a match if the text ends here; undefined until requested. */
  matchesAtEnd: boolean | undefined;
}

/** The cached states of one program. */
export class LazyDfa {
  readonly #program: Program;
  readonly #symbols: SymbolTable;
  /** By hash of their instructions. */
  readonly #states = new Map<number, State[]>();
  #count = 0;
  #held = 0;
  /** Cost of all states ever built. */
  #built = 0;
  readonly #reached: ThreadSet;
  readonly #decided: ThreadSet;
  readonly #match: State = closedState("match");
  readonly #never: State = closedState("never");
  readonly #start: State;

  constructor(program: Program, symbols: SymbolTable) {
    this.#program = program;
    this.#symbols = symbols;
    this.#reached = new ThreadSet(program);
    this.#decided = new ThreadSet(program);
    this.#reached.add(program.start, edgeUnknown, 0);
    this.#start = this.#stateOfReached(undefined);
  }

  /** Whether there is a match anywhere in the text. */
  test(text: string): boolean {
    const { ascii } = this.#symbols;
    const builtBefore = this.#built;
    let state = this.#start;
    if (state.verdict !== "open") return state.verdict === "match";
    for (let index = 0; index < text.length; index++) {
      let symbol = ascii[text.charCodeAt(index)];
      if (symbol === undefined) {
        const codePoint = codePointAt(text, index);
        if (codePoint > 0xffff) index++;
        symbol = this.#symbols.of(codePoint);
        if (symbol === undefined) return this.#withoutMemory(text);
      }
      const known = state.next[symbol];
      if (known === undefined && this.#built - builtBefore > trialMax) return this.#withoutMemory(text);
      state = known ?? this.#step(state, symbol);
      if (state.verdict !== "open") return state.verdict === "match";
    }
    state.matchesAtEnd ??= this.#decide(state, undefined).hasMatch;
    return state.matchesAtEnd;
  }

  #withoutMemory(text: string): boolean {
    return findFirst(this.#program, this.#symbols, text) !== undefined;
  }

  /** Returns the state after a symbol. */
  #step(state: State, symbol: number): State {
    const example = this.#symbols.example(symbol);
    const memberships = this.#symbols.memberships(symbol);
    const { ops, outs, args, anchored, start } = this.#program;
    const decided = state.hasAsserts ? this.#decide(state, example) : undefined;
    if (decided?.hasMatch === true) return (state.next[symbol] = this.#match);
    this.#reached.clear();
    for (const pc of decided?.pcs.subarray(0, decided.size) ?? state.pcs) {
      if (ops[pc] === op.char && memberships[args[pc] ?? 0] === 1) this.#reached.add(outs[pc] ?? 0, edgeUnknown, 0);
    }
    if (!anchored) this.#reached.add(start, edgeUnknown, 0);
    return (state.next[symbol] = this.#stateOfReached(example));
  }

  /** Resolves the instructions of a state once the next character is known. */
  #decide({ pcs, before }: State, after: number | undefined): ThreadSet {
    const edges = edgesBetween(before, after);
    this.#decided.clear();
    for (const pc of pcs) this.#decided.add(pc, edges, 0);
    return this.#decided;
  }

  #stateOfReached(codePointBefore: number | undefined): State {
    const { size, hasMatch, hasAsserts } = this.#reached;
    if (hasMatch) return this.#match;
    if (size === 0) return this.#never;
    const pcs = this.#reached.pcs.subarray(0, size).toSorted();
    const before = hasAsserts ? this.#seenFromBehind(codePointBefore) : 0;
    const hash = hashOf(pcs);
    const known = this.#states.get(hash)?.find((state) => state.before === before && isSame(state.pcs, pcs));
    if (known !== undefined) return known;
    if (this.#count >= statesMax || this.#held + pcs.length > heldMax) this.#forget();
    const state: State = { verdict: "open", pcs, hasAsserts, before, next: [], matchesAtEnd: hasAsserts ? undefined : false };
    const sameHash = this.#states.get(hash);
    if (sameHash === undefined) this.#states.set(hash, [state]);
    else sameHash.push(state);
    this.#count++;
    this.#held += pcs.length;
    this.#built += pcs.length + stateCost;
    return state;
  }

  #forget(): void {
    // The start state stays, and everything reachable from it would stay too.
    for (const states of this.#states.values()) for (const state of states) state.next.length = 0;
    this.#start.next.length = 0;
    this.#states.clear();
    this.#count = 0;
    this.#held = 0;
  }

  /** Maps code points that assertions treat alike to one: fewer states, same results. */
  #seenFromBehind(codePoint: number | undefined): number | undefined {
    const { edges } = this.#program;
    const space = 0x20;
    if (codePoint === undefined) return undefined;
    if (codePoint === newline) return (edges & edgeBits["begin-line"]) === 0 ? space : newline;
    return isWordChar(codePoint) && (edges & (edgeBits["word-boundary"] | edgeBits["no-word-boundary"])) !== 0 ? 0x61 : space;
  }
}

function closedState(verdict: "match" | "never"): State {
  return { verdict, pcs: new Int32Array(0), hasAsserts: false, before: undefined, next: [], matchesAtEnd: verdict === "match" };
}

function hashOf(pcs: Int32Array): number {
  let hash = pcs.length;
  for (const pc of pcs) hash = Math.imul(hash ^ pc, 0x01000193);
  return hash;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
