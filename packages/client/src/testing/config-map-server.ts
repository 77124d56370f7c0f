/**
 * A minimal API server to see whether a write happened: the ConfigMaps of one namespace, with versions and watches.
 *
 *     const server = configMapServer();
 *     const client = createClient({ transport: server.handle, … });
 */
import { definedOnly, encodeJson, encodeWatchEvent, newAlreadyExists, newConflict, newNotFound, parseQuery } from "@drover/machinery";
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
  const store = new ConfigMapStore();
  const handle: Transport = async (request) => {
    const [path = "", query = ""] = request.path.split("?", 2);
    if (path === collection) return onCollection(store, request, query);
    return onObject(store, request, decodeURIComponent(path.slice(collection.length + 1)));
  };
  return { handle, names: () => store.names(), put: (name, data) => void store.put(name, data), watches: () => store.watches };
}

/** The objects, and every commit for watches. */
class ConfigMapStore {
  readonly objects = new Map<string, ConfigMapObject>();
  readonly #commits: Commit[] = [];
  readonly #watchers = new Set<() => void>();

  /** Version of the last commit. */
  get version(): number {
    return this.#commits.length;
  }

  get watches(): number {
    return this.#watchers.size;
  }

  names(): readonly string[] {
    return [...this.objects.keys()].toSorted();
  }

  put(name: string, data: ConfigMapObject["data"]): ConfigMapObject {
    return this.commit(this.objects.has(name) ? "MODIFIED" : "ADDED", name, data);
  }

  commit(type: WatchEventType, name: string, data: ConfigMapObject["data"]): ConfigMapObject {
    const version = this.version + 1;
    const uid = this.objects.get(name)?.metadata.uid ?? `uid-${version}`;
    const object: ConfigMapObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "shop", uid, resourceVersion: String(version) },
      ...definedOnly({ data }),
    };
    if (type === "DELETED") this.objects.delete(name);
    else this.objects.set(name, object);
    this.#commits.push({ version, type, object });
    for (const wake of this.#watchers) wake();
    return object;
  }

  /** Yields the events after a version, until the signal aborts. */
  async *watch(since: number, signal: AbortSignal | undefined): AsyncGenerator<string, void, undefined> {
    let wake = (): void => undefined;
    const woken = (): void => wake();
    this.#watchers.add(woken);
    signal?.addEventListener("abort", woken);
    try {
      for (let version = since; ;) {
        if (signal?.aborted === true) return;
        const next = this.#commits[version];
        if (next === undefined) {
          await new Promise<void>((resolve) => (wake = resolve));
        } else {
          version = next.version;
          yield encodeWatchEvent(next.type, encodeJson(next.object));
        }
      }
    } finally {
      this.#watchers.delete(woken);
    }
  }
}

async function onCollection(store: ConfigMapStore, request: HttpRequest, query: string): Promise<HttpResponse> {
  const parameters = parseQuery(query);
  if (request.method === "GET" && parameters.get("watch")?.[0] === "true") {
    const since = parameters.get("resourceVersion")?.[0] ?? "";
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: store.watch(since === "" ? store.version : Number(since), request.signal),
    };
  }
  if (request.method === "GET")
    return jsonResponse({
      apiVersion: "v1",
      kind: "ConfigMapList",
      metadata: { resourceVersion: String(store.version) },
      items: [...store.objects.values()],
    });
  const { metadata, data } = JSON.parse(await bodyText(request.body ?? "")) as ConfigMapObject;
  if (store.objects.has(metadata.name)) return statusResponse(newAlreadyExists(resource, metadata.name));
  return jsonResponse(store.put(metadata.name, data), { status: 201 });
}

async function onObject(store: ConfigMapStore, request: HttpRequest, name: string): Promise<HttpResponse> {
  const current = store.objects.get(name);
  const isApply = String(request.headers["content-type"]).startsWith("application/apply-patch");
  if (current === undefined && !isApply) return statusResponse(newNotFound(resource, name));
  if (request.method === "GET") return jsonResponse(current);
  if (request.method === "DELETE") return jsonResponse(store.commit("DELETED", name, current?.data));
  const body = JSON.parse(await bodyText(request.body ?? "")) as Partial<ConfigMapObject>;
  const expected = body.metadata?.resourceVersion;
  if (expected !== undefined && expected !== current?.metadata.resourceVersion)
    return statusResponse(newConflict(resource, name, "the object has been modified"));
  return jsonResponse(store.put(name, body.data));
}
