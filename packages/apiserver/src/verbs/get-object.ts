/** GET of one object. */
import { newBadRequest, newNotFound, parseGetOptions } from "@drover/machinery";
import { keyOf } from "../registry/object-store.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import type { Stored } from "../storage/store.ts";
import { untilFresh } from "./freshness.ts";
import { namespaceOf } from "./names.ts";
import { objectAnswer } from "./object-answer.ts";
import { readVersion } from "./resource-version.ts";

export async function getObject(backend: Backend, context: RequestContext): Promise<Answer> {
  return objectAnswer(backend, context.resource, 200, await getStored(backend, context));
}

/** Returns the object in the path. Throws a 404, and a 504 for a resourceVersion that the store does not reach in time. */
export async function getStored(backend: Backend, context: RequestContext): Promise<Stored> {
  const { resource, info, query } = context;
  const exported = query.get("export")?.[0];
  if (exported !== undefined && exported !== "" && exported !== "0" && exported.toLowerCase() !== "false") {
    throw new StatusError(newBadRequest("the export parameter, deprecated since v1.14, is no longer supported"));
  }
  const { resourceVersion = "" } = parseGetOptions(query);
  const revision = resourceVersion === "" ? undefined : await untilFresh(backend, context, readVersion(resourceVersion));
  const key = keyOf(resource, namespaceOf(context), info.name);
  const { stored } = await backend.objects.store.get(key, revision === undefined ? {} : { revision });
  if (stored === undefined) throw new StatusError(newNotFound({ group: resource.kind.group, resource: resource.kind.plural }, info.name));
  const views = backend.objects.views(resource);
  // Only a read of a version may come from the watch cache of kube-apiserver, which keeps converted objects.
  const converted = resourceVersion === "" ? views.readyAgain(stored) : views.ready([stored]);
  if (converted !== undefined) await converted;
  return stored;
}
