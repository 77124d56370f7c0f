/**
 * The kinds of a set's members, written on its owner before the first object of a kind is made and taken off after the
 * last one is gone: so that
 * the last is pruned even after a crash, or by a program that has never heard of its kind.
 *
 *     "apps/v1/deployments/Deployment/Namespaced,v1/configmaps/ConfigMap/Namespaced"
 */
import { findKind } from "@drover/api";
import { apiVersionOf, getOwn, isConflict, parseGroupVersion, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { ApplyContext, SetOwner } from "./apply-set.ts";
import type { ApplyMemory } from "./apply-memory.ts";
import { attempt } from "./wanted-object.ts";
import type { SetIdentity } from "./set-identity.ts";

/** The annotation of the owner; the set's name is part of it, so that an owner may have several sets. */
export const inventoryAnnotation = (set: string): string => `${set}.sets.drover.dev/kinds`;

/**
 * Entries that cannot be read are left out: they were not ours. Kinds that are not built in get a descriptor that is
 * good for finding and deleting.
 */
export function parseInventory(text: string): readonly Kind[] {
  return text.split(",").flatMap((entry) => {
    const parts = entry.split("/");
    const [plural, kind, scope] = parts.slice(-3);
    const groupVersion = parts.slice(0, -3).join("/");
    if (plural === undefined || kind === undefined || groupVersion === "" || (scope !== "Namespaced" && scope !== "Cluster")) return [];
    const name = { ...parseGroupVersion(groupVersion), kind };
    return [
      findKind(name) ?? {
        ...name,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [],
        categories: [],
        scope,
        verbs: ["delete", "get", "list"],
        subresources: {},
      },
    ];
  });
}

/** Sorted, each group and kind once: the text says nothing about the order in which objects came. */
export function printInventory(kinds: readonly Kind[]): string {
  const entries = new Map(
    kinds.map((kind) => [`${kind.group}/${kind.kind}`, `${apiVersionOf(kind)}/${kind.plural}/${kind.kind}/${kind.scope}`]),
  );
  return [...entries.values()].toSorted().join(",");
}

/** An owner's inventory of one set, read once and written as it changes. */
export class Inventory {
  readonly #identity: SetIdentity;
  readonly #kind: Kind;
  readonly #context: ApplyContext;
  readonly #memory: ApplyMemory;
  readonly #key: string;
  #owner: DeepReadonly<KubeObject>;
  #kinds: readonly Kind[];
  /** What stands under the set's present name. */
  #text: string;
  /**
   * What stands under its earlier names. It is looked through and stays there: taken over, what is gone would be
   * recorded and dropped in every run.
   */
  #earlier: readonly Kind[];

  constructor(identity: SetIdentity, owner: SetOwner, context: ApplyContext, memory: ApplyMemory) {
    this.#identity = identity;
    this.#kind = owner.kind;
    this.#context = context;
    this.#memory = memory;
    this.#key = `${owner.object.metadata.uid ?? ""} ${identity.name}`;
    this.#owner = owner.object;
    const known = memory.inventory(this.#key, owner.object.metadata.resourceVersion ?? "");
    this.#text = known ?? this.#written(owner.object);
    this.#kinds = parseInventory(this.#text);
    this.#earlier = this.#read(owner.object);
  }

  /** As it was last seen or written. */
  get owner(): DeepReadonly<KubeObject> {
    return this.#owner;
  }

  /** Those of the set, and of its earlier names. */
  get kinds(): readonly Kind[] {
    return [...this.#kinds, ...this.#earlier.filter((kind) => !this.#kinds.some((other) => sameGroupKind(other, kind)))];
  }

  /**
   * Written when something of it is new. Not for an owner that is going, nor for one the server does not know: there is
   * nobody to write it on.
   */
  async record(kinds: readonly Kind[]): Promise<void> {
    await this.#change((known) => [...known, ...kinds.filter((kind) => !known.some((other) => sameGroupKind(other, kind)))]);
  }

  /** Written when one of them was in it. */
  async drop(kinds: readonly Kind[]): Promise<void> {
    await this.#change((known) => known.filter((kind) => !kinds.some((other) => sameGroupKind(other, kind))));
  }

  async #change(change: (known: readonly Kind[]) => readonly Kind[]): Promise<void> {
    const { uid = "", deletionTimestamp } = this.#owner.metadata;
    if (uid === "" || deletionTimestamp !== undefined) return;
    // Of the version that was seen: from an older one we would write over kinds that were recorded since.
    for (let tries = 0; ; tries++) {
      this.#context.signal.throwIfAborted();
      const text = printInventory(change(this.#kinds));
      if (text === this.#text) return;
      try {
        return await this.#write(text);
      } catch (error) {
        this.#context.signal.throwIfAborted();
        if (!isConflict(error) || tries === 2)
          throw new Error(
            `${attempt(this.#identity)}: recording its kinds on the owner failed: ${error instanceof Error ? error.message : String(error)}`,
            { cause: error },
          );
        await this.#refresh(uid);
      }
    }
  }

  async #write(text: string): Promise<void> {
    const { name = "", namespace = "", uid = "", resourceVersion } = this.#owner.metadata;
    const annotations = text === "" ? {} : { annotations: { [inventoryAnnotation(this.#identity.name)]: text } };
    const body = {
      metadata: {
        name,
        uid,
        ...(namespace === "" ? {} : { namespace }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...annotations,
      },
    };
    const written = await this.#context.client
      .dynamic(this.#kind)
      .apply(body, { fieldManager: `${this.#identity.fieldManager}-inventory`, force: true, signal: this.#context.signal });
    this.#owner = written;
    this.#kinds = parseInventory(text);
    this.#text = text;
    this.#memory.rememberInventory(this.#key, { text, resourceVersion: written.metadata.resourceVersion ?? "" });
  }

  async #refresh(uid: string): Promise<void> {
    const { name = "", namespace = "" } = this.#owner.metadata;
    const fresh = await this.#context.client
      .dynamic(this.#kind)
      .get(name, { signal: this.#context.signal, ...(namespace === "" ? {} : { namespace }) });
    if (fresh.metadata.uid !== uid)
      throw new Error(`${attempt(this.#identity)}: the owner is another object now, with the uid ${fresh.metadata.uid ?? ""}`);
    this.#owner = fresh;
    this.#text = this.#written(fresh);
    this.#kinds = parseInventory(this.#text);
    this.#earlier = this.#read(fresh);
  }

  #written({ metadata: { annotations = {} } }: DeepReadonly<KubeObject>): string {
    return getOwn(annotations, inventoryAnnotation(this.#identity.name)) ?? "";
  }

  #read({ metadata: { annotations = {} } }: DeepReadonly<KubeObject>): readonly Kind[] {
    return this.#identity.names.slice(1).flatMap((set) => parseInventory(getOwn(annotations, inventoryAnnotation(set)) ?? ""));
  }
}
