/**
 * Identifies an object in protobuf by skipping lengths, as peeked-object.ts does for JSON.
 *
 *     bytes of a message → peekMessage → the few fields that identify the object, and its bytes without managedFields
 *     frame of a watch → peekWatchMessage → its type, and the same of its object
 *
 * Guarantees: the result agrees with decoding all of it. Anything unusual (metadata twice or not at the start, an unknown wire type)
 * gives undefined, and the message must be decoded whole. Skipped messages are not checked.
 */
import type { PeekedEvent } from "../wire/peeked-event.ts";
import type { PeekedIdentity, PeekedObject, PeekOptions } from "../wire/peeked-object.ts";
import { MessageCursor, varintBytes } from "./message-cursor.ts";
import type { MessageProjection } from "./projected-message.ts";
import { bytesType } from "./wire-type.ts";

/** Numbers of fields in ObjectMeta; the metadata itself is field 1 of every kind. */
const nameField = 1;
const namespaceField = 3;
const uidField = 5;
const versionField = 6;
const deletionField = 9;
const labelsField = 11;
const managedField = 17;

/** Seconds in five bytes, then nanoseconds. Only a time before 1970 is longer, such as the year 1, which JSON has as null. */
const timeBytesMax = 1 + 5 + 1 + 1;

/** Fields of a message have numbers, so that its projection is another. */
export type PeekMessageOptions = Omit<PeekOptions, "projection">;

/** Tag of field 1 with bytes, and of field 2. */
const FIRST = 0x0a;
const SECOND = 0x12;

/**
 * Identifies the object in the message from `from` to `to`. Undefined when something is unusual: then decode all of it. With a projection
 * the bytes have only its fields, and the metadata.
 */
export function peekMessage(
  source: Uint8Array,
  from: number,
  to: number,
  { keepManagedFields = false, allocate = ownArray }: PeekMessageOptions = {},
  projection?: MessageProjection,
): PeekedObject | undefined {
  const places = findPlaces(source, from, to);
  if (places === undefined || places.nameFrom === places.nameTo) return undefined;
  const isCut = !keepManagedFields && places.cutFrom !== places.cutTo;
  const keep = (end: number, allocateFor: Allocate): Uint8Array =>
    isCut ? cut(source, end, places, allocateFor) : copied(source, from, end, allocateFor);
  const rest = projection?.project(source, places.metadataTo, to);
  if (projection !== undefined && rest === undefined) return undefined;
  const bytes = rest === undefined ? keep(to, allocate) : keep(places.metadataTo, (length) => allocate(length + rest.length));
  if (rest !== undefined) bytes.set(rest, bytes.length - rest.length);
  const { name, namespace, uid, resourceVersion, isTerminating } = identityAt(source, places);
  return { name, namespace, uid, resourceVersion, isTerminating, bytes };
}

/** Returns the identity of the object in a message, and copies nothing. Undefined when something is unusual. */
export function peekMessageIdentity(source: Uint8Array, from: number, to: number): PeekedIdentity | undefined {
  const places = findPlaces(source, from, to);
  return places === undefined || places.nameFrom === places.nameTo ? undefined : identityAt(source, places);
}

/** Returns the labels of an object; undefined when something is unusual. */
export function peekMessageLabels(bytes: Uint8Array): Readonly<Record<string, string>> | undefined {
  const cursor = new MessageCursor(bytes, 0, bytes.length);
  if (cursor.tag() !== FIRST) return undefined;
  const end = cursor.enter();
  if (end === -1) return undefined;
  const labels: Record<string, string> = {};
  while (cursor.at < end) {
    const tag = cursor.tag();
    const from = cursor.at;
    if (tag >>> 3 === 0 || !cursor.skip(tag & 7, end)) return undefined;
    if (tag >>> 3 === labelsField && ((tag & 7) !== bytesType || !readEntry(bytes, from, cursor.at, labels))) return undefined;
  }
  return labels;
}

