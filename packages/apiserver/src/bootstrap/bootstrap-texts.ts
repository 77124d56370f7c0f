/**
 * Creates the objects of the archive.
 *
 *     data/bootstrap.br → readBootstrap → store, or reconciledRole / reconciledBinding → the update verb
 */
import type { ClusterRole, ClusterRoleBinding } from "@drover/api/rbac/v1";
import { assert, decodeJson, encodeJson, formatTime, isJsonObject, parseQuery, requestInfo } from "@drover/machinery";
import { adminUser } from "../access/system-names.ts";
import type { ApiServerHost } from "../host.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Backend } from "../request/request-context.ts";
import { AuditAnnotations } from "../request/audit-annotations.ts";
import { Warnings } from "../request/warnings.ts";
import type { Stored } from "../storage/store.ts";
import { putObject } from "../verbs/put-object.ts";
import { bootstrapFile, readBootstrap, timeMark, uidMark } from "./bootstrap-archive.ts";
import type { BootstrapText } from "./bootstrap-archive.ts";
import { reconciledBinding, reconciledRole } from "./reconciled-policy.ts";

export interface BootstrapTextsOptions {
  /** Whether to create the roles and bindings of mode RBAC, and complete those that exist. */
  readonly withPolicy: boolean;
}

const policyGroup = "rbac.authorization.k8s.io";

/**
 * Creates flow schemas, priority levels and APIServices that are missing, and the policy if wanted. Assumes that the namespaces of the
 * cluster exist.
 */
export async function bootstrapTexts(
  backend: Backend,
  host: Pick<ApiServerHost, "readData" | "inflate">,
  { withPolicy }: BootstrapTextsOptions,
): Promise<void> {
  const archive = readBootstrap(new TextDecoder().decode(host.inflate(host.readData(bootstrapFile))));
  const { objects, registry, runtime } = backend;
  const now = formatTime(runtime.clock.now());
  const wanted = archive.filter(({ group }) => withPolicy || group !== policyGroup);
  for (const plural of new Set(wanted.map((one) => one.resource))) {
    const texts = wanted.filter((one) => one.resource === plural);
    const group = texts[0]?.group ?? "";
    const resource = registry.find({ group, version: "v1", resource: plural });
    assert(resource !== undefined, `${plural} are not served`);
    const { items } = await objects.store.list(resource.storagePrefix);
    const existing = new Map(items.map((stored) => [stored.key, stored]));
    for (const one of texts) {
      const key = keyOf(resource, one.namespace, one.name);
      const text = one.text.replaceAll(uidMark, runtime.uid()).replaceAll(timeMark, now);
      const stored = existing.get(key);
      // Another server on the same store may be faster, and creates the same.
      if (stored === undefined) await objects.store.put(key, text, { expected: 0 });
      else if (group === policyGroup) await reconcile(backend, resource, { ...one, text }, stored);
    }
  }
}

async function reconcile(backend: Backend, resource: Resource, wanted: BootstrapText, stored: Stored): Promise<void> {
  const { objects } = backend;
  const existing = objects.views(resource).object(stored) as unknown;
  const object = decodeJson(wanted.text);
  assert(isJsonObject(object), `${bootstrapFile}: ${wanted.name} is not an object`);
  const result = wanted.resource.endsWith("bindings")
    ? reconciledBinding(existing as ClusterRoleBinding, object as unknown as ClusterRoleBinding)
    : reconciledRole(existing as ClusterRole, object as unknown as ClusterRole);
  if (result.kind === "changed") await update(backend, resource, wanted, encodeJson(result.object));
  if (result.kind === "recreated" && (await objects.delete(stored.key, stored.modRevision)) !== undefined)
    await objects.store.put(stored.key, wanted.text, { expected: 0 });
}

async function update(backend: Backend, resource: Resource, { namespace, name }: BootstrapText, body: string): Promise<void> {
  const path = `/apis/${policyGroup}/v1/${namespace === "" ? "" : `namespaces/${namespace}/`}${resource.kind.plural}/${name}`;
  const request = { method: "PUT", path, headers: { "user-agent": "kube-apiserver" }, body };
  const now = backend.runtime.clock.now();
  await putObject(backend, {
    request,
    info: requestInfo("PUT", path),
    resource,
    query: parseQuery(""),
    user: adminUser,
    warnings: new Warnings(),
    annotations: new AuditAnnotations(),
    now,
  });
}
