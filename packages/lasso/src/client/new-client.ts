/**
 * Lasso's `Client`: the nine verbs of one resource over a `RestClient`, with Lasso's names and order of arguments.
 * `newClient<Pod>(…)` types its objects; without a type they are unstructured. New code uses `createClient`.
 *
 *     newClient(gvr, kind, namespaced, restClient, timeoutMs) → list and watch for a ListerWatcher, and seven more
 */
import { apiVersionOf, definedOnly, encodeGetOptions, encodeListOptions, encodeWriteOptions } from "@drover/machinery";
import type {
  CreateOptions,
  DeepReadonly,
  DeleteOptions,
  GetOptions,
  GroupVersionResource,
  KubeList,
  KubeObject,
  ListOptions,
  PatchOptions,
  PatchType,
  Status,
  UpdateOptions,
  WatchEvent,
} from "@drover/machinery";
import type { Unstructured } from "@drover/client";
import { mappedIterator, withItemKinds, withKind } from "@drover/client";
import { RequestError } from "@drover/client-go";
import type { RequestBody, RestClient, RestRequest, SendOptions, WatchSendOptions } from "@drover/client-go";

/**
 * Guarantees of every verb: objects have `apiVersion` and `kind`. An error response rejects with an `ApiError`. For a namespaced resource
 * an empty namespace means all namespaces in `list`, `watch` and `deleteCollection`, and a `RequestError` in the other verbs.
 */
export interface Client<T extends KubeObject = Unstructured> {
  readonly gvr: GroupVersionResource;
  readonly namespaced: boolean;
  get(namespace: string, name: string, options?: GetOptions & SendOptions): Promise<T>;
  list(namespace: string, options?: ListOptions & SendOptions): Promise<KubeList<T>>;
  watch(namespace: string, options?: ListOptions & WatchSendOptions): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
  create(namespace: string, object: DeepReadonly<T>, options?: CreateOptions & SendOptions): Promise<T>;
  update(namespace: string, object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  /** Writes only the status. */
  updateStatus(namespace: string, object: DeepReadonly<T>, options?: UpdateOptions & SendOptions): Promise<T>;
  /** Resolves with the object or a Status. */
  delete(namespace: string, name: string, options?: DeleteOptions & SendOptions): Promise<T | Status>;
  deleteCollection(namespace: string, options?: DeleteOptions & SendOptions, listOptions?: ListOptions): Promise<KubeList<T> | Status>;
  /** Sends strings and bytes unchanged, anything else as JSON. */
  patch(
    namespace: string,
    name: string,
    type: PatchType,
    data: RequestBody,
    options?: PatchOptions & SendOptions,
    ...subresources: readonly string[]
  ): Promise<T>;
}

/**
 * Returns the client of one resource. `defaultTimeoutMs` limits every verb except `watch`; 0 means no limit. `timeoutSeconds` of list
 * options limits the request as well. If `kind` is empty, objects get no kind.
 */
export function newClient<T extends KubeObject = Unstructured>(
  gvr: GroupVersionResource,
  kind: string,
  namespaced: boolean,
  client: RestClient,
  defaultTimeoutMs: number,
): Client<T> {
  const target = { ...gvr, kind };
  const at = (request: RestRequest, namespace: string): RestRequest =>
    request
      .absPath(gvr.group === "" ? "/api" : "/apis", apiVersionOf(gvr))
      .namespaceIfScoped(namespace, namespaced)
      .resource(gvr.resource);
  const atOne = (request: RestRequest, namespace: string, name: string): RestRequest => {
    if (namespaced && namespace === "") throw new RequestError(`${gvr.resource}/${name} is namespaced; pass a namespace`);
    return at(request, namespace).name(name);
  };
  const within = (request: RestRequest, { timeoutSeconds = 0 }: ListOptions = {}): RestRequest => {
    const limits = [defaultTimeoutMs, timeoutSeconds * 1000].filter((limit) => limit > 0);
    return limits.length === 0 ? request : request.timeout(Math.min(...limits));
  };
  const filled = <O extends KubeObject>(object: O): O => (kind === "" || object.kind === "Status" ? object : withKind(target, object));
  const one = async (request: RestRequest, options: SendOptions): Promise<T> =>
    filled((await within(request).do(callOf(options))).into<T>());
  const listed = (list: KubeList<T>): KubeList<T> => (kind === "" ? list : withItemKinds(target, list));
  const put = (namespace: string, object: DeepReadonly<T>, options: UpdateOptions): RestRequest =>
    atOne(client.put(), namespace, object.metadata.name ?? "")
      .versionedParams(options, encodeWriteOptions)
      .body(object);
  return {
    gvr,
    namespaced,
    get: async (namespace, name, options = {}) =>
      one(atOne(client.get(), namespace, name).versionedParams(options, encodeGetOptions), options),
    list: async (namespace, options = {}) =>
      listed(
        (await within(at(client.get(), namespace).versionedParams(wireOf(options), encodeListOptions), options).do(callOf(options))).into<
          KubeList<T>
        >(),
      ),
    watch: (namespace, options = {}) =>
      mappedIterator(
        at(client.get(), namespace)
          .versionedParams({ ...wireOf(options), watch: true }, encodeListOptions)
          .watch<T>(options),
        (event) => (event.type === "ERROR" || event.type === "BOOKMARK" ? event : { type: event.type, object: filled(event.object) }),
      ),
    create: async (namespace, object, options = {}) =>
      one(at(client.post(), namespace).versionedParams(options, encodeWriteOptions).body(object), options),
    update: async (namespace, object, options = {}) => one(put(namespace, object, options), options),
    updateStatus: async (namespace, object, options = {}) => one(put(namespace, object, options).subResource("status"), options),
    delete: async (namespace, name, { signal, ...options } = {}) =>
      one(atOne(client.delete(), namespace, name).body({ apiVersion: "v1", kind: "DeleteOptions", ...options }), callOf({ signal })),
    deleteCollection: async (namespace, { signal, ...options } = {}, listOptions = {}) => {
      const request = at(client.delete(), namespace)
        .versionedParams(listOptions, encodeListOptions)
        .body({ apiVersion: "v1", kind: "DeleteOptions", ...options });
      const answer = (await within(request, listOptions).do(callOf({ signal }))).into<KubeList<T> | Status>();
      return "items" in answer ? listed(answer) : answer;
    },
    patch: async (namespace, name, type, data, options = {}, ...subresources) =>
      one(
        atOne(client.patch(type), namespace, name)
          .subResource(...subresources)
          .versionedParams(options, encodeWriteOptions)
          .body(data),
        options,
      ),
  };
}

const callOf = ({ signal }: { readonly signal?: AbortSignal | undefined }): SendOptions => definedOnly({ signal });

/** Returns the options that are sent to the server. */
function wireOf({
  signal: _signal,
  silenceMs: _silence,
  maxLineLength: _length,
  dropManagedFields: _drop,
  ...options
}: ListOptions & WatchSendOptions): ListOptions {
  return options;
}
