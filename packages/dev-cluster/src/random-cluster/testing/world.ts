/** The server's state, from its store, write by write; listeners see every write in order, with the object before it. */
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@drover/api/apps/v1";
import type { CronJob, Job } from "@drover/api/batch/v1";
import type { Endpoints, Namespace, Node, PersistentVolumeClaim, Pod, Service } from "@drover/api/core/v1";
import type { EndpointSlice } from "@drover/api/discovery/v1";
import type { Store } from "@drover/apiserver";
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";

/** The resources that the checks read, by their names in the store. */
export interface Resources {
  readonly pods: Pod;
  readonly deployments: Deployment;
  readonly replicasets: ReplicaSet;
  readonly statefulsets: StatefulSet;
  readonly daemonsets: DaemonSet;
  readonly controllerrevisions: ControllerRevision;
  readonly jobs: Job;
  readonly cronjobs: CronJob;
  readonly "services/specs": Service;
  readonly "services/endpoints": Endpoints;
  readonly endpointslices: EndpointSlice;
  readonly namespaces: Namespace;
  readonly minions: Node;
  readonly persistentvolumeclaims: PersistentVolumeClaim;
}

export type Resource = keyof Resources;

export interface WorldChange {
  readonly atMs: number;
  readonly resource: string;
  /** "red/web-a", or the name alone. */
  readonly key: string;
  readonly before: DeepReadonly<KubeObject> | undefined;
  readonly after: DeepReadonly<KubeObject> | undefined;
}

/** Guarantees: listeners are called after the change is applied. */
export class World {
  readonly #byResource = new Map<string, Map<string, DeepReadonly<KubeObject>>>();
  readonly #listeners: ((change: WorldChange) => void)[] = [];
  readonly #formerOwners = new Map<string, Set<string>>();

  /** The current objects. */
  all<R extends Resource>(resource: R): readonly DeepReadonly<Resources[R]>[] {
    return [...(this.#byResource.get(resource)?.values() ?? [])] as unknown as readonly DeepReadonly<Resources[R]>[];
  }

  get<R extends Resource>(resource: R, key: string): DeepReadonly<Resources[R]> | undefined {
    return this.#byResource.get(resource)?.get(key) as unknown as DeepReadonly<Resources[R]> | undefined;
  }

  /** Of all resources, including those that no check reads. */
  *everything(): Generator<{ readonly resource: string; readonly key: string; readonly object: DeepReadonly<KubeObject> }> {
    for (const [resource, objects] of this.#byResource) for (const [key, object] of objects) yield { resource, key, object };
  }

  /** Uids of all controllers that ever owned an object. */
  formerOwners(uid: string): readonly string[] {
    return [...(this.#formerOwners.get(uid) ?? [])];
  }

  listen(listener: (change: WorldChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Follows a store from its beginning until the signal aborts. */
  async follow(store: Store, clock: Clock, signal: AbortSignal): Promise<void> {
    for (const stored of (await store.list("/registry/")).items) this.#put(stored.key, stored.value, clock.now());
    const { revision } = await store.list("/registry/", { limit: 1 });
    for await (const { events } of store.watch("/registry/", { from: revision + 1, signal })) {
      for (const { key, current } of events) this.#put(key, current?.value, clock.now());
    }
  }

  #put(path: string, text: string | undefined, atMs: number): void {
    const { resource, key } = splitPath(path);
    // No controller reads Events, and heartbeats never end.
    if (resource === "events" || resource === "leases") return;
    const objects = this.#byResource.get(resource) ?? new Map<string, DeepReadonly<KubeObject>>();
    this.#byResource.set(resource, objects);
    const before = objects.get(key);
    const after = text === undefined ? undefined : (JSON.parse(text) as KubeObject);
    if (after === undefined) objects.delete(key);
    else this.#set(objects, key, after);
    for (const listener of this.#listeners) listener({ atMs, resource, key, before, after });
  }

  #set(objects: Map<string, DeepReadonly<KubeObject>>, key: string, object: DeepReadonly<KubeObject>): void {
    objects.set(key, object);
    const {
      metadata: { uid = "" },
    } = object;
    const owner = controllerUid(object);
    if (owner !== undefined) this.#formerOwners.set(uid, (this.#formerOwners.get(uid) ?? new Set()).add(owner));
  }
}

/** "/registry/services/specs/red/web" → "services/specs", "red/web" */
function splitPath(path: string): { readonly resource: string; readonly key: string } {
  const parts = path.split("/").slice(2);
  const count = parts[0] === "services" ? 2 : 1;
  return { resource: parts.slice(0, count).join("/"), key: parts.slice(count).join("/") };
}

/** "red/web-a" */
export const keyOf = ({ metadata: { namespace, name = "" } }: DeepReadonly<KubeObject>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** The uid of its controller. */
export function controllerUid({ metadata }: DeepReadonly<KubeObject>): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** Neither finished nor terminating. */
export function isActive({ metadata, status }: DeepReadonly<Pod>): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

export function isReady({ status }: DeepReadonly<Pod>): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}
