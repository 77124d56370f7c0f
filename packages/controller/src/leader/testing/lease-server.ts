/**
 * The part of an API server that an election needs: one Lease with optimistic locking, and a record of the writes that reached it.
 *
 *     const server = new LeaseServer();
 *     const client = createClient({ transport: server.transport, … });
 */
import type { Lease } from "@drover/api/coordination/v1";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newAlreadyExists, newConflict, newNotFound } from "@drover/machinery";
import type { GroupResource, HttpRequest, HttpResponse, Transport } from "@drover/machinery";

const leases: Readonly<GroupResource> = { group: "coordination.k8s.io", resource: "leases" };
const collection = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";
const name = "web";

/** Serves the lease `web` in the namespace `shop`. Accepts any other write. */
export class LeaseServer {
  /** The stored lease. */
  lease: Lease | undefined;
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  #version = 0;

  readonly transport: Transport = (request) => Promise.resolve(this.handle(request));

  /** Stores a spec as another client would; undefined deletes the lease. */
  put(spec: Lease["spec"] | undefined): void {
    if (spec === undefined) this.lease = undefined;
    else this.#store({ metadata: { ...this.lease?.metadata, name, namespace: "shop" }, spec });
  }

  handle(request: HttpRequest): HttpResponse {
    const { method, path } = request;
    this.requests.push(`${method} ${path.slice(path.lastIndexOf("/") + 1)}`);
    if (!path.startsWith(collection)) return jsonResponse({ apiVersion: "v1", kind: "Status", status: "Success" });
    const given = typeof request.body === "string" ? (JSON.parse(request.body) as Lease) : undefined;
    if (method === "POST" && given !== undefined)
      return this.lease === undefined ? jsonResponse(this.#store(given), { status: 201 }) : statusResponse(newAlreadyExists(leases, name));
    if (this.lease === undefined) return statusResponse(newNotFound(leases, name));
    if (method === "GET" || given === undefined) return jsonResponse(this.lease);
    if (given.metadata.resourceVersion !== this.lease.metadata.resourceVersion)
      return statusResponse(newConflict(leases, name, "the object has been modified"));
    return jsonResponse(this.#store(given));
  }

  #store(lease: Lease): Lease {
    this.#version++;
    this.lease = {
      ...lease,
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { ...lease.metadata, uid: lease.metadata.uid ?? `uid-${this.#version}`, resourceVersion: String(this.#version) },
    };
    return this.lease;
  }
}
