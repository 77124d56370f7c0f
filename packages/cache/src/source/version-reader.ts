/**
 * Creates versions of the objects of one resource. Late and eager decoding have the same results.
 *
 *     bytes of a line, of an item → VersionReader → ObjectVersion, or PoisonObjectError
 */
import { apiVersionOf, JsonProjection } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject, PeekedObject, PeekOptions } from "@drover/machinery";
import type { ResourceTarget } from "@drover/client";
import { ByteShelf } from "./byte-shelf.ts";
import type { FieldLimit } from "./field-limit.ts";
import { lateVersion, restoredVersion } from "./late-version.ts";
import type { KeptVersion } from "./kept-version.ts";
import type { AfterLook, LateReading } from "./late-version.ts";
import { formatProblem, jsonFormat } from "./object-format.ts";
import type { ObjectFormat } from "./object-format.ts";
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
  /** Reduces every object to declared fields. @default whole objects */
  readonly limit?: FieldLimit | undefined;
}

export class VersionReader<T extends KubeObject> {
  readonly isLate: boolean;
  readonly peekOptions: PeekOptions;
  readonly dropManagedFields: boolean;
  /** Allocator for the bytes of late versions. */
  readonly shelf: ByteShelf = new ByteShelf();
  readonly #reading: LateReading;
  readonly #limit: FieldLimit | undefined;
  /** The same for the format that was used last, if that is not JSON. */
  #other: LateReading | undefined;

  constructor({ target, projection, keepManagedFields, decode, afterLook, freeze, limit }: VersionReaderOptions) {
    this.isLate = decode === "late";
    this.peekOptions = {
      keepManagedFields,
      allocate: (length) => this.shelf.take(length),
      ...(limit === undefined ? {} : { projection: new JsonProjection(limit.tree) }),
    };
    this.#limit = limit;
    this.dropManagedFields = !keepManagedFields;
    this.#reading = {
      kind: target.kind,
      format: jsonFormat,
      afterLook,
      finish: projection === "metadata" ? reduced : limit === undefined ? filler(target) : marker(limit, filler(target)),
      shelf: this.shelf,
      freeze,
    };
  }

  /** Returns the version of a peeked object. */
  late(peeked: PeekedObject, format: ObjectFormat = jsonFormat): ObjectVersion<T> {
    return lateVersion<T>(peeked, this.#readingOf(format));
  }

  /** Returns a version that was kept outside of this process. Its bytes are not copied. */
  restored(kept: KeptVersion, format: ObjectFormat): ObjectVersion<T> {
    return restoredVersion<T>(kept, this.#readingOf(format));
  }

  /** Returns the version of a parsed object without managed fields. Throws a `PoisonObjectError` if it has no name. */
  parsed(object: JsonValue | undefined): ObjectVersion<T> {
    try {
      return versionOfJson<T>(isObject(object) ? this.#reading.finish(this.#limit?.kept(object) ?? object) : object, this.#reading);
    } catch (error) {
      if (!isPoisonObjectError(error)) throw error;
      const { key, resourceVersion } = error;
      throw new PoisonObjectError(error.problem, { kind: this.#reading.kind, key, resourceVersion });
    }
  }

  /** Returns the version of JSON that can stay bytes; undefined if it must be decoded, or is no object with a name. */
  lateJson(bytes: Uint8Array): ObjectVersion<T> | undefined {
    const peeked = this.isLate ? jsonFormat.peek(bytes, 0, bytes.length, this.peekOptions) : undefined;
    return peeked === undefined ? undefined : this.late(peeked);
  }

  /** Decodes bytes into a version. Throws a `PoisonObjectError`. */
  read(bytes: Uint8Array, format: ObjectFormat = jsonFormat): ObjectVersion<T> {
    const peeked = this.isLate ? format.peek(bytes, 0, bytes.length, this.peekOptions) : undefined;
    if (peeked !== undefined) return this.late(peeked, format);
    let value: JsonValue;
    try {
      value = format.decode(bytes, { dropManagedFields: this.dropManagedFields });
    } catch (error) {
      throw this.poison(error, format, format.peek(bytes, 0, bytes.length, this.peekOptions)) ?? error;
    }
    return this.parsed(value);
  }

  /** Returns the error for bytes that cannot be decoded, equal to the one of a late read; undefined for an error of another kind. */
  poison(error: unknown, format: ObjectFormat, peeked?: PeekedObject): PoisonObjectError | undefined {
    const problem = formatProblem(error);
    if (problem === undefined) return undefined;
    const known = peeked === undefined ? undefined : this.late(peeked, format);
    return new PoisonObjectError(problem, {
      kind: this.#reading.kind,
      key: known?.key,
      resourceVersion: known?.resourceVersion,
      cause: error,
    });
  }

  #readingOf(format: ObjectFormat): LateReading {
    if (format === this.#reading.format) return this.#reading;
    if (format !== this.#other?.format) this.#other = { ...this.#reading, format };
    return this.#other;
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
    const filled = { kind, apiVersion, ...object };
    filled.kind = kind;
    filled.apiVersion = apiVersion;
    return filled;
  };
}

const marker =
  (limit: FieldLimit, fill: (object: JsonObject) => object): ((object: JsonObject) => object) =>
  (object) =>
    limit.marked(fill(object));

function reduced(object: JsonObject): object {
  if (object["kind"] === "PartialObjectMetadata") return object;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object["metadata"] };
}
