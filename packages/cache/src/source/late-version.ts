/**
 * A version that is still bytes of JSON. Parsing is most of what a cache costs, and most objects are looked at by nobody.
 *
 *     PeekedObject → lateVersion → ObjectVersion: names at once, labels and the object when somebody asks
 *
 * Guarantees that whoever looks sees what reading everything at once would have shown: the same object, or the same error.
 */
import { JsonError, decodeJson, isJsonObject, objectKey, peekLabels } from "@drover/machinery";
import type { DeepReadonly, JsonObject, KubeObject, ObjectKey, PeekedObject } from "@drover/machinery";
import type { ByteShelf } from "./byte-shelf.ts";
import type { ObjectVersion } from "./object-version.ts";
import { labelsOf } from "./parsed-version.ts";
import { PoisonObjectError } from "./poison-object-error.ts";

/**
 * What stays in memory of an object somebody has looked at. For a Pod whose JSON has 4.6 KB without managed fields that is 5.2 KB as bytes
 * and 6.8 KB parsed, all included; a second look costs nothing or another parse.
 *  - "parsed": the object; its bytes are let go. For objects that are looked at again and again, as reconcilers do.
 *  - "bytes": the bytes; the object lives as long as somebody holds it, and is parsed again after that. For large caches looked at rarely.
 */
export type AfterLook = "parsed" | "bytes";

/** How the versions of one source are read; shared by all of them. */
export interface LateReading {
  /** The kind, for errors: "Pod". */
  readonly kind: string;
  readonly afterLook: AfterLook;
  /** The last touch to an object before it is frozen: what a list leaves out is put back. */
  readonly finish: (object: JsonObject) => KubeObject;
  /** Where the bytes lie. */
  readonly shelf: ByteShelf;
  /** Whether objects are frozen. */
  readonly freeze: boolean;
}

/** A version from what was peeked. */
export function lateVersion<T extends KubeObject>(peeked: PeekedObject, reading: LateReading): ObjectVersion<T> {
  return new LateVersion<T>(peeked, reading);
}

/** The object of some bytes. Throws a `PoisonObjectError`. */
function readObject<T extends KubeObject>(
  bytes: Uint8Array,
  reading: LateReading,
  about: Pick<ObjectVersion, "key" | "resourceVersion">,
): DeepReadonly<T> {
  try {
    const value = decodeJson(bytes);
    if (!isJsonObject(value)) throw new JsonError("syntax", "expected an object");
    const object = reading.finish(value);
    return (reading.freeze ? freezeJson(object) : object) as DeepReadonly<T>;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { kind } = reading;
    throw new PoisonObjectError(`it is not JSON: ${error.detail}`, {
      kind,
      key: about.key,
      resourceVersion: about.resourceVersion,
      cause: error,
    });
  }
}

class LateVersion<T extends KubeObject> implements ObjectVersion<T> {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isTerminating: boolean;
  readonly #reading: LateReading;
  // The bytes until somebody looks; then, by policy, still the bytes, or the object.
  #content: Uint8Array | DeepReadonly<T>;
  // What a look at bytes that are kept has shown.
  #seen: WeakRef<DeepReadonly<T> & object> | PoisonObjectError | undefined;

  constructor({ name, namespace, uid, resourceVersion, isTerminating, bytes }: PeekedObject, reading: LateReading) {
    this.key = objectKey(name, namespace);
    this.uid = uid;
    this.resourceVersion = resourceVersion;
    this.isTerminating = isTerminating;
    this.#content = bytes;
    this.#reading = reading;
  }

  get isParsed(): boolean {
    return !(this.#content instanceof Uint8Array) || this.#seen !== undefined;
  }

  get labels(): Readonly<Record<string, string>> {
    const found = this.#content instanceof Uint8Array ? peekLabels(this.#content) : undefined;
    return (found === undefined ? undefined : readLabels(found)) ?? labelsOf(this.object);
  }

  get object(): DeepReadonly<T> {
    const content = this.#content;
    if (!(content instanceof Uint8Array)) return content;
    const seen = this.#seen;
    if (seen instanceof PoisonObjectError) throw seen;
    return seen?.deref() ?? this.#look(content);
  }

  repack(): void {
    const content = this.#content;
    if (!(content instanceof Uint8Array)) return;
    const moved = this.#reading.shelf.take(content.length);
    moved.set(content);
    this.#content = moved;
  }

  #look(bytes: Uint8Array): DeepReadonly<T> {
    let object: DeepReadonly<T> & object;
    try {
      object = readObject<T>(bytes, this.#reading, this);
    } catch (error) {
      if (error instanceof PoisonObjectError) this.#seen = error;
      throw error;
    }
    if (this.#reading.afterLook === "bytes") this.#seen = new WeakRef(object);
    else this.#content = object;
    return object;
  }
}

function readLabels(bytes: Uint8Array): Readonly<Record<string, string>> | undefined {
  try {
    return freezeJson(decodeJson(bytes)) as Readonly<Record<string, string>>;
  } catch {
    // Whatever is wrong with them will show when the object is read.
    return undefined;
  }
}

/**
 * Freezes what the decoder made, all the way down. It is plain data and at most a thousand levels deep; so this need not be as careful as
 * `deepFreeze`, and takes a third of the time, which is a third of what parsing takes.
 */
function freezeJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) freezeJson(item);
  else for (const key in value) freezeJson((value as Readonly<Record<string, unknown>>)[key]);
  return value;
}
