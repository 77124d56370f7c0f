/** Finds the owner of an applied object, by Drover's or Wrangler's annotations. */
import { errorBrand, getOwn, isNotFound, parseGroupKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject } from "@drover/machinery";
import { ownerAnnotation, wranglerOwnerOf } from "@drover/patterns";
import type { CallContext } from "./apply-choices.ts";
import type { KnownKinds } from "./known-kinds.ts";

const brand = errorBrand<ErrOwnerNotFound>("ErrOwnerNotFound");

/** Thrown when an object has no annotation that names its owner. */
export class ErrOwnerNotFound extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ErrOwnerNotFound";
}

/** Reports whether the error is an `ErrOwnerNotFound`, also one of another copy of this package. */
export function isErrOwnerNotFound(error: unknown): error is ErrOwnerNotFound {
  return brand.is(error);
}

interface NamedOwner extends GroupKind {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Returns the owner from the server. Rejects with `ErrOwnerNotFound` if the object names none, and with NotFound if the
 * owner is gone.
 */
export async function findOwner(object: DeepReadonly<KubeObject>, kinds: KnownKinds, { client, signal }: CallContext): Promise<KubeObject> {
  const named = namedOwner(object);
  if (named === undefined)
    throw new ErrOwnerNotFound(`${object.kind ?? "the object"} ${object.metadata.name ?? ""} has no annotation that names its owner`);
  const kind = await kinds.findAny(named, signal);
  return client.dynamic(kind).get(named.name, { signal, ...(named.namespace === "" ? {} : { namespace: named.namespace }) });
}

/** Deletes the object if its owner is gone. Returns whether it did. */
export async function purgeOrphan(object: DeepReadonly<KubeObject>, kinds: KnownKinds, context: CallContext): Promise<boolean> {
  try {
    await findOwner(object, kinds, context);
    return false;
  } catch (error) {
    if (isErrOwnerNotFound(error)) return false;
    if (!isNotFound(error)) throw error;
  }
  const { client, signal } = context;
  const { name = "", namespace = "", uid } = object.metadata;
  const kind = await kinds.of(object, signal);
  try {
    await client.dynamic(kind).delete(name, {
      signal,
      propagationPolicy: "Background",
      ...(namespace === "" ? {} : { namespace }),
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return true;
}

function namedOwner(object: DeepReadonly<KubeObject>): NamedOwner | undefined {
  const words = getOwn(object.metadata.annotations ?? {}, ownerAnnotation);
  if (words !== undefined) {
    // "WebApp.demo.example.com shop/web"
    const [kind = "", place = ""] = words.split(" ");
    const [namespace, name] = place.includes("/") ? place.split("/") : ["", place];
    return { ...parseGroupKind(kind), namespace: namespace ?? "", name: name ?? "" };
  }
  const wrangler = wranglerOwnerOf(object);
  return wrangler === undefined || wrangler.kind === "" || wrangler.name === "" ? undefined : wrangler;
}
