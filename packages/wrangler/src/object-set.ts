/**
 * An ordered set of objects: Wrangler's objectset.
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
 * Guarantees: contains each object once; adding it again replaces it. (Wrangler keeps both in `All`.) Kinds are in
 * order of first appearance.
 */
export class ObjectSet {
  readonly #members = new Map<string, Member>();
  readonly #errors: Error[] = [];

  /** Adds objects; ignores undefined and null. An object without kind or name is an error of the set, like those of `addErr`. */
  add(...objects: readonly (DeepReadonly<KubeObject> | undefined | null)[]): this {
    for (const object of objects) {
      if (object === undefined || object === null) continue;
      const kind = groupVersionKindOf(object);
      const { namespace, name } = objectNameOf(object);
      if (kind.kind === "" || kind.version === "")
        this.#errors.push(new TypeError(`the object ${objectKey(name, namespace)} has no apiVersion or no kind; set them`));
      else if (name === "") this.#errors.push(new TypeError(`a ${kind.kind} of the set has no metadata.name; applied objects need one`));
      else
        this.#members.set(`${printGroupVersionKind(kind)} ${objectKey(name, namespace)}`, {
          kind,
          key: objectKey(name, namespace),
          object,
        });
    }
    return this;
  }

  /** Adds an error, so that the set cannot be applied. */
  addErr(error: Error): this {
    this.#errors.push(error);
    return this;
  }

  /** Returns the error of the set; several errors as one AggregateError. */
  err(): Error | undefined {
    return this.#errors.length > 1
      ? new AggregateError(this.#errors, this.#errors.map(({ message }) => message).join(", "))
      : this.#errors[0];
  }

  /** Returns the objects in order of addition. */
  all(): readonly DeepReadonly<KubeObject>[] {
    return [...this.#members.values()].map(({ object }) => object);
  }

  /** Returns the number of objects. (Wrangler counts kinds.) */
  len(): number {
    return this.#members.size;
  }

  /** Returns the kinds in order of first appearance. */
  gvks(): readonly GroupVersionKind[] {
    return [...new Map([...this.#members.values()].map(({ kind }) => [printGroupVersionKind(kind), kind])).values()];
  }

  /** Returns its kinds, followed by the other kinds of `known`, sorted by name. */
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

  /** Reports whether it contains an object of this name, in any version of the kind. */
  contains(kind: GroupKind, { namespace, name }: ObjectName): boolean {
    return [...this.#members.values()].some((member) => sameGroupKind(member.kind, kind) && member.key === objectKey(name, namespace));
  }

  /** Returns the distinct namespaces of its objects; "" for objects without one. */
  namespaces(): readonly string[] {
    return [...new Set(this.all().map(({ metadata: { namespace = "" } }) => namespace))];
  }

  /** Returns its objects by printed kind, then by key. */
  objectsByGVK(): ReadonlyMap<string, ReadonlyMap<ObjectKey, DeepReadonly<KubeObject>>> {
    const table = new Map<string, Map<ObjectKey, DeepReadonly<KubeObject>>>();
    for (const { kind, key, object } of this.#members.values()) {
      const name = printGroupVersionKind(kind);
      table.set(name, (table.get(name) ?? new Map<ObjectKey, DeepReadonly<KubeObject>>()).set(key, object));
    }
    return table;
  }
}

/** Creates a set of these objects. */
export function newObjectSet(...objects: readonly (DeepReadonly<KubeObject> | undefined | null)[]): ObjectSet {
  return new ObjectSet().add(...objects);
}
