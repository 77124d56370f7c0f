/** Finds descriptors for objects by apiVersion and kind: among the program's kinds, the built-in kinds, and last on the server. */
import { findKind } from "@drover/api";
import { DiscoveryClient, DynamicMapper } from "@drover/client";
import type { Cluster } from "@drover/cache";
import { definedOnly, groupVersionKindOf, printGroupVersionKind, sameGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, GroupVersionKind, Kind, KubeObject } from "@drover/machinery";

/** Guarantees: asks the server only for unknown kinds. */
export class KnownKinds {
  readonly #kinds: readonly Kind[];
  readonly #mapper: DynamicMapper;

  constructor(cluster: Cluster, kinds: readonly Kind[]) {
    const { clock, log } = cluster.runtime;
    this.#kinds = kinds;
    this.#mapper = new DynamicMapper(new DiscoveryClient(cluster.transport, { clock, log }), { clock, log });
  }

  /** Looks in `more` first. Rejects with a no-match error if the kind is unknown. */
  async find(kind: GroupVersionKind, signal: AbortSignal | undefined, more: readonly Kind[] = []): Promise<Kind> {
    return (
      [...more, ...this.#kinds].find((known) => sameGroupVersionKind(known, kind)) ??
      findKind(kind) ??
      (await this.#mapper.describe(kind, definedOnly({ signal })))
    );
  }

  /** Returns the kind in the server's preferred version. */
  async findAny(kind: GroupKind, signal: AbortSignal | undefined): Promise<Kind> {
    const { kind: found } = await this.#mapper.restMapping(kind, definedOnly({ signal }));
    return this.find(found, signal);
  }

  /** Returns the kind of an object. Throws `TypeError` if apiVersion or kind are missing. */
  async of(object: DeepReadonly<KubeObject>, signal: AbortSignal | undefined, more: readonly Kind[] = []): Promise<Kind> {
    const kind = groupVersionKindOf(object);
    if (kind.kind === "" || kind.version === "")
      throw new TypeError(
        `apply: the object ${object.metadata.name ?? ""} has no apiVersion or no kind (${printGroupVersionKind(kind)}); set them`,
      );
    return this.find(kind, signal, more);
  }
}
