/**
 * Keys of objects in a store.
 *
 *     object → KeyFunc → "namespace/name"
 */
import { errorBrand, errorText, objectKeyOf } from "@drover/machinery";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";

/** Returns the key of an object. Throws if it has none. */
export type KeyFunc<T> = (object: T) => string;

const brand = errorBrand<KeyError>("KeyError");

/** A key function failed, so the object cannot be stored. */
export class KeyError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "KeyError";
  readonly object: unknown;

  constructor(object: unknown, cause: unknown) {
    super(`couldn't create key for object: ${errorText(cause)}`, { cause });
    this.object = object;
  }
}

/** Reports whether the error is a `KeyError`, also one of another copy of the package. */
export const isKeyError = (error: unknown): error is KeyError => brand.is(error);

/** Returns "namespace/name", or "name" for cluster-scoped objects; returns an `ExplicitKey` unchanged. */
export function metaNamespaceKeyFunc(object: unknown): string {
  return object instanceof ExplicitKey ? object.key : objectKeyOf(object);
}

/** Splits "shop/web" into namespace and name; "web" has an empty namespace. Throws for other formats. */
export function splitMetaNamespaceKey(key: string): { readonly namespace: string; readonly name: string } {
  const parts = key.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) throw new Error(`unexpected key format: ${JSON.stringify(key)}`);
  return second === undefined ? { namespace: "", name: first } : { namespace: first, name: second };
}

/** Returns the key of an object or of a tombstone. */
export function deletionHandlingMetaNamespaceKeyFunc(object: unknown): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : metaNamespaceKeyFunc(object);
}

/** A key instead of an object, for lookups without an object. */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** Returns the key of an object. Throws a {@link KeyError} that contains the object. */
export function keyed<T>(keyFunc: KeyFunc<T>, object: T): string {
  try {
    return keyFunc(object);
  } catch (error) {
    if (isKeyError(error)) throw error;
    throw new KeyError(object, error);
  }
}
