/**
 * The argument of server-side apply: the identity of an object and the fields we own.
 *
 *     cached object → only(object, fields) → ApplyObject → client.apply
 */
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectMeta } from "@drover/machinery";

/** `T` with every field optional and read-only, recursively, items of lists included. */
export type DeepPartial<T> = T extends string | number | bigint | boolean | symbol | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepPartial<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;

/** The metadata a client may own: everything but the identity and what the server maintains. */
type OwnedMeta = DeepPartial<Omit<ObjectMeta, "name" | "namespace" | "uid" | "managedFields" | "resourceVersion">>;

/** The fields of a `T` that a manager can own, without its identity. */
export type OwnedFields<T extends DeepReadonly<KubeObject>> = DeepPartial<Omit<T, "apiVersion" | "kind" | "metadata">> & {
  readonly metadata?: OwnedMeta;
};

/**
 * An object to apply: any of its fields, and its name. `managedFields` is maintained by the server and rejected. With a
 * `uid`, the apply fails unless the object has it; with a `resourceVersion`, it is a conflict unless the object has it.
 */
export type ApplyObject<T extends DeepReadonly<KubeObject>> = DeepPartial<Omit<T, "apiVersion" | "kind" | "metadata">> & {
  readonly apiVersion?: T["apiVersion"];
  readonly kind?: T["kind"];
  readonly metadata: OwnedMeta & {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly managedFields?: never;
  };
};

/**
 * Returns the identity of an object plus the fields we own. The identity includes the uid: applying to a deleted object is a
 * conflict (`isConflict`) and never creates it, and applying to a new one of the same name is invalid (`isInvalid`). Does
 * not modify its arguments.
 *
 *     await client.apply(Pod, only(pod, { metadata: { labels: { app: "web" } } }), { fieldManager: "shop" });
 */
export function only<T extends DeepReadonly<KubeObject>>(object: T, fields: OwnedFields<NoInfer<T>>): ApplyObject<T> {
  const {
    apiVersion,
    kind,
    metadata: { name, namespace, uid },
  } = object;
  if (name === undefined || name === "") throw new TypeError("an object without a name has no identity: create it first");
  const identity = { name, ...definedOnly({ namespace, uid }) };
  const type = definedOnly({ apiVersion, kind });
  const { metadata, ...rest }: { readonly metadata?: object } = fields;
  return { ...rest, ...type, metadata: { ...metadata, ...identity } } as unknown as ApplyObject<T>;
}
