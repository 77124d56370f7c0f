/**
 * Turns a text into tokens, by the rules of YAML 1.1.
 *
 * A scalar turns out to be a key only at the ":" behind it, so tokens wait in a queue: the scanner remembers where a key might have
 * started, and inserts the "key" token there later. A key without "?" ends on its own line, within 1,024 characters.
 */
import { scanBlockScalar } from "./block-scalar.ts";
import { Cursor, dash, dot, isBlank, isBlankOrEnd, isBreak, isWord } from "./cursor.ts";
import { scanPlainScalar } from "./plain-scalar.ts";
import { scanQuotedScalar } from "./quoted-scalar.ts";
import { scanDirective, scanTag } from "./tag-scanner.ts";
import type { Token, TokenKind } from "./token.ts";
import { YamlError } from "./yaml-error.ts";
import type { Place } from "./yaml-error.ts";

const keyLengthMax = 1024;

/** Where a key may have started. */
interface PossibleKey extends Place {
  readonly at: number;
  /** Number of its first token, from the start of the stream. */
  readonly token: number;
  /** Whether only a key can be there: at the indentation of a block mapping. */
  readonly required: boolean;
}

/** Characters that cannot start a plain scalar. "-", "?" and ":" can, when no blank follows. */
const indicators: ReadonlySet<string> = new Set("-?:,[]{}#&*!|>'\"%@`".split(""));
/** Characters that may follow an anchor name besides blanks. */
const afterAnchor: ReadonlySet<string> = new Set("?:,]}%@`".split(""));

export class Scanner {
  readonly #cursor: Cursor;
  #queue: Token[] = [];
  #head = 0;
  /** Number of tokens taken. */
  #taken = 0;
  #flowLevel = 0;
  /** Column of the innermost block collection; −1 outside of any. */
  #indent = -1;
  readonly #indents: number[] = [];
  /** Whether a key may start here. */
  #keyAllowed = true;
  /** One per flow level, outermost first. */
  readonly #keys: (PossibleKey | undefined)[] = [undefined];
  /** Level of the possible key by the number of its first token: looked up for every token, so it is indexed. */
  readonly #keyLevels = new Map<number, number>();

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** Returns the next token without removing it. There is none after "stream end". */
  peek(): Token {
    for (;;) {
      const next = this.#queue[this.#head];
      if (next !== undefined && !this.#mayBeKey(this.#taken)) return next;
      this.#fetch();
    }
  }

  /** Removes and returns the next token. */
  take(): Token {
    const token = this.peek();
    this.#head++;
    this.#taken++;
    if (this.#head > 1024) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return token;
  }

  /** Whether a ":" may still turn the token with this number into a key. */
  #mayBeKey(token: number): boolean {
    const level = this.#keyLevels.get(token);
    return level !== undefined && this.#aliveKey(level) !== undefined;
  }

  /** Returns the possible key of a level, unless it has become too long. */
  #aliveKey(level: number): PossibleKey | undefined {
    const key = this.#keys[level];
    if (key === undefined || (key.line === this.#cursor.line && key.at + keyLengthMax >= this.#cursor.at)) return key;
    this.#dropKey(level);
    return undefined;
  }

  /** Drops a possible key; a required one is then missing its ":". */
  #dropKey(level: number): void {
    const key = this.#keys[level];
    if (key === undefined) return;
    if (key.required) throw new YamlError("could not find expected ':'", key);
    this.#forgetKey(level, key);
  }

  #forgetKey(level: number, key: PossibleKey): void {
    this.#keys[level] = undefined;
    this.#keyLevels.delete(key.token);
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unrollIndent(cursor.column);
    const code = cursor.code();
    if (code === 0) return this.#fetchStreamEnd();
    if (cursor.column === 0 && code === 0x25) return this.#fetchDirective();
    if (cursor.atMarker(dash)) return this.#fetchMarker("document start");
    if (cursor.atMarker(dot)) return this.#fetchMarker("document end");
    const character = String.fromCharCode(code);
    const inFlow = this.#flowLevel > 0;
    const blankFollows = isBlankOrEnd(cursor.code(1));
    switch (character) {
      case "[":
      case "{":
        return this.#fetchFlowStart(character);
      case "]":
      case "}":
        return this.#fetchFlowEnd(character);
      case ",":
        return this.#fetchFlowEntry();
      case "*":
        return this.#fetchAnchor("alias");
      case "&":
        return this.#fetchAnchor("anchor");
      case "!":
        return this.#fetchTag();
      case "'":
      case '"':
        return this.#fetchQuoted();
    }
    if (character === "-" && blankFollows) return this.#fetchBlockEntry();
    if (character === "?" && (inFlow || blankFollows)) return this.#fetchKey();
    if (character === ":" && (inFlow || blankFollows)) return this.#fetchValue();
    if ((character === "|" || character === ">") && !inFlow) return this.#fetchBlockScalar();
    const isPlain =
      !(isBlank(code) || indicators.has(character)) ||
      (character === "-" && !isBlank(cursor.code(1))) ||
      (!inFlow && (character === "?" || character === ":"));
    if (!isPlain) throw cursor.error("found character that cannot start any token");
    this.#fetchPlain();
  }

