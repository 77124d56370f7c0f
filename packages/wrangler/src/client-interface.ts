/**
 * The verbs of one kind under the names and in the order of arguments of Wrangler's generic package. Every one takes a
 * signal in its options.
 *
 *     Client → newClientInterface → create, update, updateStatus, get, list, watch, delete, deleteCollection, patch
 *
 * Inside of a handler prefer the client of its context: its calls stand on the tape, end with the run, and pass the fence of the leader.
 */
import type { Impersonation } from "@drover/client";
import type { SharedClientFactory, Client } from "@drover/lasso";
import type { RequestBody, SendOptions } from "@drover/client-go";
import { newSharedClientFactoryWithImpersonation } from "@drover/lasso";
import type {
  CreateOptions,
  DeepReadonly,
  DeleteOptions,
  GetOptions,
  Kind,
  KubeList,
  KubeObject,
  ListOptions,
  PatchOptions,
  PatchType,
  Scope,
  Status,
  UpdateOptions,
  WatchEvent,
} from "@drover/machinery";
import type { NameArguments, NamespaceArguments } from "./scope-arguments.ts";
import { takeName, takeNamespace } from "./scope-arguments.ts";

/**
 * Guarantees: an abort rejects with the signal's reason; a refusal of the server is an `ApiError`; nothing that is
 * handed in is changed.
 */
export interface ClientInterface<T extends KubeObject, S extends Scope = Scope> {
  /** Where the object says, which must name its namespace if its kind is in one. */
  create(object: DeepReadonly<T>, options?: CreateOptions & SendOptions): Promise<T>;
  update(object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  /** Writes the status and nothing else. */
  updateStatus(object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  get(...given: [...NameArguments<S>, options?: GetOptions & SendOptions]): Promise<T>;
  /** Of a namespace, "" being all. */
  list(...given: [...NamespaceArguments<S>, options?: ListOptions & SendOptions]): Promise<KubeList<T>>;
  watch(...given: [...NamespaceArguments<S>, options?: ListOptions & SendOptions]): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  delete(...given: [...NameArguments<S>, options?: DeleteOptions & SendOptions]): Promise<T | Status>;
  deleteCollection(
    ...given: [...NamespaceArguments<S>, options?: DeleteOptions & SendOptions, listOptions?: ListOptions]
  ): Promise<KubeList<T> | Status>;
  patch(
    ...given: [...NameArguments<S>, type: PatchType, data: RequestBody, options?: PatchOptions & SendOptions, ...subresources: string[]]
  ): Promise<T>;
  /** The same verbs as somebody else. */
  withImpersonation(impersonation: Impersonation): ClientInterface<T, S>;
}

/** The verbs of a kind over those of its resource. */
export function newClientInterface<T extends KubeObject, S extends Scope>(
  kind: Kind<T, S>,
  client: Client<T>,
  clients: SharedClientFactory,
): ClientInterface<T, S> {
  const { scope, plural } = kind;
  const placeOf = ({ metadata: { name = "", namespace = "" } }: DeepReadonly<KubeObject>): string => {
    if (scope === "Namespaced" && namespace === "")
      throw new TypeError(`${plural}/${name} has no metadata.namespace, and its kind is in namespaces; fill it in`);
    return scope === "Cluster" ? "" : namespace;
  };
  return {
    create: async (object, options) => client.create(placeOf(object), object, options),
    update: async (object, options) => client.update(placeOf(object), object, options),
    updateStatus: async (object, options) => client.updateStatus(placeOf(object), object, options),
    get: async (...given) => {
      const {
        namespace,
        name,
        rest: [options],
      } = takeName(scope, given);
      return client.get(namespace, name, options as GetOptions);
    },
    list: async (...given) => {
      const {
        namespace,
        rest: [options],
      } = takeNamespace(scope, given);
      return client.list(namespace, options as ListOptions);
    },
    watch: (...given) => {
      const {
        namespace,
        rest: [options],
      } = takeNamespace(scope, given);
      return client.watch(namespace, options as ListOptions);
    },
    delete: async (...given) => {
      const {
        namespace,
        name,
        rest: [options],
      } = takeName(scope, given);
      return client.delete(namespace, name, options as DeleteOptions);
    },
    deleteCollection: async (...given) => {
      const {
        namespace,
        rest: [options, listOptions],
      } = takeNamespace(scope, given);
      return client.deleteCollection(namespace, options as DeleteOptions, listOptions as ListOptions);
    },
    patch: async (...given) => {
      const {
        namespace,
        name,
        rest: [type, data, options, ...subresources],
      } = takeName(scope, given);
      return client.patch(namespace, name, type as PatchType, data as RequestBody, options as PatchOptions, ...(subresources as string[]));
    },
    withImpersonation: (impersonation) => {
      const others = newSharedClientFactoryWithImpersonation(impersonation, clients);
      return newClientInterface(kind, others.forObject(kind), others);
    },
  };
}
