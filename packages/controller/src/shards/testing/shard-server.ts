/**
 * The part of an API server that shards need: leases with optimistic locking, lists by label, and deletions with preconditions.
 *
 *     const server = new ShardServer();
 *     const client = createClient({ transport: server.transport, … });
 */
import type { Lease } from "@drover/api/coordination/v1";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newAlreadyExists, newConflict, newNotFound } from "@drover/machinery";
import type { GroupResource, HttpRequest, HttpResponse, Transport } from "@drover/machinery";

const leases: Readonly<GroupResource> = { group: "coordination.k8s.io", resource: "leases" };
const collection = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";

/** Serves the leases of the namespace `shop`. Accepts any other write. */
export class ShardServer {
  readonly leases = new Map<string, Lease>();
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  #version: number;

  /** @param version - at which the server is */
  constructor(version = 0) {
    this.#version = version;
  }

  readonly transport: Transport = (request) => Promise.resolve(this.handle(request));

  /** The version of the last write. */
  get version(): number {
    return this.#version;
  }

  /** Returns the version of a write of something else, which counts like that of a lease. */
  nextVersion(): number {
    return ++this.#version;
  }

  /** Stores a lease as another client would. */
  put(lease: Lease): void {
    this.#store(lease.metadata.name ?? "", lease);
  }

  handle(request: HttpRequest): HttpResponse {
    const [path = "", query = ""] = request.path.split("?");
    this.requests.push(`${request.method} ${path.slice(path.lastIndexOf("/") + 1)}`);
    if (!path.startsWith(collection)) return jsonResponse({ apiVersion: "v1", kind: "Status", status: "Success" });
    const given = typeof request.body === "string" ? (JSON.parse(request.body) as Lease & Deletion) : undefined;
    if (path === collection)
      return given === undefined ? this.#list(new URLSearchParams(query).get("labelSelector") ?? "") : this.#create(given);
    const name = path.slice(collection.length + 1);
    const stored = this.leases.get(name);
    if (stored === undefined) return statusResponse(newNotFound(leases, name));
    if (request.method === "DELETE") return this.#delete(name, stored, given?.preconditions);
    if (given === undefined) return jsonResponse(stored);
    if (given.metadata.resourceVersion !== stored.metadata.resourceVersion) return conflict(name);
    return jsonResponse(this.#store(name, given));
  }

  #list(selector: string): HttpResponse {
    const [label = "", value] = selector.split("=");
    const items = [...this.leases.values()].filter(({ metadata }) => metadata.labels?.[label] === value);
    return jsonResponse({
      apiVersion: "coordination.k8s.io/v1",
      kind: "LeaseList",
      metadata: { resourceVersion: String(this.#version) },
      items,
    });
  }

  #create(given: Lease): HttpResponse {
    const { name = "" } = given.metadata;
    if (this.leases.has(name)) return statusResponse(newAlreadyExists(leases, name));
    return jsonResponse(this.#store(name, given), { status: 201 });
  }

  #delete(name: string, { metadata }: Lease, preconditions: Deletion["preconditions"] = {}): HttpResponse {
    const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions;
    if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) return conflict(name);
    this.leases.delete(name);
    return jsonResponse({ apiVersion: "v1", kind: "Status", status: "Success" });
  }

  #store(name: string, lease: Lease): Lease {
    this.#version++;
    const stored: Lease = {
      ...lease,
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { ...lease.metadata, uid: lease.metadata.uid ?? `uid-${this.#version}`, resourceVersion: String(this.#version) },
    };
    this.leases.set(name, stored);
    return stored;
  }
}

interface Deletion {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

const conflict = (name: string): HttpResponse => statusResponse(newConflict(leases, name, "the object has been modified"));
