/**
 * The verbs of one kind with the names and argument order of Wrangler's generic package. Every verb takes a signal in
 * its options.
 *
 *     Client → newClientInterface → create, update, updateStatus, get, list, watch, delete, deleteCollection, patch
 *
 * Inside a handler prefer the client of its context: its calls are recorded on the tape, end with the run, and are
 * fenced by the lease.
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
 * Guarantees: rejects with the signal's reason when aborted, and with `ApiError` when the server rejects the request;
 * never changes its arguments.
 */
export interface ClientInterface<T extends KubeObject, S extends Scope = Scope> {
  /** Creates the object in its metadata.namespace, which is required for namespaced kinds. */
  create(object: DeepReadonly<T>, options?: CreateOptions & SendOptions): Promise<T>;
  update(object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  /** Writes only the status. */
  updateStatus(object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  get(...given: [...NameArguments<S>, options?: GetOptions & SendOptions]): Promise<T>;
  /** Lists a namespace; "" lists all. */
  list(...given: [...NamespaceArguments<S>, options?: ListOptions & SendOptions]): Promise<KubeList<T>>;
  watch(...given: [...NamespaceArguments<S>, options?: ListOptions & SendOptions]): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  delete(...given: [...NameArguments<S>, options?: DeleteOptions & SendOptions]): Promise<T | Status>;
  deleteCollection(
    ...given: [...NamespaceArguments<S>, options?: DeleteOptions & SendOptions, listOptions?: ListOptions]
  ): Promise<KubeList<T> | Status>;
  patch(
    ...given: [...NameArguments<S>, type: PatchType, data: RequestBody, options?: PatchOptions & SendOptions, ...subresources: string[]]
  ): Promise<T>;
  /** Returns the same verbs as another user. */
  withImpersonation(impersonation: Impersonation): ClientInterface<T, S>;
}

/** Creates the verbs of a kind on Lasso's client. */
export function newClientInterface<T extends KubeObject, S extends Scope>(
  kind: Kind<T, S>,
  client: Client<T>,
  clients: SharedClientFactory,
): ClientInterface<T, S> {
  const { scope, plural } = kind;
  const placeOf = ({ metadata: { name = "", namespace = "" } }: DeepReadonly<KubeObject>): string => {
    if (scope === "Namespaced" && namespace === "")
      throw new TypeError(`${plural}/${name} has no metadata.namespace, which its kind requires`);
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
