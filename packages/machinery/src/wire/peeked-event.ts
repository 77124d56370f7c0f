/**
 * Looks into a watch event without reading all of it: most events are about objects nobody will look at, and a cache needs only their
 * names and versions to keep them.
 *
 *     line → peekWatchEvent → type, the few fields that identify the object, and its text for later
 *
 * What is skipped is not checked: a text that is broken behind its metadata shows when somebody reads it. In metadata written as built-in
 * kinds have it (`name` first, `managedFields` last) nothing is expected behind the managed fields. Anything unusual (white space, escapes,
 * missing parts) is read as a whole instead.
 */
import { getOwn } from "../object/own.ts";
import type { ObjectMeta } from "../object/object.ts";
import { encodeJson } from "./json-encode.ts";
import { isJsonObject } from "./json-value.ts";
import { decodeWatchEvent } from "./watch-frame.ts";
import type { WatchEventType } from "./watch-frame.ts";

/** The fields by which objects are told apart and put in order. */
export type PeekedMetadata = Pick<ObjectMeta, "name" | "namespace" | "uid" | "resourceVersion" | "deletionTimestamp" | "labels">;

export interface PeekedEvent {
  readonly type: WatchEventType;
  /** `labels` only when asked for. */
  readonly metadata: Readonly<PeekedMetadata>;
  /** The object as JSON. A part of the line: keeping it keeps the line. */
  readonly objectText: string;
}

export interface PeekOptions {
  /** Whether labels are wanted. @default false */
  readonly labels?: boolean;
}

const head = /^\{"type":"(ADDED|MODIFIED|DELETED|BOOKMARK)","object":(?=\{)/;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Reads what identifies the object of an event. Throws a `WatchFrameError` at a line that is no event. */
export function peekWatchEvent(line: string, { labels = false }: PeekOptions = {}): PeekedEvent {
  const found = head.exec(line);
  if (found === null || !line.endsWith("}")) return readWhole(line, labels);
  const [{ length: start }, type] = found;
  const metadata = findMetadata(line, start + 1);
  const peeked = metadata === undefined ? undefined : readMetadata(line, metadata + 1, labels);
  return peeked === undefined ? readWhole(line, labels) : { type: type as WatchEventType, metadata: peeked, objectText: line.slice(start, -1) };
}

function readWhole(line: string, labels: boolean): PeekedEvent {
  const { type, object } = decodeWatchEvent<Readonly<Record<string, unknown>>>(line);
  const metadata = (getOwn(object as Readonly<Record<string, unknown>>, "metadata") ?? {}) as ObjectMeta;
  const peeked: PeekedMetadata = {};
  for (const key of identity) if (typeof metadata[key] === "string") peeked[key] = metadata[key];
  if (labels && metadata.labels !== undefined && isJsonObject(metadata.labels)) peeked.labels = metadata.labels;
  return { type, metadata: peeked, objectText: encodeJson(object) };
}

const identity = ["name", "namespace", "uid", "resourceVersion", "deletionTimestamp"] as const;
const isIdentity = (key: string): key is (typeof identity)[number] => (identity as readonly string[]).includes(key);

/** Where the value of `metadata` opens, in an object whose first key is at `at`. */
function findMetadata(text: string, at: number): number | undefined {
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = text.indexOf('"', at + 1);
    if (text.charCodeAt(keyEnd + 1) !== COLON) return undefined;
    if (keyEnd - at === 9 && text.startsWith("metadata", at + 1)) return text.charAt(keyEnd + 2) === "{" ? keyEnd + 2 : undefined;
    const end = skipValue(text, keyEnd + 2);
    if (end === -1 || text.charCodeAt(end) !== COMMA) return undefined;
    at = end + 1;
  }
  return undefined;
}

/** The fields of the metadata whose first key is at `at`; undefined when something is unusual. */
function readMetadata(text: string, at: number, labels: boolean): PeekedMetadata | undefined {
  const metadata: PeekedMetadata = {};
  const likeBuiltIn = text.startsWith('"name":', at);
  for (;;) {
    const keyEnd = text.indexOf('"', at + 1);
    if (text.charCodeAt(at) !== QUOTE || text.charCodeAt(keyEnd + 1) !== COLON) return undefined;
    const key = text.slice(at + 1, keyEnd);
    const start = keyEnd + 2;
    if (likeBuiltIn && key === "managedFields" && metadata.uid !== undefined && metadata.resourceVersion !== undefined) return metadata;
    const end = skipValue(text, start);
    if (end === -1 || key.includes("\\")) return undefined;
    if (isIdentity(key)) {
      const value = text.slice(start + 1, end - 1);
      if (text.charCodeAt(start) !== QUOTE || value.includes("\\")) return undefined;
      metadata[key] = value;
    } else if (key === "labels" && labels) {
      const value = parseLabels(text.slice(start, end));
      if (value === undefined) return undefined;
      metadata.labels = value;
    }
    if (text.charCodeAt(end) !== COMMA) return text.charAt(end) === "}" ? metadata : undefined;
    at = end + 1;
  }
}

function parseLabels(text: string): Record<string, string> | undefined {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return undefined;
  }
}

/** Where the value that begins at `at` ends; -1 when it does not. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return skipWord(text, at);
  for (let depth = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return -1;
}

/** A number, true, false or null: everything up to what may follow it. */
function skipWord(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST) return end > at ? end : -1;
  }
  return -1;
}

function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return -1;
}
