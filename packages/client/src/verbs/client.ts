/**
 * One client for a cluster: typed verbs for every kind, by its descriptor.
 *
 *     Transport → createClient → client.get(Deployment, "web"), client.resource(Pod).eviction.create("web-0")
 */
import { guardRuntime } from "@drover/machinery";
import type {
  Clock,
  DeepReadonly,
  Kind,
  KubeList,
  KubeObject,
  ResourceRow,
  RestMapping,
  Scope,
  Status,
  WatchEvent,
} from "@drover/machinery";
import type { ApplyObject } from "./apply-object.ts";
import type {
  ApplyOptions,
  InNamespace,
  ListAllOptions,
  ListPageOptions,
  ReadOptions,
  RemoveCollectionOptions,
  RemoveOptions,
  WatchOptions,
  WriteOptions,
} from "./call-options.ts";
import type { ClientOptions } from "./client-options.ts";
import { dynamicClient } from "./dynamic-client.ts";
import type { DynamicClient } from "./dynamic-client.ts";
import { metadataClient } from "./metadata-client.ts";
import type { MetadataClient } from "./metadata-client.ts";
import type { Patch } from "./patch-body.ts";
import { tableClient } from "./table-client.ts";
import type { TableClient } from "./table-client.ts";
import { resourceClient, resourceVerbs } from "./resource-client.ts";
import type { ResourceClient, ResourceVerbs } from "./resource-client.ts";
import { targetOf } from "./resource-target.ts";
import type { ResourceTarget } from "./resource-target.ts";

/**
 * The verbs with the kind as first argument; `client.resource(kind)` for frequent use of one kind and for subresources; and
 * three other views: without types (`dynamic`), only metadata (`metadata`), and tables (`table`). `ResourceVerbs` documents
 * the guarantees of the verbs.
 */
export interface Client {
  /** Namespace of requests that name none. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Returns a client with another namespace or field manager, or that reports its failures. */
  with(options: Partial<Pick<ClientOptions, "namespace" | "fieldManager" | "onFailure">>): Client;
  /** Returns the client of one kind, with its subresources; the same one each time. Sends no request. */
  resource<T extends KubeObject, S extends Scope, Sub extends string>(kind: Kind<T, S, Sub>): ResourceClient<T, S, Sub>;
  /** Returns the client of a resource known only at run time: a row of discovery, a mapping, or a target of your own. */
  dynamic(resource: ResourceRow | RestMapping | ResourceTarget): DynamicClient;
  /** Same objects, of which the server sends only the metadata. */
  metadata<S extends Scope>(kind: Kind<KubeObject, S>): MetadataClient<S>;
  /** Same objects in rows and columns, as `kubectl get` prints them. */
  table<S extends Scope>(resource: Kind<KubeObject, S> | ResourceRow | RestMapping | ResourceTarget): TableClient<S>;

  get<T extends KubeObject, S extends Scope>(kind: Kind<T, S>, name: string, options?: ReadOptions & InNamespace<S>): Promise<T>;
  list<T extends KubeObject, S extends Scope>(kind: Kind<T, S>, options?: ListPageOptions & InNamespace<S>): Promise<KubeList<T>>;
  listAll<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    options?: ListAllOptions & InNamespace<S>,
  ): AsyncIterableIterator<T, void, undefined>;
  watch<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    options?: WatchOptions & InNamespace<S>,
  ): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  create<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: DeepReadonly<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  update<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: DeepReadonly<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  patch<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    name: string,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions & InNamespace<S>,
  ): Promise<T>;
  apply<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    object: ApplyObject<NoInfer<T>>,
    options?: ApplyOptions & InNamespace<S>,
  ): Promise<T>;
  delete<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    name: string,
    options?: RemoveOptions & InNamespace<S>,
  ): Promise<T | Status>;
  deleteCollection<T extends KubeObject, S extends Scope>(
    kind: Kind<T, S>,
    options?: RemoveCollectionOptions & InNamespace<S>,
  ): Promise<KubeList<T> | Status>;
}

/** Returns a client on a transport. It has no connection and no cache, so there is nothing to close. */
export function createClient(given: ClientOptions): Client {
  const options = guardRuntime(given);
  const { namespace, clock } = options;
  // Creating one costs more than a call, and a program uses few kinds often.
  let clients: WeakMap<Kind, object> | undefined;
  const resource = <T extends KubeObject, S extends Scope, Sub extends string>(kind: Kind<T, S, Sub>): ResourceClient<T, S, Sub> => {
    clients ??= new WeakMap();
    const known = clients.get(kind) as ResourceClient<T, S, Sub> | undefined;
    if (known !== undefined) return known;
    const made = resourceClient(options, kind);
    clients.set(kind, made);
    return made;
  };
  const verbs = <T extends KubeObject, S extends Scope>(kind: Kind<T, S>): ResourceVerbs<T, S> => resourceVerbs(options, kind);
  return {
    namespace,
    clock,
    with: (changed) => createClient({ ...options, ...changed }),
    resource,
    dynamic: (source) => dynamicClient(options, targetOf(source)),
    metadata: (kind) => metadataClient(options, targetOf(kind)),
    table: (source) => tableClient(options, targetOf(source)),
    get: (kind, name, call) => verbs(kind).get(name, call),
    list: (kind, call) => verbs(kind).list(call),
    listAll: (kind, call) => verbs(kind).listAll(call),
    watch: (kind, call) => verbs(kind).watch(call),
    create: (kind, object, call) => verbs(kind).create(object, call),
    update: (kind, object, call) => verbs(kind).update(object, call),
    patch: (kind, name, patch, call) => verbs(kind).patch(name, patch, call),
    apply: (kind, object, call) => verbs(kind).apply(object, call),
    delete: (kind, name, call) => verbs(kind).delete(name, call),
    deleteCollection: (kind, call) => verbs(kind).deleteCollection(call),
  };
}
