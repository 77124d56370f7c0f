/**
 * The nine verbs of one resource over a `RestClient`, under the names and in the order of arguments that document 001 gives them. Whoever
 * starts anew takes `createClient`, which is typed by kinds; this one is for code that is told its resource piece by piece.
 *
 *     newClient(gvr, kind, namespaced, restClient, timeoutMs) → list and watch for a ListerWatcher, and seven more
 */
import { apiVersionOf, encodeGetOptions, encodeListOptions, encodeWriteOptions } from "@drover/machinery";
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
import type { Unstructured } from "../dynamic-client.ts";
import { withItemKinds, withKind } from "../filled-kind.ts";
import { mappedIterator } from "../mapped-iterator.ts";
import { RequestError } from "./request.ts";
import type { RestRequest } from "./request.ts";
import type { RequestBody } from "./request-body.ts";
import type { SendOptions, WatchSendOptions } from "./request-sender.ts";
import type { RestClient } from "./rest-client.ts";

/**
 * Guarantees of every verb: objects come with `apiVersion` and `kind`; a refusal of the server rejects with an `ApiError`; for a namespaced
 * resource an empty namespace means all of them to `list`, `watch` and `deleteCollection`, and is a `RequestError` to the others.
 */
export interface VerbClient {
  readonly gvr: GroupVersionResource;
  readonly namespaced: boolean;
  get(namespace: string, name: string, options?: GetOptions & SendOptions): Promise<Unstructured>;
  list(namespace: string, options?: ListOptions & SendOptions): Promise<KubeList<Unstructured>>;
  watch(namespace: string, options?: ListOptions & WatchSendOptions): AsyncIterableIterator<WatchEvent<Unstructured>, void, undefined>;
  create(namespace: string, object: DeepReadonly<KubeObject>, options?: CreateOptions & SendOptions): Promise<Unstructured>;
  update(namespace: string, object: DeepReadonly<KubeObject>, options?: UpdateOptions & SendOptions): Promise<Unstructured>;
  /** Writes the status and nothing else. */
  updateStatus(namespace: string, object: DeepReadonly<KubeObject>, options?: UpdateOptions & SendOptions): Promise<Unstructured>;
  /** Answers with the object, or with a Status. */
  delete(namespace: string, name: string, options?: DeleteOptions & SendOptions): Promise<Unstructured | Status>;
  deleteCollection(
    namespace: string,
    options?: DeleteOptions & SendOptions,
    listOptions?: ListOptions,
  ): Promise<KubeList<Unstructured> | Status>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  patch(
    namespace: string,
    name: string,
    type: PatchType,
    data: RequestBody,
    options?: PatchOptions & SendOptions,
    ...subresources: readonly string[]
  ): Promise<Unstructured>;
}

/**
 * The client of one resource. `defaultTimeoutMs` limits every verb but `watch`; 0 is no limit. `timeoutSeconds` of list options is a limit
 * for the request as well. Objects get no kind when `kind` is empty.
 */
export function newClient(
  gvr: GroupVersionResource,
  kind: string,
  namespaced: boolean,
  client: RestClient,
  defaultTimeoutMs: number,
): VerbClient {
  const target = { ...gvr, kind };
  const at = (request: RestRequest, namespace: string): RestRequest =>
    request
      .absPath(gvr.group === "" ? "/api" : "/apis", apiVersionOf(gvr))
      .namespaceIfScoped(namespace, namespaced)
      .resource(gvr.resource);
  const atOne = (request: RestRequest, namespace: string, name: string): RestRequest => {
    if (namespaced && namespace === "") throw new RequestError(`${gvr.resource}/${name} is in a namespace, and none is given; name it`);
    return at(request, namespace).name(name);
  };
  const within = (request: RestRequest, { timeoutSeconds = 0 }: ListOptions = {}): RestRequest => {
    const limits = [defaultTimeoutMs, timeoutSeconds * 1000].filter((limit) => limit > 0);
    return limits.length === 0 ? request : request.timeout(Math.min(...limits));
  };
  const filled = <T extends KubeObject>(object: T): T => (kind === "" || object.kind === "Status" ? object : withKind(target, object));
  const one = async (request: RestRequest, options: SendOptions): Promise<Unstructured> =>
    filled((await within(request).do(callOf(options))).into<Unstructured>());
  const listed = (list: KubeList<Unstructured>): KubeList<Unstructured> => (kind === "" ? list : withItemKinds(target, list));
  const put = (namespace: string, object: DeepReadonly<KubeObject>, options: UpdateOptions): RestRequest =>
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
          KubeList<Unstructured>
        >(),
      ),
    watch: (namespace, options = {}) =>
      mappedIterator(
        at(client.get(), namespace)
          .versionedParams({ ...wireOf(options), watch: true }, encodeListOptions)
          .watch<Unstructured>(options),
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
      const answer = (await within(request, listOptions).do(callOf({ signal }))).into<KubeList<Unstructured> | Status>();
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

const callOf = ({ signal }: { readonly signal?: AbortSignal | undefined }): SendOptions => (signal === undefined ? {} : { signal });

/** What of the options the server is told. */
function wireOf({
  signal: _signal,
  silenceMs: _silence,
  maxLineLength: _length,
  dropManagedFields: _drop,
  ...options
}: ListOptions & WatchSendOptions): ListOptions {
  return options;
}
