/** Compares the name and namespace of an object with those of the request. */
import { newBadRequest } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";

/** The namespace that the request's objects are in; "" for cluster-scoped kinds. */
export const namespaceOf = ({ info, resource }: RequestContext): string => (resource.kind.scope === "Cluster" ? "" : info.namespace);

/** Sets the object's namespace to that of the request. Throws a 400 when the object names another. */
export function settleNamespace(context: RequestContext, object: JsonObject): void {
  const meta = metaOf(object);
  const wanted = namespaceOf(context);
  const { namespace = "" } = meta;
  if (wanted === "") delete meta.namespace;
  else if (namespace === "" || namespace === wanted) meta.namespace = wanted;
  else throw new StatusError(newBadRequest("the namespace of the provided object does not match the namespace sent on the request"));
}

/** Checks that the object to update has the name in the path. Throws a 400. */
export function checkName({ info }: RequestContext, object: JsonObject): void {
  const { name = "" } = metaOf(object);
  if (name === "")
    throw new StatusError(newBadRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`));
  if (name !== info.name)
    throw new StatusError(newBadRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`));
}
