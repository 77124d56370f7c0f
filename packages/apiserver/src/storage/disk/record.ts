/**
 * Writes as bytes.
 *
 *     DiskRecord ⇄ kind, encodings, lengths of key and value · create and mod revision · expiry time · key · value
 *
 * Text is Latin-1 where it is ASCII, which is read four times as fast, UTF-8 elsewhere, and UTF-16 where it has lone surrogates.
 */
import type { Revision, Stored } from "../store.ts";

/** A value of a store on disk. */
export interface DiskStored extends Stored {
  /** Wall time at which the key is deleted; absent for keys without a TTL. */
  readonly expiresAt?: number;
}

/** One write. */
export interface DiskRecord {
  readonly key: string;
  readonly revision: Revision;
  /** The value after the write; undefined for a deletion. */
  readonly current: DiskStored | undefined;
}

type TextForm = "latin1" | "utf8" | "utf16le";
const forms: readonly TextForm[] = ["latin1", "utf8", "utf16le"];
/** Kind, two encodings, one reserved byte, two lengths, two revisions, one time. */
const headBytes = 4 + 2 * 4 + 3 * 8;
const putKind = 1;
const deleteKind = 2;

/** Appends records to a buffer that grows. */
export class RecordWriter {
  #bytes: Buffer;
  #length = 0;
  #count = 0;
  /** Where the first record starts. */
  readonly #from: number;

  /** Leaves `from` bytes free at the start. */
  constructor(from: number) {
    this.#from = from;
    this.#bytes = Buffer.allocUnsafe(Math.max(4096, from));
    this.#length = from;
  }

  get count(): number {
    return this.#count;
  }

  /** Size of the records. */
  get size(): number {
    return this.#length - this.#from;
  }

  add({ key, revision, current }: DiskRecord): void {
    const value = current?.value ?? "";
    const [keyForm, keyBytes] = formOf(key);
    const [valueForm, valueBytes] = formOf(value);
    const start = this.#reserve(headBytes + keyBytes + valueBytes);
    const bytes = this.#bytes;
    bytes[start] = current === undefined ? deleteKind : putKind;
    bytes[start + 1] = forms.indexOf(keyForm);
    bytes[start + 2] = forms.indexOf(valueForm);
    bytes[start + 3] = 0;
    bytes.writeUInt32LE(keyBytes, start + 4);
    bytes.writeUInt32LE(valueBytes, start + 8);
    bytes.writeDoubleLE(current?.createRevision ?? 0, start + 12);
    bytes.writeDoubleLE(revision, start + 20);
    bytes.writeDoubleLE(current?.expiresAt ?? 0, start + 28);
    bytes.write(key, start + headBytes, keyForm);
    bytes.write(value, start + headBytes + keyBytes, valueForm);
    this.#count++;
  }

  /** All bytes, with those that were left free; valid until the next call. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Removes all records. */
  clear(): void {
    this.#length = this.#from;
    this.#count = 0;
  }

  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#length = needed;
    return start;
  }
}

/** Reads `count` records. Returns undefined if the bytes are not exactly these. */
export function readRecords(bytes: Buffer, count: number): readonly DiskRecord[] | undefined {
  const records: DiskRecord[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + headBytes > bytes.length) return undefined;
    const [kind, keyForm, valueForm] = [bytes[at], forms[bytes[at + 1] ?? 9], forms[bytes[at + 2] ?? 9]];
    const keyAt = at + headBytes;
    const valueAt = keyAt + bytes.readUInt32LE(at + 4);
    const end = valueAt + bytes.readUInt32LE(at + 8);
    if ((kind !== putKind && kind !== deleteKind) || keyForm === undefined || valueForm === undefined || end > bytes.length)
      return undefined;
    const key = bytes.toString(keyForm, keyAt, valueAt);
    const revision = bytes.readDoubleLE(at + 20);
    records.push({
      key,
      revision,
      current: kind === deleteKind ? undefined : storedAt(bytes, at, key, bytes.toString(valueForm, valueAt, end)),
    });
    at = end;
  }
  return at === bytes.length ? records : undefined;
}

function storedAt(bytes: Buffer, at: number, key: string, value: string): DiskStored {
  const stored = { key, value, createRevision: bytes.readDoubleLE(at + 12), modRevision: bytes.readDoubleLE(at + 20) };
  const expiresAt = bytes.readDoubleLE(at + 28);
  return expiresAt === 0 ? stored : { ...stored, expiresAt };
}

function formOf(text: string): readonly [TextForm, number] {
  const length = Buffer.byteLength(text);
  if (length === text.length) return ["latin1", length];
  return /\p{Surrogate}/u.test(text) ? ["utf16le", text.length * 2] : ["utf8", length];
}
