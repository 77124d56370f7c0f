/**
 * A version that is still bytes. Decoding is most of the cost of a cache, and most objects are never read.
 *
 *     PeekedObject → lateVersion → ObjectVersion: names at once, labels and the object on first access
 *
 * Guarantees: a late read returns the same object, or throws the same error, as eager parsing.
 */
import { JsonError, isJsonObject, objectKey } from "@drover/machinery";
import type { DeepReadonly, JsonObject, KubeObject, ObjectKey, PeekedObject } from "@drover/machinery";
import type { ByteShelf } from "./byte-shelf.ts";
import type { KeptVersion } from "./kept-version.ts";
import { formatProblem } from "./object-format.ts";
import type { ObjectFormat } from "./object-format.ts";
import type { ObjectEncoding, ObjectVersion } from "./object-version.ts";
import { labelsOf } from "./parsed-version.ts";
import { PoisonObjectError, isPoisonObjectError } from "./poison-object-error.ts";

/**
 * What stays in memory of an object that was read. A Pod with 4.6 KB of JSON without managed fields takes 5.2 KB as bytes and 6.8 KB
 * parsed, everything included.
 *  - "parsed": the object; its bytes are released. For objects that are read repeatedly, as reconcilers do.
 *  - "bytes": the bytes; the object lives while it is referenced, and is parsed again after that. For large caches with few reads.
 */
export type AfterLook = "parsed" | "bytes";

/** Settings shared by all versions of one source. */
export interface LateReading {
  /** Kind for errors: "Pod". */
  readonly kind: string;
  readonly format: ObjectFormat;
  readonly afterLook: AfterLook;
  /** Completes an object before it is frozen: adds the fields that list items lack. */
  readonly finish: (object: JsonObject) => object;
  /** Allocator of the bytes. */
  readonly shelf: ByteShelf;
  /** Whether objects are frozen. */
  readonly freeze: boolean;
}

/** Returns a version from a peeked object. */
export function lateVersion<T extends KubeObject>(peeked: PeekedObject, reading: LateReading): ObjectVersion<T> {
  const { name, namespace, uid, resourceVersion, isTerminating, bytes } = peeked;
  const key = objectKey(name, namespace);
  const place = { memory: bytes.buffer, offset: bytes.byteOffset, length: bytes.length };
  return new LateVersion<T>({ key, uid, resourceVersion, isTerminating, ...place }, reading);
}

/** Returns a version that was kept. Its bytes are not copied. */
export function restoredVersion<T extends KubeObject>(kept: KeptVersion, reading: LateReading): ObjectVersion<T> {
  return new LateVersion<T>(kept, reading);
}

/** Decodes an object. Throws a `PoisonObjectError`. */
function readObject<T extends KubeObject>(
  bytes: Uint8Array,
  reading: LateReading,
  about: Pick<ObjectVersion, "key" | "resourceVersion">,
): DeepReadonly<T> {
  try {
    const value = reading.format.decode(bytes, { willFreeze: reading.freeze });
    if (!isJsonObject(value)) throw new JsonError("syntax", "expected an object");
    const object = reading.finish(value);
    return (reading.freeze ? freezeJson(object) : object) as DeepReadonly<T>;
  } catch (error) {
    const problem = formatProblem(error);
    if (problem === undefined) throw error;
    throw new PoisonObjectError(problem, {
      kind: reading.kind,
      key: about.key,
      resourceVersion: about.resourceVersion,
      cause: error,
    });
  }
}

class LateVersion<T extends KubeObject> implements ObjectVersion<T> {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isTerminating: boolean;
  readonly bytes: number;
  readonly #reading: LateReading;
  // A number if the text of that number is the version, as with every server of Kubernetes: a string would be one more object to keep.
  readonly #version: number | string;
  // The memory of the bytes until the first read; then the object, or still the bytes, depending on `afterLook`. Not a view of the bytes:
  // a view is larger than everything else that is kept of an object, and the garbage collector visits each.
  #content: ArrayBufferLike | DeepReadonly<T>;
  #offset: number;
  // Result of the last read, when the bytes are kept.
  #seen: WeakRef<DeepReadonly<T> & object> | PoisonObjectError | undefined;

