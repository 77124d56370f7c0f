/**
 * The key of an object among those of its kind: "namespace/name", or "name" when the kind is cluster-scoped. Stores, queues and
 * reconcilers speak in these.
 */
import { quoteGo } from "../go/go-quote.ts";
import { accessor } from "./meta.ts";

declare const brand: unique symbol;

/** A key, which is not just any string. */
export type ObjectKey = string & { readonly [brand]: "ObjectKey" };

/** A key taken apart; the namespace of a cluster-scoped object is the empty string. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The key of a name; an empty namespace is none. */
export function objectKey(name: string, namespace = ""): ObjectKey {
  return (namespace === "" ? name : `${namespace}/${name}`) as ObjectKey;
}

/** The key of an object, what client-go calls MetaNamespaceKeyFunc. Throws when the value has no metadata. */
export function objectKeyOf(object: unknown): ObjectKey {
  const { namespace, name } = objectNameOf(object);
  return objectKey(name, namespace);
}

/** Namespace and name of an object. Throws when the value has no metadata. */
export function objectNameOf(object: unknown): ObjectName {
  let meta;
  try {
    meta = accessor(object);
  } catch (cause) {
    throw new Error(`object has no meta: ${(cause as Error).message}`, { cause });
  }
  return { namespace: meta.getNamespace(), name: meta.getName() };
}

/** Takes a key apart. Throws when it has more than one slash. */
export function splitObjectKey(key: string): ObjectName {
  const slash = key.indexOf("/");
  if (slash === -1) return { namespace: "", name: key };
  if (key.includes("/", slash + 1)) throw new Error(`unexpected key format: ${quoteGo(key)}`);
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
