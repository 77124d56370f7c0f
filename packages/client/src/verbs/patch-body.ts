/**
 * Patches by type, each with its body.
 *
 *     { type: "merge", body: { spec: { replicas: 3 } } } → client.patch
 */
import type { JsonPatchOperation, JsonValue } from "@drover/machinery";

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** RFC 7386: merges objects, `null` removes, lists are replaced. */
export type MergePatch<T> = T extends Primitive
  ? T
  : T extends readonly unknown[]
    ? DeepReadonlyList<T>
    : T extends object
      ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
      : T;

/** Like a merge patch, but lists are merged by their keys. Directives, whose names start with "$", are allowed anywhere. */
export type StrategicPatch<T> = T extends Primitive
  ? T
  : T extends readonly (infer E)[]
    ? readonly StrategicPatch<E>[]
    : T extends object
      ? DeepReadonlyItem<T> | ({ readonly [K in keyof T]?: StrategicPatch<T[K]> | null } & Directives)
      : T;

/** `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`. */
interface Directives {
  readonly [directive: `$${string}`]: JsonValue;
}

// Items of a replaced list must be complete, but the list may be read-only.
type DeepReadonlyList<T extends readonly unknown[]> = readonly DeepReadonlyItem<T[number]>[];
type DeepReadonlyItem<T> = T extends Primitive
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepReadonlyItem<E>[]
    : { readonly [K in keyof T]: DeepReadonlyItem<T[K]> };

/**
 * A patch and its type. "json" is a list of operations; "merge" works for every kind; "strategic" only for built-in kinds
 * (the server answers 415 for others). For server-side apply use `apply`.
 */
export type Patch<T> =
  | { readonly type: "json"; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: "merge"; readonly body: MergePatch<T> }
  | { readonly type: "strategic"; readonly body: StrategicPatch<T> };

/** A patch for objects of unknown type. */
export type AnyPatch =
  | { readonly type: "json"; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: "merge" | "strategic"; readonly body: object };
