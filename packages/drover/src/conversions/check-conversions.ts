/**
 * Checks that conversions between the versions of a resource lose nothing: with random objects of every version, there and back.
 *
 *     Resource → ObjectGenerator per version → convert, convert back → equal, or ConversionError with the smallest object
 */
import {
  applyDefaults,
  compileSchema,
  createRandom,
  dropNulls,
  errorText,
  isJsonObject,
  jsonEqual,
  printFieldError,
  prune,
  validate,
} from "@drover/machinery";
import type { CompiledSchema, JsonObject, JsonValue, KubeObject, Schema } from "@drover/machinery";
import { fieldChanges } from "@drover/controller";
import type { Resource } from "@drover/patterns";
import { ConversionError } from "./conversion-error.ts";
import type { ConversionFailure } from "./conversion-error.ts";
import { ObjectGenerator } from "./object-generator.ts";
import { smallest } from "./smallest-object.ts";

/** Options of `checkConversions`. */
export interface CheckConversionsOptions {
  /** Objects per version. @default 200 */
  readonly runs?: number;
  /** Seed of the objects. @default 1 */
  readonly seed?: number | string;
}

/** How much was checked. */
export interface CheckedConversions {
  /** The older versions, each converted from and to the current one. */
  readonly versions: readonly string[];
  /** Objects that were converted there and back. */
  readonly objects: number;
}

interface Version {
  readonly name: string;
  readonly schema: Schema;
  readonly compiled: CompiledSchema;
}

/**
 * Converts objects of every older version to the current one and back, and objects of the current version to every older one and back.
 * They must be equal afterwards, apart from schema defaults, and valid on the way. Throws a `ConversionError` with the smallest object
 * that fails and the first differing field. The same seed gives the same objects.
 */
export function checkConversions(resource: Resource, { runs = 200, seed = 1 }: CheckConversionsOptions = {}): CheckedConversions {
  if (!Number.isSafeInteger(runs) || runs < 1) throw new RangeError(`checkConversions: runs must be a positive integer, not ${runs}`);
  const versions = versionsOf(resource);
  const current = versions.find(({ name }) => name === resource.version);
  if (current === undefined) throw new TypeError(`checkConversions: ${resource.kind} has no version ${resource.version}`);
  const older = versions.filter(({ name }) => name !== resource.version);
  let objects = 0;
  for (const version of older) {
    for (const [from, to] of [
      [version, current],
      [current, version],
    ] as const) {
      const random = createRandom(seed).stream(`${from.name} to ${to.name}`);
      const generator = new ObjectGenerator(from.schema, random);
      for (let run = 1; run <= runs; run++, objects++) {
        const object = asObject(resource, from, generator.object(), run);
        if (failureOf(resource, from, to, object) === undefined) continue;
        throw reported(resource, from, to, object, `found in run ${run} with seed ${JSON.stringify(seed)}`);
      }
    }
  }
  return { versions: older.map(({ name }) => name), objects };
}

/** The address is never called. */
function versionsOf(resource: Resource): readonly Version[] {
  const { spec } = resource.definition({ conversionWebhook: { url: "https://conversions.invalid/convert" } });
  return spec.versions.map(({ name, schema }) => {
    const root = (schema?.openAPIV3Schema ?? {}) as Schema;
    return { name, schema: root, compiled: compileSchema(root) };
  });
}

/** Every second object has labels and annotations, which conversions must keep. */
function asObject({ group, kind }: Resource, { name }: Version, { spec, status }: JsonObject, run: number): JsonObject {
  const extra = run % 2 === 0 ? { labels: { app: "shop" }, annotations: { "example.com/note": "kept" } } : {};
  return {
    apiVersion: `${group}/${name}`,
    kind,
    metadata: { name: "generated", ...extra },
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

type Failure = Pick<ConversionFailure, "what" | "before" | "between" | "after"> & { readonly cause?: unknown };

/** Converts there and back as the server does: it prunes and defaults after each step. */
function failureOf(resource: Resource, from: Version, to: Version, object: JsonObject): Failure | undefined {
  const before = normal(object, from);
  const between = converted(resource, before, to);
  if ("error" in between) return { what: `the converter to ${to.name} threw: ${errorText(between.error)}`, before, cause: between.error };
  const [invalid] = validate(between.object, to.compiled);
  if (invalid !== undefined)
    return { what: `the object is not valid in ${to.name}: ${printFieldError(invalid)}`, before, between: between.object };
  const back = converted(resource, between.object, from);
  if ("error" in back)
    return { what: `the converter to ${from.name} threw: ${errorText(back.error)}`, before, between: between.object, cause: back.error };
  if (jsonEqual(before, back.object)) return undefined;
  return { what: differenceText(before, back.object), before, between: between.object, after: back.object };
}

function differenceText(before: JsonObject, after: JsonObject): string {
  const [first] = fieldChanges(asKube(before), asKube(after), { fieldsMax: 1 }).fields;
  if (first === undefined) return "the object changed";
  return `${first.path} ${first.before ?? "nothing"} became ${first.after ?? "nothing"}`;
}

function converted(resource: Resource, object: JsonObject, to: Version): { readonly object: JsonObject } | { readonly error: unknown } {
  try {
    return { object: normal(resource.convert(asKube(object), to.name) as unknown as JsonObject, to) };
  } catch (error) {
    return { error };
  }
}

function normal(object: JsonObject, { compiled }: Version): JsonObject {
  // As on the wire: no undefined, no shared parts that a converter could change.
  const plain = JSON.parse(JSON.stringify(object)) as JsonValue;
  const value = applyDefaults(dropNulls(prune(plain, compiled).value, compiled), compiled);
  if (!isJsonObject(value)) throw new TypeError("a converter must return an object");
  return value;
}

function reported(resource: Resource, from: Version, to: Version, object: JsonObject, note: string): ConversionError {
  const isFailing = (candidate: JsonObject): boolean =>
    validate(candidate, from.compiled).length === 0 && failureOf(resource, from, to, candidate) !== undefined;
  const small = smallest(object, isFailing);
  const { cause, ...failure } = failureOf(resource, from, to, small) ?? {
    what: "it fails only sometimes: converters must be pure",
    before: small,
  };
  return new ConversionError(
    { kind: resource.kind, versions: [from.name, to.name, from.name], ...failure },
    note,
    cause === undefined ? {} : { cause },
  );
}

const asKube = (object: JsonObject): KubeObject => object as unknown as KubeObject;
