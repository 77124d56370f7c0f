/**
 * The exact JSON parser behind `decodeJson`, for texts that `JSON.parse` would decode with loss, for reporting duplicate keys, and
 * for error messages, which are those of the API server.
 */
import { quoteGo } from "../go/go-quote.ts";
import { setOwn } from "./own.ts";
import { JsonError, jsonPosition } from "./json-error.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

export interface JsonParserOptions {
  /** Maximum nesting depth. The parser's stack overflows at about 5,000. */
  readonly maxDepth: number;
  /** Called with the path of every duplicate key, as the server prints it: "data.a", "spec.ports[0].name". */
  readonly onDuplicateField?: ((path: string) => void) | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
// The longest 64-bit integer: a sign and 19 digits. Longer ones need no bigint.
const int64LengthMax = 20;
// The server stops counting duplicates there too.
const duplicatesMax = 100;

/** Parses one JSON text. An integer beyond ±(2^53−1) that fits 64 bits is a bigint; a longer one is a number, as in the server. */
export function parseJson(text: string, options: JsonParserOptions): JsonValue {
  return new JsonParser(text, options).parse();
}

/** One pass over one text; `#at` is the next character. */
class JsonParser {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #onDuplicateField: ((path: string) => void) | undefined;
  readonly #duplicates = new Set<string>();
  readonly #path: (string | number)[] = [];
  // Reported only at the end: a syntax error comes first, as in the server.
  #numberError: JsonError | undefined;
  #depth = 0;
  #at = 0;

  constructor(text: string, { maxDepth, onDuplicateField }: JsonParserOptions) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#onDuplicateField = onDuplicateField;
  }

  parse(): JsonValue {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected("after top-level value");
    if (this.#numberError !== undefined) throw this.#numberError;
    return value;
  }

  #value(): JsonValue {
    const code = this.#skipSpace();
    if (code === QUOTE) return this.#string();
    if (code === OPEN_OBJECT) return this.#object();
    if (code === OPEN_LIST) return this.#list();
    if (code === MINUS || isDigit(code)) return this.#number();
    if (code === 0x74) return this.#literal("true", true);
    if (code === 0x66) return this.#literal("false", false);
    if (code === 0x6e) return this.#literal("null", null);
    throw this.#unexpected("looking for beginning of value");
  }

