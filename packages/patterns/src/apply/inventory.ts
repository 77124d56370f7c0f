/**
 * Records the kinds of a set's members on its owner: before the first object of a kind is created, until the last one
 * is gone. So the last object is pruned even after a crash, or by a program that does not know its kind.
 *
 *     "apps/v1/deployments/Deployment/Namespaced,v1/configmaps/ConfigMap/Namespaced"
 */
import { findKind } from "@drover/api";
import { apiVersionOf, definedOnly, errorText, getOwn, isConflict, parseGroupVersion, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { ApplyContext, SetOwner } from "./apply-set.ts";
import type { ApplyMemory } from "./apply-memory.ts";
import { attempt } from "./wanted-object.ts";
import type { SetIdentity } from "./set-identity.ts";

/** Annotation on the owner; contains the set's name, because an owner may have several sets. */
export const inventoryAnnotation = (set: string): string => `${set}.sets.drover.dev/kinds`;

/**
 * Parses an inventory and skips malformed entries. Kinds that are not built in get a descriptor that suffices to find
 * and delete objects.
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

/** Prints each group and kind once, sorted, so that the text does not depend on the order of the objects. */
export function printInventory(kinds: readonly Kind[]): string {
  const entries = new Map(
    kinds.map((kind) => [`${kind.group}/${kind.kind}`, `${apiVersionOf(kind)}/${kind.plural}/${kind.kind}/${kind.scope}`]),
  );
  return [...entries.values()].toSorted().join(",");
}

/** The inventory of one set, read once and written when it changes. */
export class Inventory {
  readonly #identity: SetIdentity;
  readonly #kind: Kind;
  readonly #context: ApplyContext;
  readonly #memory: ApplyMemory;
  readonly #key: string;
  #owner: DeepReadonly<KubeObject>;
  #kinds: readonly Kind[];
  /** Text under the current name of the set. */
  #text: string;
  /**
   * Kinds under former names of the set. They are searched but not copied: copied kinds without objects would be
   * recorded and dropped in each run.
   */
  #earlier: readonly Kind[];

  constructor(identity: SetIdentity, owner: SetOwner, context: ApplyContext, memory: ApplyMemory) {
    this.#identity = identity;
    this.#kind = owner.kind;
    this.#context = context;
    this.#memory = memory;
    this.#key = `${owner.object.metadata.uid ?? ""} ${identity.name}`;
    this.#owner = owner.object;
    const known = memory.inventory(this.#key, owner.object.metadata.resourceVersion ?? "", context.clock.monotonic());
    this.#text = known ?? this.#written(owner.object);
    this.#kinds = parseInventory(this.#text);
    this.#earlier = this.#read(owner.object);
  }

  /** The owner as last observed or written. */
  get owner(): DeepReadonly<KubeObject> {
    return this.#owner;
  }

  /** Kinds of the set, including those of its former names. */
  get kinds(): readonly Kind[] {
    return [...this.#kinds, ...this.#earlier.filter((kind) => !this.#kinds.some((other) => sameGroupKind(other, kind)))];
  }

  /** Adds kinds, and writes if one is new. Skips an owner that is being deleted or has no uid. */
  async record(kinds: readonly Kind[]): Promise<void> {
    await this.#change((known) => [...known, ...kinds.filter((kind) => !known.some((other) => sameGroupKind(other, kind)))]);
  }

  /** Removes kinds, and writes if one was recorded. */
  async drop(kinds: readonly Kind[]): Promise<void> {
    await this.#change((known) => known.filter((kind) => !kinds.some((other) => sameGroupKind(other, kind))));
  }

  async #change(change: (known: readonly Kind[]) => readonly Kind[]): Promise<void> {
    const { uid = "", deletionTimestamp } = this.#owner.metadata;
    if (uid === "" || deletionTimestamp !== undefined) return;
    // Writes only to the observed version; otherwise it would overwrite kinds that were recorded since.
    for (let tries = 0; ; tries++) {
      this.#context.signal.throwIfAborted();
      const text = printInventory(change(this.#kinds));
      if (text === this.#text) return;
      try {
        return await this.#write(text);
      } catch (error) {
        this.#context.signal.throwIfAborted();
        if (!isConflict(error) || tries === 2)
          throw new Error(`${attempt(this.#identity)}: cannot record its kinds on the owner: ${errorText(error)}`, { cause: error });
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
        ...definedOnly({ resourceVersion }),
        ...annotations,
      },
    };
    const written = await this.#context.client
      .dynamic(this.#kind)
      .apply(body, { fieldManager: `${this.#identity.fieldManager}-inventory`, force: true, signal: this.#context.signal });
    this.#owner = written;
    this.#kinds = parseInventory(text);
    this.#text = text;
    this.#memory.rememberInventory(this.#key, {
      text,
      resourceVersion: written.metadata.resourceVersion ?? "",
      atMs: this.#context.clock.monotonic(),
    });
  }

  async #refresh(uid: string): Promise<void> {
    const { name = "", namespace = "" } = this.#owner.metadata;
    const fresh = await this.#context.client
      .dynamic(this.#kind)
      .get(name, { signal: this.#context.signal, ...(namespace === "" ? {} : { namespace }) });
    if (fresh.metadata.uid !== uid)
      throw new Error(`${attempt(this.#identity)}: the owner was replaced by another object with uid ${fresh.metadata.uid ?? ""}`);
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
