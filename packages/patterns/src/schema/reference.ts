/**
 * Fields that name another object: said in the schema, found in it, and read from objects.
 *
 *     reference(Secret, z.string()) → referencesIn(schema) → namesAt(object, path)
 *
 * What is said here is kept beside the zod schema (`.meta()`), and the server hears nothing of it: the structural schema stays as it is.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonValue, Kind } from "@drover/machinery";
import { definitionOf, metaOf } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** The word under which `.meta()` keeps it; the schema of the resource takes over only words for people and x-kubernetes-…. */
const word = "drover-reference";

/** One step on the way to a field: into a field, or into all items of a list, or into all values of a map. */
export type ReferenceStep = "items" | "values" | { readonly field: string };

/** One field of a resource that names objects of a kind. */
export interface ResourceReference {
  readonly kind: Kind;
  /** The way from the object to the field. */
  readonly path: readonly ReferenceStep[];
}

/**
 * A field that holds the name of an object of that kind, in the same namespace if the kind has namespaces. An operator
 * watches what it names: a change of
 * the Secret reconciles those who refer to it, and nobody else.
 *
 *     spec: z.object({ tls: reference(Secret, z.string()).optional() })
 *
 * Say it last: zod forgets it when a check is added behind it. `optional()`, `default()` and the like may follow.
 */
export function reference<S extends ZodSchema<string | null | undefined>>(kind: Kind, schema: S): S {
  const { meta } = schema as { readonly meta?: (said: Readonly<Record<string, unknown>>) => S };
  if (typeof meta !== "function")
    throw new TypeError(`reference(${kind.kind}, …): the schema has no meta(); use z.string() of "zod" and not of "zod/mini"`);
  return meta.call(schema, { ...metaOf(schema), [word]: kind });
}

/** Every reference in a schema. @param path - where the schema stands */
export function referencesIn(schema: ZodSchema, path: readonly ReferenceStep[]): readonly ResourceReference[] {
  const kind = getOwn(metaOf(schema), word) as Kind | undefined;
  return [
    ...(kind === undefined ? [] : [{ kind, path }]),
    ...partsOf(schema).flatMap(([part, step]) => referencesIn(part, step === undefined ? path : [...path, step])),
  ];
}

function partsOf(schema: ZodSchema): readonly (readonly [ZodSchema, ReferenceStep?])[] {
  const definition = definitionOf(schema);
  if (definition.type === "object") return Object.entries(definition.shape).map(([field, part]) => [part, { field }]);
  if (definition.type === "array") return [[definition.element, "items"]];
  if (definition.type === "record") return [[definition.valueType, "values"]];
  if (definition.type === "union") return definition.options.map((option) => [option]);
  if (definition.type === "intersection") return [[definition.left], [definition.right]];
  return "innerType" in definition ? [[definition.innerType]] : [];
}

/** The names that stand at a path of an object, each once. */
export function namesAt(object: unknown, path: readonly ReferenceStep[]): readonly string[] {
  let values: readonly (JsonValue | undefined)[] = [object as JsonValue];
  for (const step of path) values = values.flatMap((value) => stepInto(value, step));
  return [...new Set(values.filter((value) => typeof value === "string" && value !== ""))] as string[];
}

function stepInto(value: JsonValue | undefined, step: ReferenceStep): readonly (JsonValue | undefined)[] {
  if (step === "items") return Array.isArray(value) ? value : [];
  if (!isJsonObject(value)) return [];
  return step === "values" ? Object.values(value) : [getOwn(value, step.field)];
}
