/**
 * Metadata of objects of any kind, read from the server, patched and deleted there.
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

/** The server serves no such kind and version, as far as discovery tells. That may change. */
export class UnservedKindError extends Error {
  override readonly name = "UnservedKindError";

  constructor({ apiVersion, kind }: Pick<ObjectIdentity, "apiVersion" | "kind">, cause?: unknown) {
    super(`the server does not serve ${apiVersion} ${kind}; its dependents are kept until it does`, { cause });
  }
}

/** A cluster-scoped object cannot have a namespaced owner. */
export class NamespacedOwnerError extends Error {
  override readonly name = "NamespacedOwnerError";

  constructor() {
    super("cluster-scoped objects cannot refer to namespaced owners");
  }
}

export interface LiveObjectsOptions {
  /** Client of one run. */
  readonly client: Client;
  readonly mapper: Pick<DynamicMapper, "describe" | "reset">;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** The part of `LiveObjects` that decisions use. */
export type LiveView = Pick<LiveObjects, "kindOf" | "get" | "patch" | "dropFinalizer" | "delete">;

/** State on which a deletion was decided. */
export interface DecidedDeletion {
  readonly latest: DeepReadonly<PartialObjectMetadata>;
  readonly propagationPolicy: DeletionPropagation;
}

/** Guarantees: a kind that is not served is an `UnservedKindError`, never mistaken for an absent object. */
export class LiveObjects {
  readonly #options: LiveObjectsOptions;

  constructor(options: LiveObjectsOptions) {
    this.#options = options;
  }

  /** Returns the kind of an identity. Rejects with an `UnservedKindError`. */
  async kindOf(about: Pick<ObjectIdentity, "apiVersion" | "kind">): Promise<Kind> {
    const { mapper, signal } = this.#options;
    try {
      return await mapper.describe(groupVersionKindFrom(about.apiVersion, about.kind), { signal });
    } catch (error) {
      throw isNoMatchError(error) ? new UnservedKindError(about, error) : error;
    }
  }

  /** Returns the object at this identity, whatever its uid; undefined if it does not exist. */
  get(identity: ObjectIdentity): Promise<PartialObjectMetadata | undefined> {
    return this.#call(identity, (client, place) => client.get(identity.name, place));
  }

  /**
   * Sends a strategic merge patch or, for kinds without one, an equivalent JSON merge patch based on the current object. Returns
   * false when the object is gone.
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

  /** Removes a finalizer if this very object exists and has it. */
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
   * Deletes this very object if its owners have not changed since the decision; returns false when it is gone. Other changes do not
   * prevent the deletion.
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

  /** Returns undefined when the object does not exist. */
  async #call<R>(
    identity: ObjectIdentity,
    call: (client: MetadataClient<"Namespaced">, place: { readonly namespace?: string }) => Promise<R>,
  ): Promise<R | undefined> {
    const { client, mapper } = this.#options;
    const kind = await this.kindOf(identity);
    if (kind.scope === "Namespaced" && identity.namespace === "") throw new NamespacedOwnerError();
    // A namespace is passed only for namespaced kinds.
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

/** A 404 that names no object is about the path: the kind was removed after the mapper looked it up. */
const isUnserved = (error: unknown): boolean => isUnexpectedServerError(error) || (findApiError(error)?.details?.name ?? "") === "";
