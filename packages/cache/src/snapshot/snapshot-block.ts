/**
 * The file format of a snapshot: blocks, each with its length, place and checksum.
 *
 *     head (JSON: SnapshotHead) · objects · objects · … · tail (JSON: how many)
 *
 * A block is four words of 32 bits (mark, place and type, length, checksum) and its content, filled up to a multiple of four. The content
 * of a block of objects is: the number of objects and the bytes of the texts; three words per object; the texts (key, uid and version of
 * each); the objects as the server sent them. Objects are used where they were read, without a copy.
 */
import { isInstanceOf, isJsonObject } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { blockChecksum } from "./block-checksum.ts";
import type { KeptVersion } from "../source/kept-version.ts";
import type { ObjectEncoding } from "../source/object-version.ts";

/** Marks a block, and the version of this format: "DrS2" as a little-endian number. */
const mark = 0x32537244;
export const blockHeadBytes = 16;
/** Larger than any object that a server stores. */
export const blockBytesMax: number = 16 * 2 ** 20;
/** Words per object: length; length of the key and of the uid; length of the version and flags. */
const entryBytes = 12;
const textLengthMax = 0xffff;

export type BlockType = "head" | "objects" | "tail";
const types: readonly BlockType[] = ["head", "objects", "tail"];

/** Why a snapshot cannot be used; its message completes "snapshot is not used: …". Internal, so it needs no brand. */
export class SnapshotProblem extends Error {
  override readonly name = "SnapshotProblem";
}

/** One object for a block. */
export interface KeptObject extends Pick<KeptVersion, "key" | "uid" | "resourceVersion" | "isTerminating"> {
  readonly encoding: ObjectEncoding;
  readonly bytes: Uint8Array;
}

/** Returns a block. */
export function encodeBlock(type: BlockType, place: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > blockBytesMax) throw new SnapshotProblem(`a block of ${length} bytes is larger than the format allows`);
  const block = new Uint8Array(blockHeadBytes + paddedLength(length));
  let at = blockHeadBytes;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  const words = new DataView(block.buffer);
  words.setUint32(0, mark, true);
  words.setUint32(4, place * types.length + types.indexOf(type), true);
  words.setUint32(8, length, true);
  words.setUint32(12, blockChecksum(block.subarray(blockHeadBytes), seedOf(words)), true);
  return block;
}

/** The head of a block. */
export interface BlockHead {
  readonly type: BlockType;
  /** Bytes of the content, and with what fills it up. */
  readonly length: number;
  readonly paddedLength: number;
  readonly seed: number;
  readonly checksum: number;
}

/** Reads the head of the block at this place. Throws a `SnapshotProblem`. */
export function decodeBlockHead(bytes: Uint8Array, place: number): BlockHead {
  if (bytes.length < blockHeadBytes) throw new SnapshotProblem("it is truncated");
  const words = new DataView(bytes.buffer, bytes.byteOffset, blockHeadBytes);
  if (words.getUint32(0, true) !== mark) throw new SnapshotProblem("it is damaged, or of another version of the format");
  const placed = words.getUint32(4, true);
  const type = types[placed % types.length];
  const length = words.getUint32(8, true);
  if (type === undefined || Math.floor(placed / types.length) !== place || length > blockBytesMax)
    throw new SnapshotProblem(`block ${place} is damaged`);
  return { type, length, paddedLength: paddedLength(length), seed: seedOf(words), checksum: words.getUint32(12, true) };
}

/** Returns the content of a block, without a copy. Throws a `SnapshotProblem` if it is not what was written. */
export function decodeBlock(head: BlockHead, bytes: Uint8Array, place: number): Uint8Array {
  if (bytes.length < head.paddedLength) throw new SnapshotProblem("it is truncated");
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (blockChecksum(aligned, head.seed) !== head.checksum) throw new SnapshotProblem(`block ${place} is damaged`);
  return aligned.subarray(0, head.length);
}

/** Returns a document as the content of a block. */
export const encodeDocument = (document: object): Uint8Array => new TextEncoder().encode(JSON.stringify(document));