  /** Skips blanks, comments and line breaks. Tabs are no indentation: they are forbidden where a key may start. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.code() === 0x20 || (cursor.code() === 0x09 && (this.#flowLevel > 0 || !this.#keyAllowed))) cursor.at++;
      cursor.skipComment();
      if (!isBreak(cursor.code())) return;
      cursor.skipLine();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #push(kind: TokenKind, place: Place, rest: Partial<Token> = {}): void {
    this.#queue.push(token(kind, place, rest));
  }

  /** Inserts a token before the one with the given number. */
  #insert(kind: TokenKind, place: Place, before: number): void {
    this.#queue.splice(this.#head + before - this.#taken, 0, token(kind, place));
  }

  /** Remembers that a key may start here. */
  #savePossibleKey(): void {
    if (!this.#keyAllowed) return;
    const { at, line, column } = this.#cursor;
    const required = this.#flowLevel === 0 && this.#indent === column;
    const level = this.#keys.length - 1;
    this.#dropKey(level);
    const key = { at, line, column, required, token: this.#taken + this.#queue.length - this.#head };
    this.#keys[level] = key;
    this.#keyLevels.set(key.token, level);
  }

  #dropPossibleKey(): void {
    this.#dropKey(this.#keys.length - 1);
  }

  /** Starts a block collection when the column is beyond the current one. */
  #rollIndent(column: number, kind: TokenKind, place: Place, before?: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (before === undefined) this.#push(kind, place);
    else this.#insert(kind, place, before);
  }

  /** Ends the block collections that start beyond this column. */
  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push("block end", this.#cursor);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Document markers, directives and the end close all blocks. */
  #closeBlocks(): void {
    this.#unrollIndent(-1);
    this.#dropPossibleKey();
    this.#keyAllowed = false;
  }

  #fetchStreamEnd(): void {
    this.#closeBlocks();
    for (const level of this.#keys.keys()) this.#dropKey(level);
    this.#push("stream end", this.#cursor);
  }

  #fetchDirective(): void {
    this.#closeBlocks();
    const place = this.#cursor.place();
    const { kind, handle, text } = scanDirective(this.#cursor);
    this.#push(kind, place, { handle, text });
  }

  #fetchMarker(kind: TokenKind): void {
    this.#closeBlocks();
    this.#pushIndicator(kind, 3);
  }

  #pushIndicator(kind: TokenKind, length = 1): void {
    this.#push(kind, this.#cursor);
    this.#cursor.at += length;
  }

  #fetchFlowStart(kind: "[" | "{"): void {
    this.#savePossibleKey();
    this.#keys.push(undefined);
    this.#flowLevel++;
    this.#keyAllowed = true;
    this.#pushIndicator(kind);
  }

  #fetchFlowEnd(kind: "]" | "}"): void {
    this.#dropPossibleKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.pop();
    }
    this.#keyAllowed = false;
    this.#pushIndicator(kind);
  }

  #fetchFlowEntry(): void {
    this.#dropPossibleKey();
    this.#keyAllowed = true;
    this.#pushIndicator(",");
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw this.#cursor.error("block sequence entries are not allowed in this context");
      this.#rollIndent(this.#cursor.column, "block sequence start", this.#cursor);
    }
    this.#dropPossibleKey();
    this.#keyAllowed = true;
    this.#pushIndicator("-");
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw this.#cursor.error("mapping keys are not allowed in this context");
      this.#rollIndent(this.#cursor.column, "block mapping start", this.#cursor);
    }
    this.#dropPossibleKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#pushIndicator("key");
  }

  #fetchValue(): void {
    const level = this.#keys.length - 1;
    const key = this.#aliveKey(level);
    if (key !== undefined) {
      this.#insert("key", key, key.token);
      this.#rollIndent(key.column, "block mapping start", key, key.token);
      this.#forgetKey(level, key);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) throw this.#cursor.error("mapping values are not allowed in this context");
        this.#rollIndent(this.#cursor.column, "block mapping start", this.#cursor);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#pushIndicator("value");
  }

  #fetchAnchor(kind: "alias" | "anchor"): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const cursor = this.#cursor;
    const place = cursor.place();
    cursor.at++;
    const start = cursor.at;
    while (isWord(cursor.code())) cursor.at++;
    const text = cursor.text.slice(start, cursor.at);
    if (text === "" || !(isBlankOrEnd(cursor.code()) || afterAnchor.has(String.fromCharCode(cursor.code())))) {
      throw cursor.error("did not find expected alphabetic or numeric character");
    }
    this.#push(kind, place, { text });
  }

  #fetchTag(): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const place = this.#cursor.place();
    const { handle, suffix } = scanTag(this.#cursor);
    this.#push("tag", place, { handle, text: suffix });
  }

  #fetchBlockScalar(): void {
    this.#dropPossibleKey();
    this.#keyAllowed = true;
    const place = this.#cursor.place();
    this.#push("scalar", place, { style: "block", text: scanBlockScalar(this.#cursor, this.#indent) });
  }

  #fetchQuoted(): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const place = this.#cursor.place();
    this.#push("scalar", place, { style: "quoted", text: scanQuotedScalar(this.#cursor) });
  }

  #fetchPlain(): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const place = this.#cursor.place();
    const { text, brokeLine } = scanPlainScalar(this.#cursor, this.#indent, this.#flowLevel > 0);
    if (brokeLine) this.#keyAllowed = true;
    this.#push("scalar", place, { style: "plain", text });
  }
}

const token = (kind: TokenKind, { line, column }: Place, { text = "", handle = "", style = "plain" }: Partial<Token> = {}): Token => ({
  kind,
  line,
  column,
  text,
  handle,
  style,
});