  constructor({ key, uid, resourceVersion, isTerminating, memory, offset, length }: KeptVersion, reading: LateReading) {
    this.key = key;
    this.uid = uid;
    this.isTerminating = isTerminating;
    this.bytes = length;
    this.#version = compactVersion(resourceVersion);
    this.#content = memory;
    this.#offset = offset;
    this.#reading = reading;
  }

  get resourceVersion(): string {
    const version = this.#version;
    return typeof version === "string" ? version : String(version);
  }

  get isParsed(): boolean {
    return !(this.#content instanceof ArrayBuffer) || this.#seen !== undefined;
  }

  get labels(): Readonly<Record<string, string>> {
    const bytes = this.encoded;
    const found = bytes === undefined ? undefined : this.#reading.format.labels(bytes);
    return found === undefined ? labelsOf(this.object) : Object.freeze(found);
  }

  get object(): DeepReadonly<T> {
    const content = this.#content;
    if (!(content instanceof ArrayBuffer)) return content as DeepReadonly<T>;
    const seen = this.#seen;
    if (isPoisonObjectError(seen)) throw seen;
    return seen?.deref() ?? this.#look(this.#view(content));
  }

  get encoded(): Uint8Array | undefined {
    const content = this.#content;
    return content instanceof ArrayBuffer ? this.#view(content) : undefined;
  }

  get encoding(): ObjectEncoding {
    return this.#reading.format.name;
  }

  decoded(): DeepReadonly<T> {
    const content = this.#content;
    if (!(content instanceof ArrayBuffer)) return content as DeepReadonly<T>;
    return readObject<T>(this.#view(content), { ...this.#reading, freeze: false }, this);
  }

  repack(): void {
    const content = this.#content;
    if (!(content instanceof ArrayBuffer)) return;
    const moved = this.#reading.shelf.take(this.bytes);
    moved.set(this.#view(content));
    this.#content = moved.buffer;
    this.#offset = moved.byteOffset;
  }

  #view(memory: ArrayBuffer): Uint8Array {
    return new Uint8Array(memory, this.#offset, this.bytes);
  }

  #look(bytes: Uint8Array): DeepReadonly<T> {
    let object: DeepReadonly<T> & object;
    try {
      object = readObject<T>(bytes, this.#reading, this);
    } catch (error) {
      if (isPoisonObjectError(error)) this.#seen = error;
      throw error;
    }
    if (this.#reading.afterLook === "bytes") this.#seen = new WeakRef(object);
    else this.#content = object;
    return object;
  }
}

const ZERO = 0x30;
const NINE = 0x39;

/** Returns the number whose text is this version, if there is one and it is exact; otherwise the version. */
function compactVersion(version: string): number | string {
  const { length } = version;
  // All numbers of 15 digits are exact.
  if (length === 0 || length > 15 || (length > 1 && version.charCodeAt(0) === ZERO)) return version;
  let number = 0;
  for (let at = 0; at < length; at++) {
    const code = version.charCodeAt(at);
    if (code < ZERO || code > NINE) return version;
    number = number * 10 + code - ZERO;
  }
  return number;
}

/**
 * Freezes decoded JSON recursively. It is plain data and at most a thousand levels deep, so this can skip the checks of `deepFreeze`: it
 * takes a third of the time of `deepFreeze`, and a third of the time of parsing.
 */
function freezeJson(value: unknown): unknown {
  // Parts that are shared are frozen already.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) freezeJson(item);
  else for (const key in value) freezeJson((value as Readonly<Record<string, unknown>>)[key]);
  return value;
}
