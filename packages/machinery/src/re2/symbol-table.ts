/**
 * Groups characters by what a program can tell apart: two characters that all of its classes treat alike are one symbol. A program
 * with the classes [a-z] and [0-9] has three symbols, whatever the text.
 */
import { CharClassBuilder } from "./char-class.ts";
import type { CharClass } from "./char-class.ts";
import { edgeBits, newline } from "./edge.ts";
import { perlClasses } from "./named-class.ts";
import type { Program } from "./program.ts";

const asciiCount = 0x80;
/** Maximum cached characters outside ASCII. */
const rememberedMax = 10_000;
/**
 * Maximum cached memberships of all symbols: a pattern of thousands of classes and a text of thousands of characters would cache
 * them all.
 */
const membershipsMax = 4_000_000;

const lineEnd = (): CharClass => new CharClassBuilder().addRange(newline, newline, "exact").build({ negated: false });
const wordChar = (): CharClass => new CharClassBuilder().addGroup(perlClasses.get("w") ?? [], "in", "exact").build({ negated: false });

/** The symbols of one program, numbered as texts introduce them. */
export class SymbolTable {
  /** Symbol of every ASCII character. */
  readonly ascii: Uint8Array;
  readonly #classes: readonly CharClass[];
  readonly #bySignature = new Map<string, number>();
  readonly #examples: number[] = [];
  readonly #memberships: Uint8Array[] = [];
  readonly #remembered = new Map<number, number>();

  constructor({ classes, edges }: Program) {
    const asksLine = (edges & (edgeBits["begin-line"] | edgeBits["end-line"])) !== 0;
    const asksWord = (edges & (edgeBits["word-boundary"] | edgeBits["no-word-boundary"])) !== 0;
    this.#classes = [...classes, ...(asksLine ? [lineEnd()] : []), ...(asksWord ? [wordChar()] : [])];
    this.ascii = Uint8Array.from({ length: asciiCount }, (_, code) => this.#number(code, this.#classify(code)) ?? 0);
  }

  /** Returns the symbol of a code point; undefined when the table is full. */
  of(codePoint: number): number | undefined {
    return this.ascii[codePoint] ?? this.#remembered.get(codePoint) ?? this.#number(codePoint, this.#classify(codePoint));
  }

  /** Returns a code point with this symbol. */
  example(symbol: number): number {
    return this.#examples[symbol] ?? 0;
  }

  /** For each class of the program, 1 if it contains this symbol. */
  memberships(symbol: number): Uint8Array {
    return this.#memberships[symbol] ?? new Uint8Array(0);
  }

  /** For each class of the program, 1 if it contains this code point, with or without a symbol. */
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

/** Returns the code point at an index of a text, U+FFFD for a lone surrogate. */
export function codePointAt(text: string, index: number): number {
  const codePoint = text.codePointAt(index) ?? 0xfffd;
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}
