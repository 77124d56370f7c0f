/** The key of an object within its kind: "namespace/name", or "name" for cluster-scoped kinds. Stores, queues and reconcilers use it. */
import { quoteGo } from "../go/go-quote.ts";
import { accessor } from "./meta.ts";

declare const brand: unique symbol;

/** A key, branded to be distinct from other strings. */
export type ObjectKey = string & { readonly [brand]: "ObjectKey" };

/** A split key; the namespace of a cluster-scoped object is the empty string. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key of a name; an empty namespace counts as none. */
export function objectKey(name: string, namespace = ""): ObjectKey {
  return (namespace === "" ? name : `${namespace}/${name}`) as ObjectKey;
}

/** Returns the key of an object: client-go's MetaNamespaceKeyFunc. Throws when the value has no metadata. */
export function objectKeyOf(object: unknown): ObjectKey {
  const { namespace, name } = objectNameOf(object);
  return objectKey(name, namespace);
}

/** Returns namespace and name of an object. Throws when the value has no metadata. */
export function objectNameOf(object: unknown): ObjectName {
  let meta;
  try {
    meta = accessor(object);
  } catch (cause) {
    throw new Error(`object has no meta: ${(cause as Error).message}`, { cause });
  }
  return { namespace: meta.getNamespace(), name: meta.getName() };
}

/** Splits a key. Throws for more than one slash. */
export function splitObjectKey(key: string): ObjectName {
  const slash = key.indexOf("/");
  if (slash === -1) return { namespace: "", name: key };
  if (key.includes("/", slash + 1)) throw new Error(`unexpected key format: ${quoteGo(key)}`);
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
