/**
 * A position in a text that moves forward and counts lines. All scanners read characters through it.
 *
 * YAML 1.1 has five line breaks: LF, CR (with or without LF), NEL, LS and PS. The end of the text reads as code 0.
 */
import { YamlError } from "./yaml-error.ts";
import type { Place } from "./yaml-error.ts";

/** Neither printable nor a break: YAML forbids such characters everywhere, even in comments. */
const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export class Cursor implements Place {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.text = text;
    if (text.charCodeAt(0) === 0xfeff) this.at = this.#lineStart = 1;
    const bad = forbidden.exec(text);
    if (bad !== null) {
      while (this.at < bad.index)
        if (isBreak(this.code())) this.skipLine();
        else this.at++;
      throw this.error("control characters are not allowed");
    }
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** Returns the character code `ahead` of the cursor. */
  code(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.text.length ? this.text.charCodeAt(index) : 0;
  }

  place(): Place {
    return { line: this.line, column: this.column };
  }

  error(problem: string): YamlError {
    return new YamlError(problem, this);
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  /** Skips a comment, if there is one, to the end of its line. */
  skipComment(): void {
    if (this.code() === hash) while (!isBreakOrEnd(this.code())) this.at++;
  }

  /** Skips one line break and returns it as it counts in a value: LF for all but LS and PS, which stay. */
  skipLine(): string {
    const code = this.code();
    this.at += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    this.line++;
    this.#lineStart = this.at;
    return code === lineSeparator || code === paragraphSeparator ? String.fromCharCode(code) : "\n";
  }

  /** Whether a document marker, `---` or `...`, starts here at the beginning of a line. */
  atMarker(character?: number): boolean {
    const first = this.code();
    return (
      this.column === 0 &&
      (character === undefined ? first === dash || first === dot : first === character) &&
      this.code(1) === first &&
      this.code(2) === first &&
      isBlankOrEnd(this.code(3))
    );
  }
}

export const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;
export const hash = 0x23;
export const dash = 0x2d;
export const dot = 0x2e;
const tab = 0x09;
const space = 0x20;

export const isBlank = (code: number): boolean => code === space || code === tab;
export const isBreak = (code: number): boolean =>
  code === lineFeed || code === carriageReturn || code === 0x85 || code === lineSeparator || code === paragraphSeparator;
export const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);
export const isBlankOrEnd = (code: number): boolean => isBlank(code) || isBreakOrEnd(code);
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** Characters of anchors and tag handles. */
export const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === dash;