  #object(): JsonObject {
    this.#enter();
    const object: JsonObject = {};
    if (this.#skipSpace() === CLOSE_OBJECT) return this.#leave(object);
    for (;;) {
      if (this.#skipSpace() !== QUOTE) throw this.#unexpected("looking for beginning of object key string");
      const key = this.#string();
      if (this.#skipSpace() !== COLON) throw this.#unexpected("after object key");
      this.#at++;
      this.#path.push(key);
      if (this.#onDuplicateField !== undefined && Object.hasOwn(object, key)) this.#reportDuplicate(this.#onDuplicateField);
      setOwn(object, key, this.#value());
      this.#path.pop();
      const next = this.#skipSpace();
      if (next === CLOSE_OBJECT) return this.#leave(object);
      if (next !== COMMA) throw this.#unexpected("after object key:value pair");
      this.#at++;
    }
  }

  #list(): JsonValue[] {
    this.#enter();
    const list: JsonValue[] = [];
    if (this.#skipSpace() === CLOSE_LIST) return this.#leave(list);
    for (;;) {
      this.#path.push(list.length);
      list.push(this.#value());
      this.#path.pop();
      const next = this.#skipSpace();
      if (next === CLOSE_LIST) return this.#leave(list);
      if (next !== COMMA) throw this.#unexpected("after array element");
      this.#at++;
    }
  }

  #enter(): void {
    if (++this.#depth > this.#maxDepth) throw this.#unexpected("exceeded max depth", "depth");
    this.#at++;
  }

  #leave<C>(container: C): C {
    this.#depth--;
    this.#at++;
    return container;
  }

  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (this.#at++; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escaped = true;
        this.#escape();
      } else if (!(code >= 0x20)) throw this.#unexpected("in string literal");
    }
    this.#at++;
    // A well-formed string can be unescaped by the engine.
    return escaped ? (JSON.parse(this.#text.slice(start, this.#at)) as string) : this.#text.slice(start + 1, this.#at - 1);
  }

  #escape(): void {
    const code = this.#text.charCodeAt(++this.#at);
    if (code === 0x75) {
      for (let digit = 0; digit < 4; digit++) {
        if (!isHexDigit(this.#text.charCodeAt(++this.#at))) throw this.#unexpected("in \\u hexadecimal character escape");
      }
    } else if (!'"\\/bfnrt'.includes(this.#text.charAt(this.#at)) || this.#at >= this.#text.length)
      throw this.#unexpected("in string escape code");
  }

  #number(): number | bigint {
    const start = this.#at;
    if (this.#text.charCodeAt(this.#at) === MINUS) this.#at++;
    if (this.#text.charCodeAt(this.#at) === ZERO) this.#at++;
    else this.#digits("in numeric literal");
    let whole = true;
    if (this.#text.charAt(this.#at) === ".") {
      whole = false;
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (this.#text.charAt(this.#at) === "e" || this.#text.charAt(this.#at) === "E") {
      whole = false;
      this.#at++;
      if (this.#text.charAt(this.#at) === "+" || this.#text.charAt(this.#at) === "-") this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return this.#numberOf(this.#text.slice(start, this.#at), whole);
  }

  #digits(context: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) throw this.#unexpected(context);
    do this.#at++;
    while (isDigit(this.#text.charCodeAt(this.#at)));
  }

  #numberOf(digits: string, whole: boolean): number | bigint {
    const value = Number(digits);
    if (whole && !Number.isSafeInteger(value) && digits.length <= int64LengthMax) {
      const exact = BigInt(digits);
      if (exact >= int64Min && exact <= int64Max) return exact;
    }
    if (Number.isFinite(value)) return value;
    const shown = digits.length > 100 ? `${digits.slice(0, 100)}…` : digits;
    this.#numberError ??= new JsonError(
      "number",
      `json: cannot unmarshal number ${shown} into Go value of type float64`,
      jsonPosition(this.#text, this.#at),
    );
    return 0;
  }

  #literal<V>(word: string, value: V): V {
    for (let index = 1; index < word.length; index++) {
      this.#at++;
      if (this.#text.charAt(this.#at) !== word.charAt(index))
        throw this.#unexpected(`in literal ${word} (expecting '${word.charAt(index)}')`);
    }
    this.#at++;
    return value;
  }

  /** Moves to the next character that is not white space and returns its code; NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #reportDuplicate(report: (path: string) => void): void {
    const path = this.#path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
    if (this.#duplicates.has(path) || this.#duplicates.size >= duplicatesMax) return;
    this.#duplicates.add(path);
    report(path);
  }

  #unexpected(context: string, reason: "syntax" | "depth" = "syntax"): JsonError {
    const ended = this.#at >= this.#text.length;
    const position = jsonPosition(this.#text, Math.min(this.#at, this.#text.length));
    // The server treats the end of the text like a space: wherever a space is allowed, it expects more input.
    if (ended && !insideToken.test(context)) return new JsonError("truncated", "unexpected end of JSON input", position);
    return new JsonError(
      ended ? "truncated" : reason,
      `invalid character ${ended ? "' '" : quoteCharacter(this.#text, this.#at)} ${context}`,
      position,
    );
  }
}

const insideToken = /^in literal|^in numeric|^after decimal|^in exponent|^in string escape|^in \\u/;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isHexDigit = (code: number): boolean => isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);

// The server works on bytes: of a non-ASCII character it names the first UTF-8 byte, as Latin-1.
function quoteCharacter(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  if (code === 0x27) return "'\\''";
  if (code === QUOTE) return "'\"'";
  const lead = code < 0x80 ? code : code < 0x800 ? 0xc0 | (code >> 6) : code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
  return `'${quoteGo(String.fromCharCode(lead)).slice(1, -1)}'`;
}
