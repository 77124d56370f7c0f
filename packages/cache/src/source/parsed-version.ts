/**
 * A version whose object is already parsed.
 *
 *     object → versionOf → ObjectVersion
 */
import { deepFreeze, getOwn, isJsonObject, objectKey } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { PoisonObjectError } from "./poison-object-error.ts";

/** Fields that the cache needs of every object. */
export interface VersionIdentity {
  readonly key: ObjectKey;
  /** "" if there is none. */
  readonly uid: string;
  /** "" if there is none. */
  readonly resourceVersion: string;
  readonly isTerminating: boolean;
}

export interface VersionOfOptions {
  /** Freezes the object recursively, in place. @default true */
  readonly freeze?: boolean;
}

/**
 * Returns the version of a parsed object; the cache takes ownership of the object.
 * Throws a `PoisonObjectError` if it has no `metadata.name`.
 */
export function versionOf<T extends KubeObject>(object: T, options?: VersionOfOptions): ObjectVersion<T> {
  return versionOfJson(object, options);
}

/** Returns the version of a JSON value, whose type the caller knows. Throws a `PoisonObjectError` if it is not an object with a name. */
export function versionOfJson<T extends KubeObject>(value: unknown, { freeze = true }: VersionOfOptions = {}): ObjectVersion<T> {
  const identity = identityOf(value);
  const object = value as T;
  const frozen = freeze ? deepFreeze(object) : (object as DeepReadonly<T>);
  return Object.freeze({ ...identity, labels: labelsOf(frozen), object: frozen, isParsed: true });
}

/** Returns the identity of a parsed object. Throws a `PoisonObjectError` if it has no `metadata.name`. */
export function identityOf(object: unknown): VersionIdentity {
  if (!isRecord(object)) throw new PoisonObjectError(`expected an object, but it is ${nameOfType(object)}`);
  const kind = textOf(object, "kind");
  const metadata = getOwn(object, "metadata");
  if (!isRecord(metadata))
    throw new PoisonObjectError(`metadata: expected an object, but it is ${nameOfType(metadata)}`, { kind: kind || undefined });
  const name = getOwn(metadata, "name");
  const resourceVersion = textOf(metadata, "resourceVersion");
  if (typeof name !== "string" || name === "") {
    const problem = name === "" ? "it is empty" : `it is ${nameOfType(name)}`;
    throw new PoisonObjectError(`metadata.name: expected a name, but ${problem}`, {
      kind: kind || undefined,
      resourceVersion: resourceVersion || undefined,
    });
  }
  return {
    key: objectKey(name, textOf(metadata, "namespace")),
    uid: textOf(metadata, "uid"),
    resourceVersion,
    isTerminating: textOf(metadata, "deletionTimestamp") !== "",
  };
}

/** Returns the labels of an object; labels that are not an object count as none. */
export function labelsOf({ metadata }: { readonly metadata?: unknown }): Readonly<Record<string, string>> {
  const labels = isRecord(metadata) ? getOwn(metadata, "labels") : undefined;
  return isRecord(labels) ? (labels as Readonly<Record<string, string>>) : noLabels;
}

/** Labels of an object without labels. */
export const noLabels: Readonly<Record<string, string>> = Object.freeze({});

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value as never);

function textOf(object: Readonly<Record<string, unknown>>, key: string): string {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : "";
}

function nameOfType(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return `a ${typeof value}`;
}
