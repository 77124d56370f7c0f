/**
 * Objects as the server has them now, wherever they are and of whatever kind: their metadata read, patched and deleted.
 *
 *     ObjectIdentity → DynamicMapper → client.metadata(kind) → the server
 */
import { retryOnConflict } from "@drover/client";
import type { Client, DynamicMapper, MetadataClient } from "@drover/client";
import {
  definedOnly,
  findApiError,
  groupVersionKindFrom,
  isConflict,
  isNoMatchError,
  isNotFound,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  jsonEqual,
} from "@drover/machinery";
import type {
  DeepReadonly,
  DeletionPropagation,
  Kind,
  ObjectMeta,
  PartialObjectMetadata,
  Preconditions,
  Random,
  Scope,
} from "@drover/machinery";
import type { ObjectIdentity } from "./object-identity.ts";
import { dropFinalizerPatch } from "./owner-patches.ts";
import type { MetadataPatch } from "./owner-patches.ts";

/** Nothing is served under that kind and version, as far as can be told. It may be tomorrow. */
export class UnservedKindError extends Error {
  override readonly name = "UnservedKindError";

  constructor({ apiVersion, kind }: Pick<ObjectIdentity, "apiVersion" | "kind">, cause?: unknown) {
    super(`the server serves no ${kind} in version ${apiVersion}; what is owned by one is kept until it does`, { cause });
  }
}

/** What is in no namespace cannot be owned by what is in one. */
export class NamespacedOwnerError extends Error {
  override readonly name = "NamespacedOwnerError";

  constructor() {
    super("cluster-scoped objects cannot refer to namespaced owners");
  }
}

export interface LiveObjectsOptions {
  /** Reads and writes; for one run. */
  readonly client: Client;
  readonly mapper: Pick<DynamicMapper, "describe" | "reset">;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** What decisions need of it. */
export type LiveView = Pick<LiveObjects, "kindOf" | "get" | "patch" | "dropFinalizer" | "delete">;

/** What was there when a deletion was decided. */
export interface DecidedDeletion {
  readonly latest: DeepReadonly<PartialObjectMetadata>;
  readonly propagationPolicy: DeletionPropagation;
}

/** Guarantees: a kind that is not served is an `UnservedKindError`, and never taken for an object that is not there. */
export class LiveObjects {
  readonly #options: LiveObjectsOptions;

  constructor(options: LiveObjectsOptions) {
    this.#options = options;
  }

  /** The kind that is meant. Rejects with an `UnservedKindError`. */
  async kindOf(about: Pick<ObjectIdentity, "apiVersion" | "kind">): Promise<Kind> {
    const { mapper, signal } = this.#options;
    try {
      return await mapper.describe(groupVersionKindFrom(about.apiVersion, about.kind), { signal });
    } catch (error) {
      throw isNoMatchError(error) ? new UnservedKindError(about, error) : error;
    }
  }

  /** What stands at that place, whichever object it is; undefined when there is none. */
  get(identity: ObjectIdentity): Promise<PartialObjectMetadata | undefined> {
    return this.#call(identity, (client, place) => client.get(identity.name, place));
  }

  /**
   * A strategic patch, or, where the kind knows none, the same as a merge patch on what is there. False when there is
   * nothing to be patched.
   */
  async patch(
    identity: ObjectIdentity,
    patch: MetadataPatch,
    otherwise: (latest: DeepReadonly<ObjectMeta>) => MetadataPatch,
  ): Promise<boolean> {
    try {
      return await this.#patch(identity, patch);
    } catch (error) {
      if (!isUnsupportedMediaType(error)) throw error;
      const latest = await this.get(identity);
      return latest?.metadata.uid === identity.uid && (await this.#patch(identity, otherwise(latest.metadata)));
    }
  }

  /** Takes a finalizer away, if the very object is there and has it. */
  async dropFinalizer(identity: ObjectIdentity, finalizer: string): Promise<void> {
    const {
      client: { clock },
      random,
      signal,
    } = this.#options;
    await retryOnConflict({ clock, random, signal }, async () => {
      const latest = await this.get(identity);
      if (latest?.metadata.uid !== identity.uid || latest.metadata.finalizers?.includes(finalizer) !== true) return;
      await this.#patch(identity, dropFinalizerPatch(latest.metadata, finalizer));
    });
  }

  /**
   * Deletes the very object that was looked at, if it is owned as it was then; false when it is gone. Changes that
   * leave its owners alone do not
   * keep it from being deleted.
   */
  async delete(identity: ObjectIdentity, { latest: { metadata }, propagationPolicy }: DecidedDeletion): Promise<boolean> {
    const preconditions: Preconditions = {
      uid: identity.uid,
      ...definedOnly({ resourceVersion: metadata.resourceVersion }),
    };
    try {
      return await this.#delete(identity, propagationPolicy, preconditions);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await this.get(identity);
      if (now === undefined) return false;
      const isSame =
        now.metadata.uid === identity.uid &&
        now.metadata.resourceVersion !== metadata.resourceVersion &&
        jsonEqual(now.metadata.ownerReferences ?? [], metadata.ownerReferences ?? []);
      if (!isSame) throw error;
      return await this.#delete(identity, propagationPolicy, { uid: identity.uid });
    }
  }

  async #patch(identity: ObjectIdentity, patch: MetadataPatch): Promise<boolean> {
    return (await this.#call(identity, (client, place) => client.patch(identity.name, patch, place))) !== undefined;
  }

  async #delete(identity: ObjectIdentity, propagationPolicy: DeletionPropagation, preconditions: Preconditions): Promise<boolean> {
    return (
      (await this.#call(identity, (client, place) => client.delete(identity.name, { ...place, propagationPolicy, preconditions }))) !==
      undefined
    );
  }

  /** Undefined when the object is not there. */
  async #call<R>(
    identity: ObjectIdentity,
    call: (client: MetadataClient<"Namespaced">, place: { readonly namespace?: string }) => Promise<R>,
  ): Promise<R | undefined> {
    const { client, mapper } = this.#options;
    const kind = await this.kindOf(identity);
    if (kind.scope === "Namespaced" && identity.namespace === "") throw new NamespacedOwnerError();
    // A namespace is handed in only where the kind has one.
    const metadata = client.metadata<Scope>(kind) as MetadataClient<"Namespaced">;
    try {
      return await call(metadata, kind.scope === "Namespaced" ? { namespace: identity.namespace } : {});
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (!isUnserved(error)) return undefined;
      mapper.reset();
      throw new UnservedKindError(identity, error);
    }
  }
}

/** A 404 that names no object is the server's word on the path: the kind went after the mapper looked. */
const isUnserved = (error: unknown): boolean => isUnexpectedServerError(error) || (findApiError(error)?.details?.name ?? "") === "";