/** What the envelope of every object of a watch says, as bytes, for comparison. */
export function encodedTypeMeta({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Uint8Array {
  const encoder = new TextEncoder();
  const [version, name] = [encoder.encode(apiVersion), encoder.encode(kind)];
  return Uint8Array.from([FIRST, version.length, ...version, SECOND, name.length, ...name]);
}

/**
 * Returns type and identity of an event. Undefined for bookmarks, errors, objects with another type than `typeMeta` and anything unusual:
 * decode these with `decodeWatchMessages`.
 */
export function peekWatchMessage(
  frame: Uint8Array,
  typeMeta: Uint8Array,
  options?: PeekMessageOptions,
  projection?: MessageProjection,
): PeekedEvent | undefined {
  const type = eventTypeOf(frame);
  if (type === undefined) return undefined;
  const cursor = new MessageCursor(frame, type.length + 2, frame.length);
  // WatchEvent.object, RawExtension.raw, then the envelope.
  if (cursor.tag() !== SECOND || cursor.enter() !== frame.length) return undefined;
  if (cursor.tag() !== FIRST || cursor.enter() !== frame.length) return undefined;
  if (!startsWith(frame, magic, cursor.at)) return undefined;
  cursor.at += magic.length;
  if (cursor.tag() !== FIRST || cursor.enter() !== cursor.at + typeMeta.length || !startsWith(frame, typeMeta, cursor.at)) return undefined;
  cursor.at += typeMeta.length;
  if (cursor.tag() !== SECOND) return undefined;
  const end = cursor.enter();
  if (end === -1 || !isEmptyTail(frame, end)) return undefined;
  const object = peekMessage(frame, cursor.at, end, options, projection);
  return object === undefined ? undefined : { type, object };
}

const magic = Uint8Array.from([0x6b, 0x38, 0x73, 0x00]);

/** Content encoding and content type of the envelope are absent or empty. */
function isEmptyTail(frame: Uint8Array, from: number): boolean {
  for (let at = from; at < frame.length; at += 2) if ((frame[at] !== 0x1a && frame[at] !== 0x22) || frame[at + 1] !== 0) return false;
  return true;
}

function eventTypeOf(frame: Uint8Array): PeekedEvent["type"] | undefined {
  if (frame[0] !== FIRST) return undefined;
  for (const [type, bytes] of eventTypes) if (frame[1] === bytes.length && startsWith(frame, bytes, 2)) return type;
  return undefined;
}

const eventTypes: readonly (readonly [PeekedEvent["type"], Uint8Array])[] = (["MODIFIED", "ADDED", "DELETED"] as const).map((type) => [
  type,
  new TextEncoder().encode(type),
]);

function startsWith(bytes: Uint8Array, sought: Uint8Array, from: number): boolean {
  for (let at = 0; at < sought.length; at++) if (bytes[from + at] !== sought[at]) return false;
  return true;
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
  isTerminating = false;
  /** The metadata, without tag and length. */
  metadataFrom = 0;
  metadataTo = 0;
  /** The managed fields with their tags. */
  cutFrom = 0;
  cutTo = 0;
}

function findPlaces(source: Uint8Array, from: number, to: number): Places | undefined {
  const cursor = new MessageCursor(source, from, to);
  if (cursor.tag() !== FIRST) return undefined;
  const end = cursor.enter();
  if (end === -1) return undefined;
  const places = new Places();
  places.metadataFrom = cursor.at;
  places.metadataTo = end;
  if (!readMetadata(cursor, end, places)) return undefined;
  // Metadata that comes twice would be merged.
  while (cursor.at < to) {
    const tag = cursor.tag();
    if (tag >>> 3 <= 1 || !cursor.skip(tag & 7, to)) return undefined;
  }
  return places;
}

function readMetadata(cursor: MessageCursor, end: number, places: Places): boolean {
  while (cursor.at < end) {
    const start = cursor.at;
    const tag = cursor.tag();
    const field = tag >>> 3;
    if ((tag & 7) !== bytesType) {
      if (field === 0 || isText(field) || !cursor.skip(tag & 7, end)) return false;
      continue;
    }
    const valueEnd = cursor.enterWithin(end);
    if (valueEnd === -1) return false;
    if (!readMember(field, cursor.at, valueEnd, start, places)) return false;
    cursor.at = valueEnd;
  }
  return cursor.at === end;
}

const isText = (field: number): boolean =>
  field === nameField ||
  field === namespaceField ||
  field === uidField ||
  field === versionField ||
  field === deletionField ||
  field === labelsField ||
  field === managedField;

function readMember(field: number, from: number, to: number, start: number, places: Places): boolean {
  switch (field) {
    case nameField:
      places.nameFrom = from;
      places.nameTo = to;
      return true;
    case namespaceField:
      places.namespaceFrom = from;
      places.namespaceTo = to;
      return true;
    case uidField:
      places.uidFrom = from;
      places.uidTo = to;
      return true;
    case versionField:
      places.versionFrom = from;
      places.versionTo = to;
      return true;
    case deletionField:
      places.isTerminating = to > from;
      return to - from <= timeBytesMax;
    case managedField:
      if (places.cutTo !== 0 && places.cutTo !== start) return false;
      if (places.cutTo === 0) places.cutFrom = start;
      places.cutTo = to;
      return true;
    default:
      return field !== 0;
  }
}

function identityAt(source: Uint8Array, places: Places): PeekedIdentity {
  return {
    name: textOf(source, places.nameFrom, places.nameTo),
    namespace: textOf(source, places.namespaceFrom, places.namespaceTo),
    uid: textOf(source, places.uidFrom, places.uidTo),
    resourceVersion: textOf(source, places.versionFrom, places.versionTo),
    isTerminating: places.isTerminating,
  };
}

type Allocate = (length: number) => Uint8Array;

const ownArray: Allocate = (length) => new Uint8Array(length);

/** Copies a message up to `to`; what is allocated may be longer. */
function copied(source: Uint8Array, from: number, to: number, allocate: Allocate): Uint8Array {
  const bytes = allocate(to - from);
  bytes.set(source.subarray(from, to));
  return bytes;
}

/** The same without the managed fields; the metadata becomes shorter, and perhaps its length too. */
function cut(source: Uint8Array, to: number, places: Places, allocate: Allocate): Uint8Array {
  const { metadataFrom, metadataTo, cutFrom, cutTo } = places;
  const size = metadataTo - metadataFrom - (cutTo - cutFrom);
  const head = 1 + varintBytes(size);
  const bytes = allocate(head + size + to - metadataTo);
  bytes[0] = FIRST;
  let rest = size;
  for (let at = 1; at < head; at++) {
    bytes[at] = at === head - 1 ? rest : (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes.set(source.subarray(metadataFrom, cutFrom), head);
  bytes.set(source.subarray(cutTo, to), head + cutFrom - metadataFrom);
  return bytes;
}

function readEntry(bytes: Uint8Array, from: number, to: number, labels: Record<string, string>): boolean {
  const cursor = new MessageCursor(bytes, from, to);
  if (cursor.enter() !== to) return false;
  let key = "";
  let value = "";
  while (cursor.at < to) {
    const tag = cursor.tag();
    const end = cursor.enter();
    if (end === -1 || (tag !== FIRST && tag !== SECOND)) return false;
    if (tag === FIRST) key = textOf(bytes, cursor.at, end);
    else value = textOf(bytes, cursor.at, end);
    cursor.at = end;
  }
  if (key === "__proto__") return false;
  labels[key] = value;
  return true;
}

/** Node's Buffer, which is decoded much faster. */
interface NodeBuffer extends Uint8Array {
  utf8Slice(from: number, to: number): string;
}

const isNodeBuffer = (bytes: Uint8Array): bytes is NodeBuffer => "utf8Slice" in bytes;

// Invalid UTF-8 becomes U+FFFD, as everywhere in protobuf. Without streaming, a decoder has no state.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(bytes: Uint8Array, from: number, to: number): string {
  if (from === to) return "";
  return isNodeBuffer(bytes) ? bytes.utf8Slice(from, to) : decoder.decode(bytes.subarray(from, to));
}
