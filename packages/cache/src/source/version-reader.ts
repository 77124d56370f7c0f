/**
 * Creates versions of the objects of one resource. Late and eager decoding have the same results.
 *
 *     bytes of a line, of an item → VersionReader → ObjectVersion, or PoisonObjectError
 */
import { JsonError, apiVersionOf, decodeJson, isInstanceOf, peekObject } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject, PeekedObject, PeekOptions } from "@drover/machinery";
import type { ResourceTarget } from "@drover/client";
import { ByteShelf } from "./byte-shelf.ts";
import { lateVersion } from "./late-version.ts";
import type { AfterLook, LateReading } from "./late-version.ts";
import type { ObjectVersion } from "./object-version.ts";
import { versionOfJson } from "./parsed-version.ts";
import { PoisonObjectError, isPoisonObjectError } from "./poison-object-error.ts";

export interface VersionReaderOptions {
  readonly target: Pick<ResourceTarget, "group" | "version" | "kind">;
  /** "metadata": reduces every object to `PartialObjectMetadata`, whatever the server sends. */
  readonly projection: "full" | "metadata";
  readonly keepManagedFields: boolean;
  /** "late": parses an object when it is first read; "eager": on arrival. */
  readonly decode: "late" | "eager";
  readonly afterLook: AfterLook;
  readonly freeze: boolean;
}

export class VersionReader<T extends KubeObject> {
  readonly isLate: boolean;
  readonly peekOptions: PeekOptions;
  readonly dropManagedFields: boolean;
  /** Allocator for the bytes of late versions. */
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

  /** Returns the version of a peeked object. */
  late(peeked: PeekedObject): ObjectVersion<T> {
    return lateVersion<T>(peeked, this.#reading);
  }

  /** Returns the version of a parsed object without managed fields. Throws a `PoisonObjectError` if it has no name. */
  parsed(object: JsonValue | undefined): ObjectVersion<T> {
    try {
      return versionOfJson<T>(isObject(object) ? this.#reading.finish(object) : object, this.#reading);
    } catch (error) {
      if (!isPoisonObjectError(error)) throw error;
      const { key, resourceVersion } = error;
      throw new PoisonObjectError(error.problem, { kind: this.#reading.kind, key, resourceVersion });
    }
  }

  /** Decodes bytes into a version. Throws a `PoisonObjectError`. */
  read(bytes: Uint8Array): ObjectVersion<T> {
    const peeked = this.isLate ? peekObject(bytes, 0, bytes.length, this.peekOptions) : undefined;
    if (peeked !== undefined) return this.late(peeked);
    let value: JsonValue;
    try {
      value = decodeJson(bytes, { dropManagedFields: this.dropManagedFields });
    } catch (error) {
      if (!isInstanceOf(error, JsonError)) throw error;
      throw this.poison(error, peekObject(bytes, 0, bytes.length, this.peekOptions));
    }
    return this.parsed(value);
  }

  /** Returns the error for bytes that are not JSON, equal to the one of a late read. */
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

/** Adds `apiVersion` and `kind` to objects that have neither, such as list items. */
function filler(target: Pick<ResourceTarget, "group" | "version" | "kind">): (object: JsonObject) => object {
  const apiVersion = apiVersionOf(target);
  const { kind } = target;
  return (object) => {
    if (object["kind"] || object["apiVersion"]) return object;
    const filled = { apiVersion, kind, ...object };
    filled.apiVersion = apiVersion;
    filled.kind = kind;
    return filled;
  };
}

function reduced(object: JsonObject): object {
  if (object["kind"] === "PartialObjectMetadata") return object;
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: object["metadata"] };
}
