/**
 * A minimal API server to see whether a write happened: the ConfigMaps of one namespace, with versions and watches.
 *
 *     const server = configMapServer();
 *     const client = createClient({ transport: server.handle, … });
 */
import { encodeJson, encodeWatchEvent, newAlreadyExists, newConflict, newNotFound, parseQuery } from "@drover/machinery";
import type { GroupResource, HttpRequest, HttpResponse, Transport, WatchEventType } from "@drover/machinery";
import { bodyText } from "./body-text.ts";
import { jsonResponse, statusResponse } from "./scripted-transport.ts";

interface ConfigMapObject {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

interface Commit {
  readonly version: number;
  readonly type: WatchEventType;
  readonly object: ConfigMapObject;
}

export interface ConfigMapServer {
  readonly handle: Transport;
  /** Names of the existing objects, sorted. */
  readonly names: () => readonly string[];
  /** Writes as another client would: creates or changes the object. */
  readonly put: (name: string, data: Readonly<Record<string, string>>) => void;
  /** Number of open watches. */
  readonly watches: () => number;
}

const resource: Readonly<GroupResource> = { group: "", resource: "configmaps" };
const collection = "/api/v1/namespaces/shop/configmaps";

/** Serves ConfigMaps of the namespace `shop`. A patch of any type, and an apply, replaces the data with that of its body. */
export function configMapServer(): ConfigMapServer {
  const objects = new Map<string, ConfigMapObject>();
  const commits: Commit[] = [];
  const watchers = new Set<() => void>();
  const commit = (type: WatchEventType, name: string, data: ConfigMapObject["data"]): ConfigMapObject => {
    const version = commits.length + 1;
    const uid = objects.get(name)?.metadata.uid ?? `uid-${version}`;
    const object: ConfigMapObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "shop", uid, resourceVersion: String(version) },
      ...(data === undefined ? {} : { data }),
    };
    if (type === "DELETED") objects.delete(name);
    else objects.set(name, object);
    commits.push({ version, type, object });
    for (const wake of watchers) wake();
    return object;
  };
  const put = (name: string, data: ConfigMapObject["data"]): ConfigMapObject =>
    commit(objects.has(name) ? "MODIFIED" : "ADDED", name, data);

  async function* watch(since: number, signal: AbortSignal | undefined): AsyncGenerator<string, void, undefined> {
    let wake = (): void => undefined;
    const woken = (): void => wake();
    watchers.add(woken);
    signal?.addEventListener("abort", woken);
    try {
      for (let version = since; ;) {
        if (signal?.aborted === true) return;
        const next = commits[version];
        if (next === undefined) {
          await new Promise<void>((resolve) => (wake = resolve));
        } else {
          version = next.version;
          yield encodeWatchEvent(next.type, encodeJson(next.object));
        }
      }
    } finally {
      watchers.delete(woken);
    }
  }

  const onCollection = async (request: HttpRequest, query: string): Promise<HttpResponse> => {
    const parameters = parseQuery(query);
    if (request.method === "GET" && parameters.get("watch")?.[0] === "true") {
      const since = parameters.get("resourceVersion")?.[0] ?? "";
      return {
        status: 200,
        headers: { "content-type": "application/json" },
        body: watch(since === "" ? commits.length : Number(since), request.signal),
      };
    }
    if (request.method === "GET")
      return jsonResponse({
        apiVersion: "v1",
        kind: "ConfigMapList",
        metadata: { resourceVersion: String(commits.length) },
        items: [...objects.values()],
      });
    const { metadata, data } = JSON.parse(await bodyText(request.body ?? "")) as ConfigMapObject;
    if (objects.has(metadata.name)) return statusResponse(newAlreadyExists(resource, metadata.name));
    return jsonResponse(put(metadata.name, data), { status: 201 });
  };
  const onObject = async (request: HttpRequest, name: string): Promise<HttpResponse> => {
    const current = objects.get(name);
    const isApply = String(request.headers["content-type"]).startsWith("application/apply-patch");
    if (current === undefined && !isApply) return statusResponse(newNotFound(resource, name));
    if (request.method === "GET") return jsonResponse(current);
    if (request.method === "DELETE") return jsonResponse(commit("DELETED", name, current?.data));
    const body = JSON.parse(await bodyText(request.body ?? "")) as Partial<ConfigMapObject>;
    const expected = body.metadata?.resourceVersion;
    if (expected !== undefined && expected !== current?.metadata.resourceVersion)
      return statusResponse(newConflict(resource, name, "the object has been modified"));
    return jsonResponse(put(name, body.data));
  };
  const handle: Transport = async (request) => {
    const [path = "", query = ""] = request.path.split("?", 2);
    if (path === collection) return onCollection(request, query);
    return onObject(request, decodeURIComponent(path.slice(collection.length + 1)));
  };
  return { handle, names: () => [...objects.keys()].toSorted(), put: (name, data) => void put(name, data), watches: () => watchers.size };
}
