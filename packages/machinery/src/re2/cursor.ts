/** A position in a pattern that moves forward by code points. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** Texts known not to follow, so that a pattern cannot cause repeated searches. */
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the rest starts with this. */
  sees(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** Returns the code point here and moves past it; at the end returns U+FFFD, as Go does, and does not move. */
  next(): number {
    const codePoint = this.text.codePointAt(this.at);
    if (codePoint === undefined) return 0xfffd;
    this.at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Moves past this if the rest starts with it. */
  take(prefix: string): boolean {
    if (!this.sees(prefix)) return false;
    this.at += prefix.length;
    return true;
  }

  /** Returns where this occurs next from there on; -1 for nowhere. */
  find(needle: string, from: number): number {
    if (this.#missing.has(needle)) return -1;
    const index = this.text.indexOf(needle, from);
    if (index < 0) this.#missing.add(needle);
    return index;
  }

  /** Returns the text from there to here. */
  since(start: number): string {
    return this.text.slice(start, this.at);
  }

  /** Returns the text from there to the end. */
  from(start: number): string {
    return this.text.slice(start);
  }
}
