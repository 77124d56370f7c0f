/**
 * Sorts characters by what a program can tell apart: two characters that every class of it treats alike are one symbol. A program with
 * the classes [a-z] and [0-9] knows three symbols, whatever the text.
 */
import { CharClassBuilder } from "./char-class.ts";
import type { CharClass } from "./char-class.ts";
import { edgeBits, newline } from "./edge.ts";
import { perlClasses } from "./named-class.ts";
import type { Program } from "./program.ts";

const asciiCount = 0x80;
/** Characters outside ASCII whose symbol is remembered. */
const rememberedMax = 10_000;
/** Memberships kept, over all symbols: a pattern of thousands of classes and a text of thousands of characters would keep them all. */
const membershipsMax = 4_000_000;

const lineEnd: CharClass = new CharClassBuilder().addRange(newline, newline, "exact").build({ negated: false });
const wordChar: CharClass = new CharClassBuilder().addGroup(perlClasses.get("w") ?? [], "in", "exact").build({ negated: false });

/** The symbols of one program, numbered as texts bring them up. */
export class SymbolTable {
  /** The symbol of every ASCII character. */
  readonly ascii: Uint8Array;
  readonly #classes: readonly CharClass[];
  readonly #bySignature = new Map<string, number>();
  readonly #examples: number[] = [];
  readonly #memberships: Uint8Array[] = [];
  readonly #remembered = new Map<number, number>();

  constructor({ classes, edges }: Program) {
    const asksLine = (edges & (edgeBits["begin-line"] | edgeBits["end-line"])) !== 0;
    const asksWord = (edges & (edgeBits["word-boundary"] | edgeBits["no-word-boundary"])) !== 0;
    this.#classes = [...classes, ...(asksLine ? [lineEnd] : []), ...(asksWord ? [wordChar] : [])];
    this.ascii = Uint8Array.from({ length: asciiCount }, (_, code) => this.#number(code, this.#classify(code)) ?? 0);
  }

  /** The symbol of a code point; undefined where it would be one symbol too many. */
  of(codePoint: number): number | undefined {
    return this.ascii[codePoint] ?? this.#remembered.get(codePoint) ?? this.#number(codePoint, this.#classify(codePoint));
  }

  /** A code point that has this symbol. */
  example(symbol: number): number {
    return this.#examples[symbol] ?? 0;
  }

  /** For each class of the program, 1 where it contains this symbol. */
  memberships(symbol: number): Uint8Array {
    return this.#memberships[symbol] ?? new Uint8Array(0);
  }

  /** For each class of the program, 1 where it contains this code point, whether it has a symbol or not. */
  membershipsOf(codePoint: number): Uint8Array {
    const known = this.ascii[codePoint] ?? this.#remembered.get(codePoint);
    if (known !== undefined) return this.memberships(known);
    const memberships = this.#classify(codePoint);
    this.#number(codePoint, memberships);
    return memberships;
  }

  #classify(codePoint: number): Uint8Array {
    const memberships = new Uint8Array(this.#classes.length);
    for (const [index, charClass] of this.#classes.entries()) if (charClass.has(codePoint)) memberships[index] = 1;
    return memberships;
  }

  #number(codePoint: number, memberships: Uint8Array): number | undefined {
    const members: number[] = [];
    for (const [index, member] of memberships.entries()) if (member === 1) members.push(index);
    const signature = members.join();
    let symbol = this.#bySignature.get(signature);
    if (symbol === undefined) {
      if (codePoint >= asciiCount && this.#examples.length * memberships.length > membershipsMax) return undefined;
      this.#memberships.push(memberships);
      symbol = this.#examples.push(codePoint) - 1;
      this.#bySignature.set(signature, symbol);
    }
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear();
    this.#remembered.set(codePoint, symbol);
    return symbol;
  }
}

/** The code point at an index inside a text, U+FFFD for half a surrogate pair. */
export function codePointAt(text: string, index: number): number {
  const codePoint = text.codePointAt(index) ?? 0xfffd;
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}
