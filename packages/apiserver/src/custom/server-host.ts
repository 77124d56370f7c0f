/** `CustomHost` on the server's own store and registry. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { assert, parseQuery, recordUpdate, requestInfo } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { adminUser } from "../access/system-names.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { AuditAnnotations } from "../request/audit-annotations.ts";
import { Warnings } from "../request/warnings.ts";
import { deleteNamed } from "../verbs/delete-object.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import type { CustomHost } from "./custom-host.ts";

export function serverHost(backend: Backend, { published }: Pick<CustomHost, "published">): CustomHost {
  const { objects, registry } = backend;
  const definitions = (): Resource => {
    const found = registry.find({ group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" });
    assert(found !== undefined, "the built-in kind CustomResourceDefinition is not served");
    return found;
  };
  return {
    readCrds: async () => {
      const resource = definitions();
      const { items } = await objects.store.list(resource.storagePrefix);
      // The same objects in each round of a sync: a definition may be large.
      const views = objects.views(resource);
      return items.map((stored) => typedObject(CustomResourceDefinition, views.shared(stored) as JsonObject));
    },
    updateCrd: async (name, change) => {
      const resource = definitions();
      const key = keyOf(resource, "", name);
      for (;;) {
        const live = await objects.get(resource, key);
        if (live === undefined) return;
        const { object, stored } = live;
        const old = objects.views(resource).object(stored);
        change(typedObject(CustomResourceDefinition, object));
        const scope = backend.scopes.of(resource, "status");
        const { object: recorded } = recordUpdate({
          scope,
          live: old,
          object,
          manager: "kube-apiserver",
          now: backend.runtime.clock.now(),
        });
        const { deletionTimestamp, finalizers = [] } = metaOf(recorded);
        const isOver = deletionTimestamp !== undefined && finalizers.length === 0;
        const done = isOver
          ? await objects.delete(key, stored.modRevision)
          : await objects.put(resource, key, recorded, { expected: stored.modRevision });
        if (done !== undefined) return;
      }
    },
    deleteInstances: async (resource) => await deleteAll(backend, resource),
    serve: (name, resources) => registry.serve(name, resources),
    published,
  };
}

async function deleteAll(backend: Backend, resource: Resource): Promise<{ readonly remaining: number }> {
  const { objects } = backend;
  // A deletion must not wait for the run of `settle` that it is part of.
  const { afterWrite: _afterWrite, ...quiet } = resource;
  const { items } = await objects.store.list(resource.storagePrefix);
  let remaining = 0;
  for (const { key } of items) {
    const path = key.slice(resource.storagePrefix.length);
    const slash = path.indexOf("/");
    const [namespace, name] = slash < 0 ? ["", path] : [path.slice(0, slash), path.slice(slash + 1)];
    if (!(await isDeleted(backend, contextOf(backend, quiet, namespace), name))) remaining++;
  }
  return { remaining };
}

/** Deletes an object; returns false if it stays because of its finalizers, or because it cannot be converted. */
async function isDeleted(backend: Backend, context: RequestContext, name: string): Promise<boolean> {
  try {
    const deletion = await deleteNamed(backend, context, name, {}, { isAdmitted: false });
    return deletion === undefined || deletion.isGone;
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 500) return false;
    throw error;
  }
}

/** A request context of the administrator. */
function contextOf({ runtime }: Backend, resource: Resource, namespace: string): RequestContext {
  const { group, version, plural } = resource.kind;
  const path = `/apis/${group}/${version}/${namespace === "" ? "" : `namespaces/${namespace}/`}${plural}`;
  return {
    request: { method: "DELETE", path, headers: {} },
    info: requestInfo("DELETE", path),
    query: parseQuery(""),
    user: adminUser,
    resource,
    now: runtime.clock.now(),
    warnings: new Warnings(),
    annotations: new AuditAnnotations(),
  };
}
