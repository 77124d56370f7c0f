/**
 * Creates the roles and bindings that kube-apiserver has in mode RBAC, and completes those that exist.
 *
 *     data/bootstrap-policy.br → readPolicy → put, or reconciledRole / reconciledBinding → the update verb
 */
import type { ClusterRole, ClusterRoleBinding } from "@drover/api/rbac/v1";
import { assert, decodeJson, encodeJson, formatTime, isJsonObject, parseQuery, requestInfo } from "@drover/machinery";
import { adminUser } from "../access/system-names.ts";
import type { ApiServerHost } from "../host.ts";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Backend } from "../request/request-context.ts";
import { AuditAnnotations } from "../request/audit-annotations.ts";
import { Warnings } from "../request/warnings.ts";
import type { Stored } from "../storage/store.ts";
import { putObject } from "../verbs/put-object.ts";
import { policyFile, readPolicy, timeMark, uidMark } from "./policy-archive.ts";
import type { PolicyText } from "./policy-archive.ts";
import { reconciledBinding, reconciledRole } from "./reconciled-policy.ts";

/** Assumes that the namespaces of the cluster exist. */
export async function bootstrapPolicy(backend: Backend, host: Pick<ApiServerHost, "readData" | "inflate">): Promise<void> {
  const policy = readPolicy(new TextDecoder().decode(host.inflate(host.readData(policyFile))));
  const { objects, registry, runtime } = backend;
  const now = formatTime(runtime.clock.now());
  for (const plural of new Set(policy.map((one) => one.resource))) {
    const resource = registry.find({ group: "rbac.authorization.k8s.io", version: "v1", resource: plural });
    assert(resource !== undefined, `${plural} are not served`);
    const { items } = await objects.store.list(prefixOf(resource, ""));
    const existing = new Map(items.map((stored) => [stored.key, stored]));
    for (const one of policy) {
      if (one.resource !== plural) continue;
      const key = keyOf(resource, one.namespace, one.name);
      const text = one.text.replaceAll(uidMark, runtime.uid()).replaceAll(timeMark, now);
      const stored = existing.get(key);
      // Another server on the same store may be faster, and creates the same.
      if (stored === undefined) await objects.store.put(key, text, { expected: 0 });
      else await reconcile(backend, resource, { ...one, text }, stored);
    }
  }
}

async function reconcile(backend: Backend, resource: Resource, wanted: PolicyText, stored: Stored): Promise<void> {
  const { objects } = backend;
  const existing = objects.views(resource).object(stored) as unknown;
  const object = decodeJson(wanted.text);
  assert(isJsonObject(object), `${policyFile}: ${wanted.name} is not an object`);
  const result = wanted.resource.endsWith("bindings")
    ? reconciledBinding(existing as ClusterRoleBinding, object as unknown as ClusterRoleBinding)
    : reconciledRole(existing as ClusterRole, object as unknown as ClusterRole);
  if (result.kind === "changed") await update(backend, resource, wanted, encodeJson(result.object));
  if (result.kind === "recreated" && (await objects.delete(stored.key, stored.modRevision)) !== undefined)
    await objects.store.put(stored.key, wanted.text, { expected: 0 });
}

async function update(backend: Backend, resource: Resource, { namespace, name }: PolicyText, body: string): Promise<void> {
  const path = `/apis/rbac.authorization.k8s.io/v1/${namespace === "" ? "" : `namespaces/${namespace}/`}${resource.kind.plural}/${name}`;
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
