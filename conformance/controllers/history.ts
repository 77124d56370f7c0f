/**
 * Everything that happened in one namespace, version by version, and its current state.
 *
 *     Recorder → History → SceneView for conditions, versions for the trajectory
 */
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { SceneView } from "./scene.ts";

/** One version of one object; the last one of a deleted object says so. */
export interface Version {
  readonly kind: string;
  readonly isDeleted: boolean;
  readonly object: KubeObject;
}

/** Guarantees: versions of one kind are in the order in which the server wrote them. */
export class History implements SceneView {
  readonly namespace: string;
  readonly #versions: Version[] = [];
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #now: () => number;
  #changedAt: number;

  constructor(namespace: string, now: () => number) {
    this.namespace = namespace;
    this.#now = now;
    this.#changedAt = now();
  }

  get versions(): readonly Version[] {
    return this.#versions;
  }

  /** When something other than an Event last changed. */
  get changedAt(): number {
    return this.#changedAt;
  }

  add(version: Version): void {
    const { kind, isDeleted, object } = version;
    const { name = "" } = object.metadata;
    this.#versions.push(version);
    const objects = this.#objects.get(kind) ?? new Map<string, KubeObject>();
    this.#objects.set(kind, objects);
    if (isDeleted) objects.delete(name);
    else objects.set(name, object);
    if (kind !== "Event") this.#changedAt = this.#now();
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string): DeepReadonly<T> | undefined {
    return this.#objects.get(kind.kind)?.get(name) as DeepReadonly<T> | undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>): readonly DeepReadonly<T>[] {
    return [...(this.#objects.get(kind.kind)?.values() ?? [])] as unknown as readonly DeepReadonly<T>[];
  }
}
