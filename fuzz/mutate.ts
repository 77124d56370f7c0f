/**
 * Makes a new input from those that were kept: a few random edits of bytes, tokens, numbers, lines and balanced brackets.
 *
 * Edits of balanced brackets keep most of JSON, CEL, flow YAML and regular expressions well-formed, so that the code behind the parser
 * is reached.
 */
import type { Random } from "@drover/machinery";

export interface MutateOptions {
  readonly random: Random;
  readonly tokens: readonly string[];
  /** Longest result in bytes; a few results are longer, up to `longestBytes`. @default 4096 */
  readonly bytesMax?: number;
}

/** Longest input of all. */
export const longestBytes: number = 64 * 1024;

/** Returns a mutated copy of `input`; parts of `other` may be spliced into it. */
export function mutate(input: Uint8Array, other: Uint8Array, { random, tokens, bytesMax = 4096 }: MutateOptions): Uint8Array {
  let bytes: Uint8Array = input;
  const edits = 1 + random.int(random.int(3) === 0 ? 8 : 3);
  for (let edit = 0; edit < edits; edit++) bytes = editOnce({ bytes, other, random, tokens });
  const limit = random.int(500) === 0 ? longestBytes : bytesMax;
  return bytes.length > limit ? bytes.slice(0, limit) : bytes;
}

interface Draft {
  readonly bytes: Uint8Array;
  readonly other: Uint8Array;
  readonly random: Random;
  readonly tokens: readonly string[];
}

type Edit = (draft: Draft) => Uint8Array;
const encoder = new TextEncoder();

const edits: readonly Edit[] = [
  ({ bytes, random }) => withByte(bytes, random, (byte) => byte ^ (1 << random.int(8))),
  ({ bytes, random }) => withByte(bytes, random, () => random.int(256)),
  ({ bytes, random }) => withByte(bytes, random, () => 0x20 + random.int(0x5f)),
  ({ bytes, random }) => insert(bytes, random.int(bytes.length + 1), randomBytes(random)),
  (draft) => remove(draft.bytes, ...range(draft.bytes, draft.random)),
  (draft) => duplicate(draft, range(draft.bytes, draft.random)),
  splice,
  splice,
  insertToken,
  insertToken,
  replaceByToken,
  replaceNumber,
  replaceNumber,
  editBrackets,
  editBrackets,
  editBrackets,
  editBrackets,
  nest,
  editLines,
  ({ bytes, random }) => bytes.slice(0, random.int(bytes.length + 1)),
  moveRange,
  copyWord,
  copyWord,
];

const editOnce: Edit = (draft) => (edits[draft.random.int(edits.length)] as Edit)(draft);

type Span = readonly [start: number, end: number];

/** Mostly short. */
function range(bytes: Uint8Array, random: Random): Span {
  const start = random.int(bytes.length + 1);
  const longest = random.int(4) === 0 ? bytes.length - start : Math.min(16, bytes.length - start);
  return [start, start + random.int(longest + 1)];
}

function insert(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  return replace(bytes, [at, at], part);
}

function remove(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return replace(bytes, [start, end], new Uint8Array());
}

function replace(bytes: Uint8Array, [start, end]: Span, part: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - (end - start) + part.length);
  result.set(bytes.subarray(0, start));
  result.set(part, start);
  result.set(bytes.subarray(end), start + part.length);
  return result;
}

function withByte(bytes: Uint8Array, random: Random, change: (byte: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const result = bytes.slice();
  const at = random.int(bytes.length);
  result[at] = change(result[at] ?? 0);
  return result;
}

function randomBytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: 1 + random.int(4) }, () => random.int(256));
}

/** Once, or many times: what grows shows what is not linear. */
function duplicate({ bytes, random }: Draft, [start, end]: Span): Uint8Array {
  const part = bytes.subarray(start, end);
  if (part.length === 0) return bytes;
  const times = random.int(20) === 0 ? 1 + random.int(Math.max(1, Math.floor(longestBytes / part.length))) : 1 + random.int(4);
  return insert(bytes, end, repeated(part, times));
}

function repeated(part: Uint8Array, times: number): Uint8Array {
  const result = new Uint8Array(part.length * times);
  for (let index = 0; index < times; index++) result.set(part, index * part.length);
  return result;
}

function splice(draft: Draft): Uint8Array {
  return replace(draft.bytes, range(draft.bytes, draft.random), draft.other.subarray(...range(draft.other, draft.random)));
}

function tokenOf({ random, tokens }: Draft): Uint8Array {
  const all = tokens.length + commonTokens.length;
  const index = random.int(all);
  return encoder.encode(tokens[index] ?? commonTokens[index - tokens.length] ?? "");
}

function insertToken(draft: Draft): Uint8Array {
  return insert(draft.bytes, draft.random.int(draft.bytes.length + 1), tokenOf(draft));
}

function replaceByToken(draft: Draft): Uint8Array {
  return replace(draft.bytes, range(draft.bytes, draft.random), tokenOf(draft));
}

/** Replaces a word by a token, or by another word of this or the other input. */
function copyWord(draft: Draft): Uint8Array {
  const { bytes, other, random } = draft;
  const place = wordAt(bytes, random.int(bytes.length + 1));
  if (random.int(2) === 0) return replace(bytes, place, tokenOf(draft));
  const source = random.int(2) === 0 ? bytes : other;
  return replace(bytes, place, source.subarray(...wordAt(source, random.int(source.length + 1))));
}

