/**
 * Turns the objects of one resource into versions, late or at once, always with the same outcome.
 *
 *     bytes of a line, of an item → VersionReader → ObjectVersion, or PoisonObjectError
 */
import { JsonError, apiVersionOf, asPartialObjectMetadata, decodeJson, peekObject } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject, PeekedObject, PeekOptions } from "@drover/machinery";
import type { ResourceTarget } from "@drover/client";
import { ByteShelf } from "./byte-shelf.ts";
import { lateVersion } from "./late-version.ts";
import type { AfterLook, LateReading } from "./late-version.ts";
import type { ObjectVersion } from "./object-version.ts";
import { versionOf } from "./parsed-version.ts";
import { PoisonObjectError, isPoisonObjectError } from "./poison-object-error.ts";

export interface VersionReaderOptions {
  readonly target: Pick<ResourceTarget, "group" | "version" | "kind">;
  /** "metadata": every object is reduced to `PartialObjectMetadata`, whatever the server sends. */
  readonly projection: "full" | "metadata";
  readonly keepManagedFields: boolean;
  /** "late": an object is parsed when somebody looks at it; "eager": when it comes. */
  readonly decode: "late" | "eager";
  readonly afterLook: AfterLook;
  readonly freeze: boolean;
}

export class VersionReader<T extends KubeObject> {
  readonly isLate: boolean;
  readonly peekOptions: PeekOptions;
  readonly dropManagedFields: boolean;
  /** Where the bytes of late versions lie. */
  readonly shelf: ByteShelf = new ByteShelf();
  readonly #reading: LateReading;

  constructor({ target, projection, keepManagedFields, decode, afterLook, freeze }: VersionReaderOptions) {
    this.isLate = decode === "late";
    this.peekOptions = { keepManagedFields, allocate: (length) => this.shelf.take(length) };
    this.dropManagedFields = !keepManagedFields;
    this.#reading = {
      kind: target.kind,
      afterLook,
      finish: projection === "metadata" ? reduced : filler(target),
      shelf: this.shelf,
      freeze,
    };
  }

  /** The version of an object that has been peeked at. */
  late(peeked: PeekedObject): ObjectVersion<T> {
    return lateVersion<T>(peeked, this.#reading);
  }

  /** The version of an object that has been parsed, its managed fields dropped. Throws a `PoisonObjectError` when it has no name. */
  parsed(object: JsonValue | undefined): ObjectVersion<T> {
    try {
      return versionOf<T>(isObject(object) ? (this.#reading.finish(object) as T) : (object as unknown as T), this.#reading);
    } catch (error) {
      if (!isPoisonObjectError(error)) throw error;
      const { key, resourceVersion } = error;
      throw new PoisonObjectError(error.problem, { kind: this.#reading.kind, key, resourceVersion });
    }
  }

  /** The version of the object with these bytes. Throws a `PoisonObjectError`. */
  read(bytes: Uint8Array): ObjectVersion<T> {
    const peeked = this.isLate ? peekObject(bytes, 0, bytes.length, this.peekOptions) : undefined;
    if (peeked !== undefined) return this.late(peeked);
    let value: JsonValue;
    try {
      value = decodeJson(bytes, { dropManagedFields: this.dropManagedFields });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw this.poison(error, peekObject(bytes, 0, bytes.length, this.peekOptions));
    }
    return this.parsed(value);
  }

  /** The error for bytes that are not JSON: the one that a look at it would throw. */
  poison(error: JsonError, peeked?: PeekedObject): PoisonObjectError {
    const known = peeked === undefined ? undefined : this.late(peeked);
    return new PoisonObjectError(`it is not JSON: ${error.detail}`, {
      kind: this.#reading.kind,
      key: known?.key,
      resourceVersion: known?.resourceVersion,
      cause: error,
    });
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Puts `apiVersion` and `kind` on objects that have neither: items of a list come without. */
function filler(target: Pick<ResourceTarget, "group" | "version" | "kind">): (object: JsonObject) => KubeObject {
  const apiVersion = apiVersionOf(target);
  const { kind } = target;
  return (object) => {
    if (object["kind"] || object["apiVersion"]) return object as unknown as KubeObject;
    const filled = { apiVersion, kind, ...object };
    filled.apiVersion = apiVersion;
    filled.kind = kind;
    return filled as unknown as KubeObject;
  };
}

function reduced(object: JsonObject): KubeObject {
  const whole = object as unknown as KubeObject;
  return whole.kind === "PartialObjectMetadata" ? whole : asPartialObjectMetadata(whole);
}
