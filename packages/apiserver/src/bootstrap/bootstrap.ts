/** Creates the objects that every cluster has, if missing, and repairs the records of allocations. */
import { assert, encodeJson, errorText, formatTime, parseQuery, requestInfo } from "@drover/machinery";
import { adminUser } from "../access/system-names.ts";
import type { ServiceRepair } from "../allocation/service-repair.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { AuditAnnotations } from "../request/audit-annotations.ts";
import { Warnings } from "../request/warnings.ts";
import { StatusError } from "../status-error.ts";
import { createObject } from "../verbs/create-object.ts";
import { namespaceOf } from "../verbs/names.ts";
import { bootstrapObjects, serverService, systemNamespaces } from "./bootstrap-objects.ts";
import type { BootstrapObject } from "./bootstrap-objects.ts";
import { parseServerAddress, publishEndpoints } from "./server-endpoints.ts";
import { admitServiceRange } from "./service-range.ts";

export interface BootstrapOptions {
  readonly repair: Pick<ServiceRepair, "run">;
  readonly serviceCidr: string;
  /** "127.0.0.1:6443". */
  readonly serverAddress: string;
  readonly clientAuthorityPem: string | undefined;
}

/** Creates the objects through the create verb, without authorization, negotiation and metrics. */
export async function bootstrap(
  backend: Backend,
  { repair, serviceCidr, serverAddress, clientAuthorityPem }: BootstrapOptions,
): Promise<void> {
  const address = parseServerAddress(serverAddress);
  const today = formatTime(backend.runtime.clock.now()).slice(0, "2026-11-18".length);
  const serverServiceIp = firstAddress(serviceCidr);
  await createMissing(backend, bootstrapObjects({ serviceCidr, clientAuthorityPem, today }));
  await admitServiceRange(backend, serviceCidr);
  await repair.run();
  await createMissing(backend, [serverService({ serverServiceIp, serverPort: address?.port ?? 6443 })]);
  if (address !== undefined) await publishEndpoints(backend, address);
}

/**
 * Creates the namespaces of the system that are missing. kube-apiserver looks every minute; here each write to a namespace does, so that
 * a deleted one is back at once and nothing depends on a timer.
 */
export async function restoreNamespaces(backend: Backend): Promise<void> {
  const { objects, registry } = backend;
  const resource = registry.find({ group: "", version: "v1", resource: "namespaces" });
  assert(resource !== undefined, "namespaces are not served");
  for (const { object } of systemNamespaces) {
    const { stored } = await objects.store.get(keyOf(resource, "", metaOf(object).name ?? ""));
    if (stored === undefined) return await createMissing(backend, systemNamespaces);
  }
}

async function createMissing(backend: Backend, objects: readonly BootstrapObject[]): Promise<void> {
  for (const wanted of objects) {
    const context = contextOf(backend, wanted);
    const { stored } = await backend.objects.store.get(keyOf(context.resource, namespaceOf(context), metaOf(wanted.object).name ?? ""));
    if (stored !== undefined) continue;
    try {
      await createObject(backend, context);
    } catch (error) {
      throw new Error(`cannot bootstrap the cluster: POST ${wanted.path}: ${errorText(error)}`, {
        cause: error,
      });
    }
  }
}

/** Creates a namespace if it does not exist, as the server itself. Rejects with a `StatusError`. */
export async function createNamespace(backend: Backend, name: string): Promise<void> {
  try {
    await createObject(backend, contextOf(backend, { path: "/api/v1/namespaces", object: { metadata: { name } } }));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== "AlreadyExists") throw error;
  }
}

function contextOf({ registry, runtime }: Backend, { path, object }: BootstrapObject): RequestContext {
  const info = requestInfo("POST", path);
  const resource = registry.find({ group: info.apiGroup, version: info.apiVersion, resource: info.resource });
  assert(resource !== undefined, `${path} is not served`);
  const request = { method: "POST", path, headers: { "user-agent": "kube-apiserver" }, body: encodeJson(object) };
  return {
    request,
    info,
    resource,
    query: parseQuery(""),
    user: adminUser,
    warnings: new Warnings(),
    annotations: new AuditAnnotations(),
    now: runtime.clock.now(),
  };
}

/** "10.0.0.0/24" → "10.0.0.1". */
function firstAddress(cidr: string): string {
  const [network = ""] = cidr.split("/");
  const bytes = network.split(".").map(Number);
  return [...bytes.slice(0, 3), (bytes[3] ?? 0) + 1].join(".");
}
