/**
 * Identifies an object from its bytes without parsing all of them: most objects of most events are never read, and a cache needs
 * only their names and versions.
 *
 *     bytes → peekObject → the few fields that identify the object, and its bytes without managedFields, to be parsed on first access
 *
 * Guarantees: if the bytes are JSON, the result agrees with `decodeJson`. Anything unusual (white space, escapes in keys, a
 * duplicate key, a name that is not a string) gives undefined, and the object must be parsed whole. Skipped bytes are not checked:
 * invalid JSON after the metadata, or invalid UTF-8, shows when they are parsed.
 *
 * Bytes and not text, because they lie outside of the engine's heap, where the garbage collector does not move them.
 */
import type { JsonProjection } from "../json/projected-json.ts";
import { managedListEnd, plainStringEnd, skipKey, skipValue, startsWith } from "../json/json-skip.ts";

/** Identity of an object. Absent fields are "". */
export interface PeekedIdentity {
  /** Never "". */
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Whether `metadata.deletionTimestamp` is set. */
  readonly isTerminating: boolean;
}

/** An identified object. */
export interface PeekedObject extends PeekedIdentity {
  /** The object as JSON: a copy that keeps no line and no chunk in memory. */
  readonly bytes: Uint8Array;
}

export interface PeekOptions {
  /** Keeps `metadata.managedFields`. @default false */
  readonly keepManagedFields?: boolean;
  /** Allocates the bytes of an object. @default an array for each */
  readonly allocate?: (length: number) => Uint8Array;
  /** Reduces the bytes to declared fields, to which the metadata must belong. @default all fields */
  readonly projection?: JsonProjection;
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const metadataKey = encoded("metadata");
const uidKey = encoded("uid");
const labelsKey = encoded("labels");
const nameKey = encoded("name");
const namespaceKey = encoded("namespace");
const managedFieldsKey = encoded("managedFields");
const resourceVersionKey = encoded("resourceVersion");
const deletionTimestampKey = encoded("deletionTimestamp");

/** Identifies the object in the bytes from `from` to `to`. Undefined when something is unusual: then parse all of it. */
export function peekObject(
  source: Uint8Array,
  from: number,
  to: number,
  { keepManagedFields = false, allocate = ownArray, projection }: PeekOptions = {},
): PeekedObject | undefined {
  const places = findPlaces(source, from, to);
  const identity = places === undefined ? undefined : identityAt(source, places);
  if (places === undefined || identity === undefined) return undefined;
  if (keepManagedFields) places.cutFrom = places.cutTo;
  const bytes =
    projection === undefined ? withoutCut(source, from, to, places, allocate) : projected(source, from, to, places, allocate, projection);
  if (bytes === undefined) return undefined;
  const { name, namespace, uid, resourceVersion, isTerminating } = identity;
  return { name, namespace, uid, resourceVersion, isTerminating, bytes };
}

type Allocate = (length: number) => Uint8Array;

function withoutCut(source: Uint8Array, from: number, to: number, { cutFrom, cutTo }: Places, allocate: Allocate): Uint8Array {
  const cut = cutTo - cutFrom;
  const bytes = allocate(to - from - cut);
  bytes.set(source.subarray(from, cut === 0 ? to : cutFrom));
  if (cut > 0) bytes.set(source.subarray(cutTo, to), cutFrom - from);
  return bytes;
}

function projected(
  source: Uint8Array,
  from: number,
  to: number,
  { metadataFrom, metadataTo, cutFrom, cutTo }: Places,
  allocate: Allocate,
  projection: JsonProjection,
): Uint8Array | undefined {
  const kept = projection.project(source, from, to, { from: metadataFrom, to: metadataTo, cutFrom, cutTo });
  if (kept === undefined) return undefined;
  const bytes = allocate(kept.length);
  bytes.set(kept);
  return bytes;
}

/** Returns the identity of the object in these bytes, and copies nothing. Undefined when something is unusual: then parse all of it. */
export function peekIdentity(source: Uint8Array): PeekedIdentity | undefined {
  const places = findPlaces(source, 0, source.length);
  return places === undefined ? undefined : identityAt(source, places);
}

function findPlaces(source: Uint8Array, from: number, to: number): Places | undefined {
  if (source[from] !== OPEN_OBJECT || source[to - 1] !== CLOSE_OBJECT) return undefined;
  const open = findMetadata(source, from + 1);
  if (open === -1) return undefined;
  const places = new Places();
  const end = readMembers(source, open + 1, places);
  places.metadataFrom = open;
  places.metadataTo = end;
  return end === -1 || end >= to || places.nameFrom === places.nameTo || !isPlainBehind(source, end, to) ? undefined : places;
}

function identityAt(source: Uint8Array, places: Places): PeekedIdentity | undefined {
  const name = textOf(source, places.nameFrom, places.nameTo);
  const namespace = textOf(source, places.namespaceFrom, places.namespaceTo);
  const uid = textOf(source, places.uidFrom, places.uidTo);
  const resourceVersion = textOf(source, places.versionFrom, places.versionTo);
  if (name === undefined || namespace === undefined || uid === undefined || resourceVersion === undefined) return undefined;
  return { name, namespace, uid, resourceVersion, isTerminating: places.isTerminating };
}

const ownArray: Allocate = (length) => new Uint8Array(length);

/** Returns the bytes of an object's labels; undefined when it has none, or something is unusual. */
export function peekLabels(bytes: Uint8Array): Uint8Array | undefined {
  const open = findMetadata(bytes, 1);
  if (open === -1) return undefined;
  const places = new Places();
  const end = readMembers(bytes, open + 1, places);
  if (
    end === -1 ||
    places.labelsFrom === places.labelsTo ||
    bytes[places.labelsFrom] !== OPEN_OBJECT ||
    !isPlainBehind(bytes, end, bytes.length)
  )
    return undefined;
  return bytes.subarray(places.labelsFrom, places.labelsTo);
}

/** Positions in the bytes. */
class Places {
  nameFrom = 0;
  nameTo = 0;
  namespaceFrom = 0;
  namespaceTo = 0;
  uidFrom = 0;
  uidTo = 0;
  versionFrom = 0;
  versionTo = 0;
  labelsFrom = 0;
  labelsTo = 0;
  isTerminating = false;
  metadataFrom = 0;
  metadataTo = 0;
  /** The managed fields with one of their commas. */
  cutFrom = 0;
  cutTo = 0;
}

/** Returns where the object under `metadata` opens, in an object whose first key is at `at`; -1 when something is unusual. */
function findMetadata(bytes: Uint8Array, at: number): number {
  for (;;) {
    const value = skipKey(bytes, at);
    if (value === -1) return -1;
    if (value - at === 11 && startsWith(bytes, metadataKey, at + 1)) return bytes[value] === OPEN_OBJECT ? value : -1;
    const end = skipValue(bytes, value);
    if (end === -1 || bytes[end] !== COMMA) return -1;
    at = end + 1;
  }
}

/** Reads the members of the metadata whose first key is at `at`. Returns the end of the metadata; -1 when something is unusual. */
function readMembers(bytes: Uint8Array, at: number, places: Places): number {
  for (;;) {
    const value = skipKey(bytes, at);
    if (value === -1) return -1;
    const end = readMember(bytes, at + 1, value, places);
    if (end === -1) return -1;
    const isLast = bytes[end] !== COMMA;
    if (places.cutTo === end) {
      // The cut includes the comma before it, or else the one after it.
      if (bytes[places.cutFrom - 1] === COMMA) places.cutFrom--;
      else if (!isLast) places.cutTo++;
    }
    if (isLast) return bytes[end] === CLOSE_OBJECT ? end + 1 : -1;
    at = end + 1;
  }
}

/** Reads one member. Returns its end; -1 when something is unusual. */
function readMember(bytes: Uint8Array, key: number, value: number, places: Places): number {
  switch (value - key - 2) {
    case 3:
      if (!startsWith(bytes, uidKey, key)) break;
      places.uidFrom = value + 1;
      places.uidTo = plainStringEnd(bytes, value);
      return afterQuote(places.uidTo);
    case 4:
      if (!startsWith(bytes, nameKey, key)) break;
      places.nameFrom = value + 1;
      places.nameTo = plainStringEnd(bytes, value);
      return afterQuote(places.nameTo);
    case 6:
      if (!startsWith(bytes, labelsKey, key)) break;
      places.labelsFrom = value;
      places.labelsTo = skipValue(bytes, value);
      return places.labelsTo;
    case 9:
      if (!startsWith(bytes, namespaceKey, key)) break;
      places.namespaceFrom = value + 1;
      places.namespaceTo = plainStringEnd(bytes, value);
      return afterQuote(places.namespaceTo);
    case 13: {
      if (!startsWith(bytes, managedFieldsKey, key)) break;
      if (places.cutTo !== 0) return -1;
      const end = bytes[value] === OPEN_LIST ? managedListEnd(bytes, value) : -1;
      places.cutFrom = key - 1;
      places.cutTo = end === -1 ? skipValue(bytes, value) : end;
      return places.cutTo;
    }
    case 15:
      if (!startsWith(bytes, resourceVersionKey, key)) break;
      places.versionFrom = value + 1;
      places.versionTo = plainStringEnd(bytes, value);
      return afterQuote(places.versionTo);
    case 17: {
      if (!startsWith(bytes, deletionTimestampKey, key)) break;
      const end = plainStringEnd(bytes, value);
      places.isTerminating = end > value + 1;
      return afterQuote(end);
    }
    default:
  }
  return skipValue(bytes, value);
}

/** Returns the position after the closing quote of a string; -1 if it has none. */
function afterQuote(end: number): number {
  return end === -1 ? -1 : end + 1;
}

/** Returns a part as text; undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array, from: number, to: number): string | undefined {
  if (from === to) return "";
  const text = isNodeBuffer(bytes) ? bytes.utf8Slice(from, to) : replaced;
  if (!text.includes(replaced)) return text;
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    return undefined;
  }
}

/** Node's Buffer, which is decoded and searched much faster. */
interface NodeBuffer extends Omit<Uint8Array, "indexOf"> {
  /** Replaces invalid UTF-8 by U+FFFD. */
  utf8Slice(from: number, to: number): string;
  indexOf(sought: number | Uint8Array, from?: number): number;
}

const isNodeBuffer = (bytes: Uint8Array): bytes is NodeBuffer => "utf8Slice" in bytes;
const replaced = "\ufffd";

// Without streaming, a decoder has no state.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// For each byte, its positions in the word `"metadata"`, and those of the byte after it: as bits, the first position is bit 0.
function placesOf(word: string): Readonly<Uint16Array> {
  const places = new Uint16Array(256);
  for (let place = 0; place < word.length; place++) {
    const code = word.charCodeAt(place);
    places[code] = (places[code] ?? 0) | (1 << place);
  }
  return places;
}
const firstOfPair = placesOf('"metadata');
const secondOfPair = placesOf('metadata"');
const pairCount = 9;

/**
 * Whether no second `metadata` key can follow, which would win over the first: no such word is where it could be a key of the
 * object itself, and none is hidden in escapes.
 */
function isPlainBehind(bytes: Uint8Array, end: number, to: number): boolean {
  if (isNodeBuffer(bytes) ? hasKeyNatively(bytes, end, to) : hasKey(bytes, end, to)) return false;
  for (let at = bytes.indexOf(BACKSLASH, end); at !== -1 && at < to; at = bytes.indexOf(BACKSLASH, at + 1)) {
    // The letters of "metadata" have the codes \u006 and \u007. What Go escapes, "<", ">" and "&", has others.
    const row = bytes[at + 4];
    if (bytes[at + 1] === 0x75 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30 && (row === 0x36 || row === 0x37)) return false;
  }
  return true;
}

/** Checks every ninth pair of bytes: the word `"metadata"` has nine pairs, so one of them is hit. */
function hasKey(bytes: Uint8Array, end: number, to: number): boolean {
  for (let at = end; at < to - 1; at += pairCount) {
    const places = (firstOfPair[bytes[at] as number] as number) & (secondOfPair[bytes[at + 1] as number] as number);
    for (let place = 0; places >> place !== 0; place++) if ((places & (1 << place)) !== 0 && isKeyAt(bytes, at - place)) return true;
  }
  return false;
}

// Short enough for the search to use the first letter, which is rarer than the quote before it.
const beginning = encoded("metad");

function hasKeyNatively(bytes: NodeBuffer, end: number, to: number): boolean {
  for (let at = bytes.indexOf(beginning, end); at !== -1 && at < to; at = bytes.indexOf(beginning, at + 1))
    if (isKeyAt(bytes, at - 1)) return true;
  return false;
}

/**
 * Whether the word starts here where it could be a key of the object itself: `{"metadata"` starts another object, `:"metadata"` is
 * a value.
 */
function isKeyAt(bytes: Uint8Array, start: number): boolean {
  const before = bytes[start - 1];
  return (
    bytes[start] === QUOTE &&
    bytes[start + pairCount] === QUOTE &&
    before !== OPEN_OBJECT &&
    before !== COLON &&
    startsWith(bytes, metadataKey, start + 1)
  );
}
