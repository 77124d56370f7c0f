/** Tags (`!!str`, `!local`, `!<uri>`) and directives (`%YAML 1.1`, `%TAG ! prefix`). */
import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, isWord } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import type { TokenKind } from "./token.ts";

const uriCharacters: ReadonlySet<string> = new Set(";/?:@&=+$,.!~*'()[]%".split(""));
const bang = 0x21;
const less = 0x3c;
const greater = 0x3e;

export interface Tag {
  readonly handle: string;
  readonly suffix: string;
}

/** Reads a tag. `!<uri>` and a lone `!` have no handle. */
export function scanTag(cursor: Cursor): Tag {
  const tag = cursor.code(1) === less ? scanVerbatim(cursor) : scanShorthand(cursor);
  if (!isBlankOrEnd(cursor.code())) throw cursor.error("did not find expected whitespace or line break");
  return tag;
}

function scanVerbatim(cursor: Cursor): Tag {
  cursor.at += 2;
  const suffix = scanUri(cursor);
  if (cursor.code() !== greater) throw cursor.error("did not find the expected '>'");
  cursor.at++;
  return { handle: "", suffix };
}

function scanShorthand(cursor: Cursor): Tag {
  const start = scanHandle(cursor);
  if (start.length > 1 && start.endsWith("!")) return { handle: start, suffix: scanUri(cursor) };
  const suffix = start.slice(1) + scanUri(cursor, true);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

function scanHandle(cursor: Cursor): string {
  if (cursor.code() !== bang) throw cursor.error("did not find expected '!'");
  const start = cursor.at;
  cursor.at++;
  while (isWord(cursor.code())) cursor.at++;
  if (cursor.code() === bang) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function scanUri(cursor: Cursor, mayBeEmpty = false): string {
  let uri = "";
  const start = cursor.at;
  while (isWord(cursor.code()) || uriCharacters.has(String.fromCharCode(cursor.code()))) {
    const character = String.fromCharCode(cursor.code());
    if (character === "%") {
      uri += scanUriEscapes(cursor);
    } else {
      uri += character;
      cursor.at++;
    }
  }
  if (cursor.at === start && !mayBeEmpty) throw cursor.error("did not find expected tag URI");
  return uri;
}

/** Reads one character as percent-encoded octets of UTF-8. */
function scanUriEscapes(cursor: Cursor): string {
  const first = octetAt(cursor, 0);
  const width = first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0;
  if (width === 0) throw cursor.error("found an incorrect leading UTF-8 octet");
  const octets = Array.from({ length: width }, (_, index) => octetAt(cursor, index));
  if (octets.slice(1).some((octet) => (octet & 0xc0) !== 0x80)) throw cursor.error("found an incorrect trailing UTF-8 octet");
  cursor.at += 3 * width;
  return new TextDecoder().decode(Uint8Array.from(octets));
}

function octetAt(cursor: Cursor, index: number): number {
  const [, digits] = /^%([0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.at + 3 * index, cursor.at + 3 * index + 3)) ?? [];
  if (digits === undefined) throw cursor.error("did not find URI escaped octet");
  return Number.parseInt(digits, 16);
}

export interface Directive {
  readonly kind: TokenKind & ("version directive" | "tag directive");
  readonly handle: string;
  readonly text: string;
}

/** Reads a directive with its whole line. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.at++;
  const start = cursor.at;
  while (isWord(cursor.code())) cursor.at++;
  const name = cursor.text.slice(start, cursor.at);
  if (name === "") throw cursor.error("could not find expected directive name");
  if (!isBlankOrEnd(cursor.code())) throw cursor.error("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") throw cursor.error("found unknown directive name");
  cursor.skipBlanks();
  const directive: Directive =
    name === "YAML"
      ? { kind: "version directive", handle: "", text: scanVersion(cursor) }
      : { kind: "tag directive", ...scanTagDirective(cursor) };
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.code())) throw cursor.error("did not find expected comment or line break");
  if (isBreak(cursor.code())) cursor.skipLine();
  return directive;
}

function scanVersion(cursor: Cursor): string {
  const scanNumber = (): number => {
    const start = cursor.at;
    while (isDigit(cursor.code())) cursor.at++;
    if (cursor.at === start) throw cursor.error("did not find expected version number");
    if (cursor.at - start > 2) throw cursor.error("found extremely long version number");
    return Number(cursor.text.slice(start, cursor.at));
  };
  const major = scanNumber();
  if (cursor.code() !== 0x2e) throw cursor.error("did not find expected digit or '.' character");
  cursor.at++;
  return `${major}.${scanNumber()}`;
}

function scanTagDirective(cursor: Cursor): { handle: string; text: string } {
  const handle = scanHandle(cursor);
  if (handle !== "!" && !(handle.length > 1 && handle.endsWith("!"))) throw cursor.error("did not find expected '!'");
  if (!isBlank(cursor.code())) throw cursor.error("did not find expected whitespace");
  cursor.skipBlanks();
  const text = scanUri(cursor);
  if (!isBlankOrEnd(cursor.code())) throw cursor.error("did not find expected whitespace or line break");
  return { handle, text };
}
