/**
 * What a test does with objects, as a user or in place of other controllers.
 *
 *     t.create, t.apply, t.update, t.patch, t.delete, t.get, t.getOrUndefined, t.list, t.status, t.events
 */
import { Event } from "@drover/api/events/v1";
import type {
  ApplyObject,
  ApplyOptions,
  Client,
  InNamespace,
  ListAllOptions,
  MergePatch,
  ReadOptions,
  RemoveOptions,
  WriteOptions,
} from "@drover/client";
import { isNotFound } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";

/** Any part of an object's status. */
export type StatusPatch<T> = T extends { status?: infer Status } ? MergePatch<NonNullable<Status>> : never;

/** Namespaced objects without a namespace are in the harness's own. Errors are those of the client. */
export interface HarnessVerbs {
  /** Creates an object. Fields with defaults may be omitted. */
  create<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: ApplyObject<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  /** Same as `kubectl apply --server-side`, with the field manager "test". */
  apply<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: ApplyObject<NoInfer<T>>,
    options?: ApplyOptions & InNamespace<S>,
  ): Promise<T>;
  update<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: DeepReadonly<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  /** Sends a merge patch: merges objects, replaces lists, `null` removes. */
  patch<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    name: string,
    body: MergePatch<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  /** Deletes an object. Without a garbage collector in the cluster, its dependents remain. */
  delete<T extends KubeObject, S extends Scope>(kind: Kind<T, S>, name: string, options?: RemoveOptions & InNamespace<S>): Promise<void>;
  get<T extends KubeObject, S extends Scope>(kind: Kind<T, S>, name: string, options?: ReadOptions & InNamespace<S>): Promise<T>;
  getOrUndefined<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    name: string,
    options?: ReadOptions & InNamespace<S>,
  ): Promise<T | undefined>;
  list<T extends KubeObject, S extends Scope>(kind: Kind<T, S>, options?: ListAllOptions & InNamespace<S>): Promise<readonly T[]>;
  /** Merges into the status, in place of the controller that writes it. */
  status<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S, "status">,
    name: string,
    status: StatusPatch<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  /** Returns the Events about an object, oldest first. */
  events(object: DeepReadonly<KubeObject>): Promise<readonly Event[]>;
}

/** Creates the verbs on a client. */
export function harnessVerbs(client: Client): HarnessVerbs {
  const getOrUndefined: HarnessVerbs["getOrUndefined"] = async (kind, name, options) => {
    try {
      return await client.get(kind, name, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    create: (kind, object, options) => createObject(client, kind, object, options),
    apply: (kind, object, options) => client.apply(kind, object, options),
    update: (kind, object, options) => client.update(kind, object, options),
    patch: (kind, name, body, options) => client.patch(kind, name, { type: "merge", body }, options),
    delete: async (kind, name, options) => void (await client.delete(kind, name, options)),
    get: (kind, name, options) => client.get(kind, name, options),
    getOrUndefined,
    list: async (kind, options) => {
      const items = [];
      for await (const item of client.listAll(kind, options)) items.push(item);
      return items;
    },
    status: (kind, name, status, options) => patchStatus(client, kind, name, status, options),
    events: (object) => eventsOf(client, object),
  };
}

/** The server itself rejects missing required fields. */
function createObject<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  object: ApplyObject<T>,
  options: (WriteOptions & InNamespace<S>) | undefined,
): Promise<T> {
  return client.create(kind, object as unknown as DeepReadonly<T>, options);
}

async function patchStatus<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S, "status">,
  name: string,
  status: StatusPatch<T>,
  options: (WriteOptions & InNamespace<S>) | undefined,
): Promise<T> {
  return await client.resource(kind).status.patch(name, { type: "merge", body: { status } as MergePatch<T> }, options);
}

async function eventsOf(client: Client, { kind, metadata: { name, namespace, uid } }: DeepReadonly<KubeObject>): Promise<readonly Event[]> {
  const found: Event[] = [];
  for await (const event of client.listAll(Event, { namespace: namespace ?? "default" })) {
    const { regarding } = event;
    if (uid === undefined ? regarding?.name === name && regarding?.kind === kind : regarding?.uid === uid) found.push(event);
  }
  return found.toSorted((a, b) => ((a.eventTime ?? "") < (b.eventTime ?? "") ? -1 : 1));
}
