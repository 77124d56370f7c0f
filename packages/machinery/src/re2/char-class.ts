/**
 * A set of code points: what one character of a pattern matches.
 *
 * Ranges are kept as numbers. Unicode properties and case folding outside ASCII would take tables, so the engine's own regular
 * expressions decide, one code point at a time; SymbolTable caches the results.
 */

/** Pairs of first and last code point. */
export type Ranges = readonly number[];

/** Whether letters match exactly or in either case. */
export type Folding = "exact" | "any-case";

/** Whether a group's members match, or all other code points. */
export type Sign = "in" | "not-in";

const maxCodePoint = 0x10ffff;

interface HostTest {
  readonly regExp: RegExp;
  readonly sign: Sign;
}

/** A set of code points. */
export class CharClass {
  readonly #ranges: Ranges;
  readonly #tests: readonly HostTest[];
  readonly #negated: boolean;
  /** Equal for classes that were built alike. */
  readonly key: string;

  constructor(ranges: Ranges, tests: readonly HostTest[] = [], negated = false) {
    this.#ranges = ranges;
    this.#tests = tests;
    this.#negated = negated;
    this.key = `${negated ? "^" : ""}${ranges.join()} ${tests.map(({ regExp, sign }) => `${sign} ${String(regExp)}`).join(" ")}`;
  }

  has(codePoint: number): boolean {
    return (inRanges(this.#ranges, codePoint) || this.#asksHost(codePoint)) !== this.#negated;
  }

  #asksHost(codePoint: number): boolean {
    if (this.#tests.length === 0) return false;
    const char = String.fromCodePoint(codePoint);
    return this.#tests.some(({ regExp, sign }) => regExp.test(char) === (sign === "in"));
  }
}

/** Collects what is between brackets. */
export class CharClassBuilder {
  readonly #ranges: number[] = [];
  readonly #tests: HostTest[] = [];

  /** Adds a range and, with `"any-case"`, everything that differs from it only in case. */
  addRange(first: number, last: number, folding: Folding): this {
    this.#ranges.push(first, last);
    if (folding === "exact") return this;
    if (last >= 0x80) this.addTest(new RegExp(`^[\\u{${first.toString(16)}}-\\u{${last.toString(16)}}]$`, "iu"), "in");
    if (first < 0x80) this.#ranges.push(...otherCaseOfAscii(first, Math.min(last, 0x7f)));
    return this;
  }

  /** Adds the characters of a group, or all others. */
  addGroup(group: Ranges, sign: Sign, folding: Folding): this {
    const folded = new CharClassBuilder();
    for (let index = 0; index < group.length; index += 2) folded.addRange(group[index] ?? 0, group[index + 1] ?? 0, folding);
    const ranges = mergeRanges(folded.#ranges);
    this.#ranges.push(...(sign === "in" ? ranges : complement(ranges)));
    return this;
  }

  /** Adds every code point that the expression matches, or all others. */
  addTest(regExp: RegExp, sign: Sign): this {
    this.#tests.push({ regExp, sign });
    return this;
  }

  build({ negated }: { readonly negated: boolean }): CharClass {
    const ranges = mergeRanges(this.#ranges);
    if (this.#tests.length > 0) return new CharClass(ranges, this.#tests, negated);
    return new CharClass(negated ? complement(ranges) : ranges);
  }
}

/** Returns the class of one character. */
export function singleChar(codePoint: number, folding: Folding): CharClass {
  return new CharClassBuilder().addRange(codePoint, codePoint, folding).build({ negated: false });
}

/** The letters of the other case, and the two characters outside ASCII that fold into it: ſ (to s) and K (to k). */
function otherCaseOfAscii(first: number, last: number): number[] {
  const other: number[] = [];
  const shift = (from: number, to: number, by: number): void => {
    const low = Math.max(first, from);
    const high = Math.min(last, to);
    if (low <= high) other.push(low + by, high + by);
  };
  shift(0x41, 0x5a, 32);
  shift(0x61, 0x7a, -32);
  const covers = (upper: number): boolean => (first <= upper && upper <= last) || (first <= upper + 32 && upper + 32 <= last);
  if (covers(0x53)) other.push(0x17f, 0x17f);
  if (covers(0x4b)) other.push(0x212a, 0x212a);
  return other;
}

/** Returns the same set with sorted, disjoint and non-adjacent ranges. */
function mergeRanges(ranges: Ranges): number[] {
  const pairs: [number, number][] = [];
  for (let index = 0; index < ranges.length; index += 2) pairs.push([ranges[index] ?? 0, ranges[index + 1] ?? 0]);
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [first, last] of pairs) {
    const end = merged.at(-1);
    if (end !== undefined && first <= end + 1) merged[merged.length - 1] = Math.max(end, last);
    else merged.push(first, last);
  }
  return merged;
}

function complement(ranges: Ranges): number[] {
  const rest: number[] = [];
  let next = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const first = ranges[index] ?? 0;
    if (next < first) rest.push(next, first - 1);
    next = (ranges[index + 1] ?? 0) + 1;
  }
  if (next <= maxCodePoint) rest.push(next, maxCodePoint);
  return rest;
}

function inRanges(ranges: Ranges, codePoint: number): boolean {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codePoint > (ranges[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length >> 1 && codePoint >= (ranges[2 * low] ?? 0);
}