/** Returns the document of a block. Throws a `SnapshotProblem`. */
export function decodeDocument(content: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
    if (isJsonObject(document as never)) return document as Readonly<Record<string, unknown>>;
  } catch (error) {
    // Neither JSON nor UTF-8.
    if (!isInstanceOf(error, SyntaxError) && !isInstanceOf(error, TypeError)) throw error;
  }
  throw new SnapshotProblem("it is damaged");
}

/** Collects objects until they fill a block. */
export class ObjectBlock {
  #objects: KeptObject[] = [];
  #bytes = 0;

  /** Bytes of the objects, without their texts. */
  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#objects.length;
  }

  add(object: KeptObject): void {
    const { key, uid, resourceVersion } = object;
    if (Math.max(key.length, uid.length, resourceVersion.length) > textLengthMax)
      throw new SnapshotProblem(`a name, uid or version of ${key.slice(0, 100)} is longer than the format allows`);
    this.#objects.push(object);
    this.#bytes += object.bytes.length;
  }

  /** Returns the content of the block, and starts the next. */
  take(): readonly Uint8Array[] {
    const objects = this.#objects;
    this.#objects = [];
    this.#bytes = 0;
    const table = new DataView(new ArrayBuffer(8 + entryBytes * objects.length));
    let text = "";
    let at = 8;
    for (const { key, uid, resourceVersion, isTerminating, encoding, bytes } of objects) {
      text += key + uid + resourceVersion;
      table.setUint32(at, bytes.length, true);
      table.setUint16(at + 4, key.length, true);
      table.setUint16(at + 6, uid.length, true);
      table.setUint16(at + 8, resourceVersion.length, true);
      table.setUint16(at + 10, (encoding === "protobuf" ? 1 : 0) + (isTerminating ? 2 : 0), true);
      at += entryBytes;
    }
    const texts = new TextEncoder().encode(text);
    table.setUint32(0, objects.length, true);
    table.setUint32(4, texts.length, true);
    return [new Uint8Array(table.buffer), texts, ...objects.map(({ bytes }) => bytes)];
  }
}

/** Passes on the objects of a block, in the memory of the block. Throws a `SnapshotProblem` if the lengths do not add up. */
export function decodeObjects(content: Uint8Array, take: (object: KeptVersion, encoding: ObjectEncoding) => void): void {
  const damaged = (): SnapshotProblem => new SnapshotProblem("the lengths in a block of objects do not add up");
  if (content.length < 8) throw damaged();
  const { buffer: memory, byteOffset } = content;
  const table = new DataView(memory, byteOffset, content.length);
  const count = table.getUint32(0, true);
  const textsAt = 8 + entryBytes * count;
  let bytesAt = textsAt + table.getUint32(4, true);
  if (bytesAt > content.length) throw damaged();
  const text = new TextDecoder().decode(content.subarray(textsAt, bytesAt));
  let textAt = 0;
  const next = (length: number): string => text.slice(textAt, (textAt += length));
  for (let at = 8; at < textsAt; at += entryBytes) {
    const key = next(table.getUint16(at + 4, true)) as ObjectKey;
    const uid = next(table.getUint16(at + 6, true));
    const resourceVersion = next(table.getUint16(at + 8, true));
    const flags = table.getUint16(at + 10, true);
    const end = bytesAt + table.getUint32(at, true);
    if (end > content.length || textAt > text.length || key === "") throw damaged();
    const place = { memory, offset: byteOffset + bytesAt, length: end - bytesAt };
    take({ key, uid, resourceVersion, isTerminating: (flags & 2) !== 0, ...place }, (flags & 1) === 0 ? "json" : "protobuf");
    bytesAt = end;
  }
  if (bytesAt !== content.length || textAt !== text.length) throw damaged();
}

const paddedLength = (length: number): number => (length + 3) & ~3;

/** The place and length of a block take part in its checksum. */
const seedOf = (words: DataView): number =>
  Math.imul(words.getUint32(4, true) + 1, 0x27d4eb2f) ^ Math.imul(words.getUint32(8, true), 0x165667b1);
