/**
 * What an object is called in a store.
 *
 *     object → KeyFunc → "namespace/name"
 */
import { objectKeyOf } from "@drover/machinery";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";

/** The key of an object. Throws when it has none. */
export type KeyFunc<T> = (object: T) => string;

/** A key function failed: the object cannot be stored. */
export class KeyError extends Error {
  override readonly name = "KeyError";
  readonly object: unknown;

  constructor(object: unknown, cause: unknown) {
    super(`couldn't create key for object: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.object = object;
  }
}

/** "namespace/name", or "name" for what is in no namespace; a key that is one already stays as it is. */
export function metaNamespaceKeyFunc(object: unknown): string {
  return object instanceof ExplicitKey ? object.key : objectKeyOf(object);
}

/** The namespace and name of a key: "shop/web", or "web" with an empty namespace. Throws for anything else. */
export function splitMetaNamespaceKey(key: string): { readonly namespace: string; readonly name: string } {
  const parts = key.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) throw new Error(`unexpected key format: ${JSON.stringify(key)}`);
  return second === undefined ? { namespace: "", name: first } : { namespace: first, name: second };
}

/** The same, and the key of an object whose deletion was missed. */
export function deletionHandlingMetaNamespaceKeyFunc(object: unknown): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : metaNamespaceKeyFunc(object);
}

/** A key in the place of an object, for looking something up when there is no object. */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** The key, or a {@link KeyError} that says which object has none. */
export function keyed<T>(keyFunc: KeyFunc<T>, object: T): string {
  try {
    return keyFunc(object);
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(object, error);
  }
}
