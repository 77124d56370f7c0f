/**
 * Objects that belong together, in the order they were added: Wrangler's objectset.
 *
 *     newObjectSet().add(namespace, deployment) → apply
 */
import { groupVersionKindOf, objectKey, objectNameOf, printGroupVersionKind, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, GroupVersionKind, KubeObject, ObjectKey, ObjectName } from "@drover/machinery";

interface Member {
  readonly kind: GroupVersionKind;
  readonly key: ObjectKey;
  readonly object: DeepReadonly<KubeObject>;
}

/**
 * Guarantees: an object is in it once; one that is added again takes the place of the one before. (Wrangler keeps both in `All`.) Kinds
 * are in the order in which they were first seen.
 */
export class ObjectSet {
  readonly #members = new Map<string, Member>();
  readonly #errors: Error[] = [];

  /**
   * Adds objects; undefined and null are left out. What does not say its kind or its name is an error of the set, as is
   * what `addErr` is told.
   */
  add(...objects: readonly (DeepReadonly<KubeObject> | undefined | null)[]): this {
    for (const object of objects) {
      if (object === undefined || object === null) continue;
      const kind = groupVersionKindOf(object);
      const { namespace, name } = objectNameOf(object);
      if (kind.kind === "" || kind.version === "")
        this.#errors.push(new TypeError(`the object ${objectKey(name, namespace)} says no apiVersion or no kind; fill them in`));
      else if (name === "")
        this.#errors.push(new TypeError(`a ${kind.kind} of the set has no metadata.name; an object that is applied again needs one`));
      else
        this.#members.set(`${printGroupVersionKind(kind)} ${objectKey(name, namespace)}`, {
          kind,
          key: objectKey(name, namespace),
          object,
        });
    }
    return this;
  }

  /** Makes the set one that cannot be applied. */
  addErr(error: Error): this {
    this.#errors.push(error);
    return this;
  }

  /** What was wrong so far: one error, or all in one. */
  err(): Error | undefined {
    return this.#errors.length > 1
      ? new AggregateError(this.#errors, this.#errors.map(({ message }) => message).join(", "))
      : this.#errors[0];
  }

  /** In the order they were added. */
  all(): readonly DeepReadonly<KubeObject>[] {
    return [...this.#members.values()].map(({ object }) => object);
  }

  /** How many objects. (Wrangler counts kinds.) */
  len(): number {
    return this.#members.size;
  }

  /** In the order in which they were first seen. */
  gvks(): readonly GroupVersionKind[] {
    return [...new Map([...this.#members.values()].map(({ kind }) => [printGroupVersionKind(kind), kind])).values()];
  }

  /** Its kinds, and after them those of `known` it does not have, by name. */
  gvkOrder(...known: readonly GroupVersionKind[]): readonly GroupVersionKind[] {
    const own = this.gvks();
    const names = new Set(own.map(printGroupVersionKind));
    const others = new Map(known.map((kind) => [printGroupVersionKind(kind), kind]));
    const more = [...others]
      .filter(([name]) => !names.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, kind]) => kind);
    return [...own, ...more];
  }

  /** Whether there is an object of this name in any version of the kind. */
  contains(kind: GroupKind, { namespace, name }: ObjectName): boolean {
    return [...this.#members.values()].some((member) => sameGroupKind(member.kind, kind) && member.key === objectKey(name, namespace));
  }

  /** Where its objects are, each namespace once; "" for those that say none. */
  namespaces(): readonly string[] {
    return [...new Set(this.all().map(({ metadata: { namespace = "" } }) => namespace))];
  }

  /** Its objects by kind, as it is printed, and then by key. */
  objectsByGVK(): ReadonlyMap<string, ReadonlyMap<ObjectKey, DeepReadonly<KubeObject>>> {
    const table = new Map<string, Map<ObjectKey, DeepReadonly<KubeObject>>>();
    for (const { kind, key, object } of this.#members.values()) {
      const name = printGroupVersionKind(kind);
      table.set(name, (table.get(name) ?? new Map<ObjectKey, DeepReadonly<KubeObject>>()).set(key, object));
    }
    return table;
  }
}

/** A set of these objects. */
export function newObjectSet(...objects: readonly (DeepReadonly<KubeObject> | undefined | null)[]): ObjectSet {
  return new ObjectSet().add(...objects);
}
