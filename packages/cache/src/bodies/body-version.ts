/**
 * A version whose body may be evicted: everything else of it stays.
 *
 *     ObjectVersion as it arrives → BodySource → BodyVersion, in the store; its body is in the BodyCache
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { labelsOf } from "../source/parsed-version.ts";
import type { VersionRestorer } from "../source/version-source.ts";
import type { Body, BodyHolder } from "./body-cache.ts";

/** Index values of an object by index, as they were when it arrived; an error if the index function threw. */
export type IndexedValues = readonly (string | readonly string[] | IndexFault)[];

export class IndexFault {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** A body was read as if it were always there. Never reaches users. */
export class EvictedBodyError extends Error {
  override readonly name = "EvictedBodyError";
}

export interface BodyVersionParts<T extends KubeObject> {
  readonly arrived: ObjectVersion<T>;
  readonly digest: number;
  readonly indexed: IndexedValues;
  readonly restorer: VersionRestorer<T>;
}

/** Guarantees: identity, digest and index values never change; `read` returns the object of exactly this version, or undefined. */
export class BodyVersion<T extends KubeObject> implements ObjectVersion<T>, BodyHolder {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isTerminating: boolean;
  readonly digest: number;
  readonly indexed: IndexedValues;
  body: Body | undefined = undefined;
  readonly #restorer: VersionRestorer<T>;

  constructor({ arrived, digest, indexed, restorer }: BodyVersionParts<T>) {
    this.key = arrived.key;
    this.uid = arrived.uid;
    this.resourceVersion = arrived.resourceVersion;
    this.isTerminating = arrived.isTerminating;
    this.digest = digest;
    this.indexed = indexed;
    this.#restorer = restorer;
  }

  get isParsed(): boolean {
    return this.body?.seen?.deref() !== undefined;
  }

  get encoded(): Uint8Array | undefined {
    return this.body?.bytes;
  }

  /** The object; throws an `EvictedBodyError` if the body is evicted. Readers use `read`. */
  get object(): DeepReadonly<T> {
    const object = this.read();
    if (object === undefined) throw new EvictedBodyError(`the body of ${this.key} is evicted; it must be read from the server`);
    return object;
  }

  get labels(): Readonly<Record<string, string>> {
    return labelsOf(this.object);
  }

  /** Returns the object if its body is cached. Throws a `PoisonObjectError` if it cannot be decoded. */
  read(): DeepReadonly<T> | undefined {
    const { body } = this;
    if (body === undefined) return undefined;
    body.isRead = true;
    const seen = body.seen?.deref() as (DeepReadonly<T> & object) | undefined;
    if (seen !== undefined) return seen;
    const { buffer, byteOffset, length } = body.bytes;
    const { object } = this.#restorer.restore({ ...this.#identity, memory: buffer, offset: byteOffset, length }, body.encoding);
    body.seen = new WeakRef(object);
    return object;
  }

  get #identity(): Pick<ObjectVersion, "key" | "uid" | "resourceVersion" | "isTerminating"> {
    const { key, uid, resourceVersion, isTerminating } = this;
    return { key, uid, resourceVersion, isTerminating };
  }
}
