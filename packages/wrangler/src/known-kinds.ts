/**
 * Descriptors for objects that say their kind only by name: from those a program has, those that are built in, and at
 * last from the server.
 */
import { findKind } from "@drover/api";
import { DiscoveryClient, DynamicMapper } from "@drover/client";
import type { Cluster } from "@drover/cache";
import { groupVersionKindOf, printGroupVersionKind, sameGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, GroupVersionKind, Kind, KubeObject } from "@drover/machinery";

/** Guarantees: the server is asked only for kinds that nobody has described. */
export class KnownKinds {
  readonly #kinds: readonly Kind[];
  readonly #mapper: DynamicMapper;

  constructor(cluster: Cluster, kinds: readonly Kind[]) {
    const { clock, log } = cluster.runtime;
    this.#kinds = kinds;
    this.#mapper = new DynamicMapper(new DiscoveryClient(cluster.transport, { clock, log }), { clock, log });
  }

  /** Looks among `more` first. Rejects with a no-match error when nobody knows it. */
  async find(kind: GroupVersionKind, signal: AbortSignal | undefined, more: readonly Kind[] = []): Promise<Kind> {
    return (
      [...more, ...this.#kinds].find((known) => sameGroupVersionKind(known, kind)) ??
      findKind(kind) ??
      (await this.#mapper.describe(kind, signal === undefined ? {} : { signal }))
    );
  }

  /** The kind in the version that the server prefers. */
  async findAny(kind: GroupKind, signal: AbortSignal | undefined): Promise<Kind> {
    const { kind: found } = await this.#mapper.restMapping(kind, signal === undefined ? {} : { signal });
    return this.find(found, signal);
  }

  /** Of an object, by its own word. Throws a TypeError when it says nothing. */
  async of(object: DeepReadonly<KubeObject>, signal: AbortSignal | undefined, more: readonly Kind[] = []): Promise<Kind> {
    const kind = groupVersionKindOf(object);
    if (kind.kind === "" || kind.version === "")
      throw new TypeError(
        `apply: the object ${object.metadata.name ?? ""} says no apiVersion or no kind (${printGroupVersionKind(kind)}); fill them in`,
      );
    return this.find(kind, signal, more);
  }
}
