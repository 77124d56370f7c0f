/**
 * What server-side apply is given: the identity of an object and the fields we own in it, no more.
 *
 *     cached object → only(object, fields) → ApplyObject → client.apply
 */
import type { DeepReadonly, KubeObject, ObjectMeta } from "@drover/machinery";

/** `T` with every field optional and read-only, all the way down, items of lists included. */
export type DeepPartial<T> = T extends string | number | bigint | boolean | symbol | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepPartial<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;

/** What is ours to say in metadata: everything but the identity and what the server keeps for itself. */
type OwnedMeta = DeepPartial<Omit<ObjectMeta, "name" | "namespace" | "uid" | "managedFields" | "resourceVersion">>;

/** The fields of a `T` that somebody owns, without its identity. */
export type OwnedFields<T extends DeepReadonly<KubeObject>> = DeepPartial<Omit<T, "apiVersion" | "kind" | "metadata">> & {
  readonly metadata?: OwnedMeta;
};

/**
 * An object to apply: any part of it, and its name. `managedFields` is what the server makes of it and is refused. With a `uid` the apply
 * fails unless the object there is that very one; with a `resourceVersion` it is a conflict unless it is that very state.
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
 * The identity of an object plus the fields we own. Its uid is part of the identity: applied to an object that has been deleted it is a
 * conflict (`isConflict`) and never a creation, and to another of the same name it is invalid (`isInvalid`). Touches neither argument.
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
  const identity = { name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
  const { metadata, ...rest }: { readonly metadata?: object } = fields;
  return { ...rest, ...type, metadata: { ...metadata, ...identity } } as unknown as ApplyObject<T>;
}
