/**
 * Patches by their types, each with the body that type takes.
 *
 *     { type: "merge", body: { spec: { replicas: 3 } } } → client.patch
 */
import type { JsonPatchOperation, JsonValue } from "@drover/machinery";

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** RFC 7386: objects are merged, `null` removes, lists are replaced whole. */
export type MergePatch<T> = T extends Primitive
  ? T
  : T extends readonly unknown[]
    ? DeepReadonlyList<T>
    : T extends object
      ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
      : T;

/** Like a merge patch, and lists are merged by their keys. Directives, whose names begin with "$", may stand anywhere. */
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

// Items of a replaced list must be whole, but a list of one's own may well be read-only.
type DeepReadonlyList<T extends readonly unknown[]> = readonly DeepReadonlyItem<T[number]>[];
type DeepReadonlyItem<T> = T extends Primitive
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepReadonlyItem<E>[]
    : { readonly [K in keyof T]: DeepReadonlyItem<T[K]> };

/**
 * A patch and what it is. "json" is a list of operations; "merge" works for every kind; "strategic" only for built-in kinds (the server
 * answers 415 for others). For server-side apply there is `apply`.
 */
export type Patch<T> =
  | { readonly type: "json"; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: "merge"; readonly body: MergePatch<T> }
  | { readonly type: "strategic"; readonly body: StrategicPatch<T> };

/** A patch for objects whose type is not known. */
export type AnyPatch =
  | { readonly type: "json"; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: "merge" | "strategic"; readonly body: object };
