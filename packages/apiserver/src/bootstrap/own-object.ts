/**
 * Writes objects that the server itself keeps: without validation and admission, as manager kube-apiserver.
 *
 *     publishEndpoints, IdentityLease → writeOwnObject → ObjectStore
 */
import { deepCopy, formatTime, jsonEqual } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Backend } from "../request/request-context.ts";
import { recordCreate } from "../verbs/prepare-create.ts";
import { recordChange } from "../verbs/put-object.ts";

/** Creates the object, or replaces what differs beside its metadata. Does nothing if another writer is faster. */
export async function writeOwnObject(backend: Backend, resource: Resource, wanted: JsonObject): Promise<void> {
  const { objects, runtime } = backend;
  const { namespace = "", name = "" } = metaOf(wanted);
  const key = keyOf(resource, namespace, name);
  const now = runtime.clock.now();
  const live = await objects.get(resource, key);
  if (live === undefined) {
    const object = recordCreate(backend, { resource, now }, deepCopy(wanted), "kube-apiserver");
    const meta = metaOf(object);
    meta.uid = runtime.uid();
    meta.creationTimestamp = formatTime(now);
    await objects.put(resource, key, resource.codec.reshape(object), { expected: 0 });
    return;
  }
  const { metadata: _metadata, ...fields } = wanted;
  if (Object.entries(fields).every(([field, value]) => jsonEqual(live.object[field], value))) return;
  const changed = { ...live.object, ...deepCopy(fields) };
  const change = { object: changed, current: live.object, subresource: "", manager: "kube-apiserver" };
  const recorded = await recordChange(backend, { resource, now }, change);
  const meta = metaOf(recorded);
  if (meta.generation !== undefined) meta.generation += 1;
  await objects.put(resource, key, resource.codec.reshape(recorded), { expected: live.stored.modRevision });
}
