/** A place in a pattern, moving forward by code points. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** What is known not to come any more, so that a pattern cannot have it searched for again and again. */
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the rest begins with this. */
  sees(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** The code point here, moving past it; at the end U+FFFD, as in Go, and no move. */
  next(): number {
    const codePoint = this.text.codePointAt(this.at);
    if (codePoint === undefined) return 0xfffd;
    this.at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Moves past this if the rest begins with it. */
  take(prefix: string): boolean {
    if (!this.sees(prefix)) return false;
    this.at += prefix.length;
    return true;
  }

  /** Where this comes next, from there on; -1 for nowhere. */
  find(needle: string, from: number): number {
    if (this.#missing.has(needle)) return -1;
    const index = this.text.indexOf(needle, from);
    if (index < 0) this.#missing.add(needle);
    return index;
  }

  /** The text from there to here. */
  since(start: number): string {
    return this.text.slice(start, this.at);
  }

  /** The text from there to the end. */
  from(start: number): string {
    return this.text.slice(start);
  }
}
