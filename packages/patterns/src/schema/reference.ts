/**
 * Reference fields: declared in the schema, found in it, and read from objects.
 *
 *     reference(Secret, z.string()) → referencesIn(schema) → namesAt(object, path)
 *
 * A reference is stored in the metadata of the zod schema (`.meta()`); the structural schema for the server does not
 * contain it.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonValue, Kind } from "@drover/machinery";
import { definitionOf, metaOf } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** Key in `.meta()`. The CRD takes over only descriptions and x-kubernetes-… keys. */
const word = "drover-reference";

/** One step of a path: a field, all items of a list, or all values of a map. */
export type ReferenceStep = "items" | "values" | { readonly field: string };

/** One field of a resource that names objects of a kind. */
export interface ResourceReference {
  readonly kind: Kind;
  /** Path from the object to the field. */
  readonly path: readonly ReferenceStep[];
}

/**
 * Marks a field as the name of an object of that kind, in the same namespace if the kind is namespaced. An operator
 * watches referenced objects: a change of the Secret reconciles exactly the objects that refer to it.
 *
 *     spec: z.object({ tls: reference(Secret, z.string()).optional() })
 *
 * Apply it last: zod drops it when a check is added afterwards. `optional()`, `default()` and similar wrappers may
 * follow.
 */
export function reference<S extends ZodSchema<string | null | undefined>>(kind: Kind, schema: S): S {
  const { meta } = schema as { readonly meta?: (said: Readonly<Record<string, unknown>>) => S };
  if (typeof meta !== "function")
    throw new TypeError(`reference(${kind.kind}, …): the schema has no meta(); use z.string() of "zod" and not of "zod/mini"`);
  return meta.call(schema, { ...metaOf(schema), [word]: kind });
}

/** Returns all references in a schema. @param path - location of the schema */
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

/** Returns the distinct names at a path of an object. */
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