function wordAt(bytes: Uint8Array, at: number): Span {
  let start = at;
  while (start > 0 && isWord(bytes[start - 1])) start--;
  let end = at;
  while (end < bytes.length && isWord(bytes[end])) end++;
  return [start, end];
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isWord = (byte: number | undefined): boolean =>
  byte !== undefined &&
  (isDigit(byte) || (byte | 0x20) === 0x2d || byte >= 0x80 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte === 0x5f);

function replaceNumber({ bytes, random }: Draft): Uint8Array {
  const from = random.int(bytes.length + 1);
  const start = bytes.findIndex((byte, at) => at >= from && isDigit(byte));
  if (start === -1) return bytes;
  let end = start;
  while (isDigit(bytes[end])) end++;
  return replace(bytes, [start, end], encoder.encode(numbers[random.int(numbers.length)] ?? ""));
}

const openers = new Map([
  [0x28, 0x29],
  [0x5b, 0x5d],
  [0x7b, 0x7d],
]);

/** Returns a random bracket with everything up to the one that closes it. */
function bracketed(bytes: Uint8Array, random: Random): Span | undefined {
  const from = random.int(bytes.length + 1);
  const open = bytes.findIndex((byte, at) => at >= from && openers.has(byte));
  if (open === -1) return undefined;
  const [opener, closer] = [bytes[open], openers.get(bytes[open] ?? 0)];
  let depth = 0;
  for (let at = open; at < bytes.length; at++) {
    if (bytes[at] === opener) depth++;
    else if (bytes[at] === closer && --depth === 0) return [open, at + 1];
  }
  return undefined;
}

function editBrackets(draft: Draft): Uint8Array {
  const { bytes, other, random } = draft;
  const here = bracketed(bytes, random);
  if (here === undefined) return insertToken(draft);
  const [start, end] = here;
  const inner = bytes.subarray(start + 1, end - 1);
  const there = random.int(2) === 0 ? bytes : other;
  const source = bracketed(there, random);
  const separator = encoder.encode(",");
  switch (random.int(6)) {
    case 0: // another group instead
      return source === undefined ? bytes : replace(bytes, here, there.subarray(...source));
    case 1: // empty
      return replace(bytes, [start + 1, end - 1], new Uint8Array());
    case 2: // its content twice
      return insert(bytes, end - 1, concat(separator, inner));
    case 3: // the content of another group as well
      return source === undefined ? bytes : insert(bytes, start + 1, concat(there.subarray(source[0] + 1, source[1] - 1), separator));
    case 4: // wrapped in itself
      return replace(bytes, here, concat(bytes.subarray(start, start + 1), bytes.subarray(start, end), bytes.subarray(end - 1, end)));
    default: // a token instead
      return replace(bytes, here, tokenOf(draft));
  }
}

/** Wraps a range in many brackets, or leaves them open. */
function nest({ bytes, random }: Draft): Uint8Array {
  const [start, end] = range(bytes, random);
  const [open, close] = nests[random.int(nests.length)] as readonly [string, string];
  const times = random.int(10) === 0 ? 1 + random.int(5000) : 1 + random.int(20);
  const after = random.int(3) === 0 ? "" : close.repeat(times);
  return replace(bytes, [start, end], concat(encoder.encode(open.repeat(times)), bytes.subarray(start, end), encoder.encode(after)));
}

function editLines(draft: Draft): Uint8Array {
  const { bytes, random } = draft;
  const [start, end] = lineAt(bytes, random.int(bytes.length + 1));
  if (random.int(2) === 0)
    return insert(
      remove(bytes, start, end),
      lineAt(bytes, random.int(bytes.length - (end - start) + 1))[0] % (bytes.length - (end - start) + 1),
      bytes.slice(start, end),
    );
  return random.int(2) === 0
    ? insert(bytes, start, encoder.encode(" ".repeat(1 + random.int(4))))
    : insert(bytes, end, bytes.slice(start, end));
}

/** The line with its newline. */
function lineAt(bytes: Uint8Array, at: number): Span {
  const start = bytes.lastIndexOf(0x0a, at - 1) + 1;
  const end = bytes.indexOf(0x0a, at);
  return [Math.min(start, at), end === -1 ? bytes.length : end + 1];
}

function moveRange(draft: Draft): Uint8Array {
  const { bytes, random } = draft;
  const [start, end] = range(bytes, random);
  const rest = remove(bytes, start, end);
  return insert(rest, random.int(rest.length + 1), bytes.subarray(start, end));
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

const nests: readonly (readonly [string, string])[] = [
  ["[", "]"],
  ["(", ")"],
  ["{", "}"],
  ['{"a":', "}"],
  ["- ", ""],
  ["(?:", ")*"],
  ["!", ""],
  ["[a,", "]"],
];

const numbers: readonly string[] = [
  ["0", "1", "-1", "2", "7", "8", "9", "10", "16", "31", "32", "63", "64", "99", "100", "127", "128", "255", "256", "999", "1000", "1001"],
  ["65535", "65536", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9007199254740991", "9007199254740992"],
  ["9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"],
  [
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e309",
    "-1e400",
    "1e-400",
    "5e-324",
    "0.1",
    "1.0",
    "-0",
    "00",
    "0x10",
    "1_000",
  ],
].flat();

/** Tokens of every target: names that JavaScript treats specially, and text that is easily misread. */
const commonTokens: readonly string[] = [
  ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "toJSON", "valueOf", "then", "length"],
  ['""', "''", "null", "true", "false", "{}", "[]", "()", '"', "'", "\\", "/", "\n", "\r\n", "\t", " ", "\0", ",", ":", "=", ".", "*", "%"],
  ["\u00e9", "\u2028", "\ufeff", "\ufffd", "\ud83d\ude00", "\u0130", "\u212a", "%%\n", "\n%%\n"],
].flat();
