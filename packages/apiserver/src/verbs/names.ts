/** Name and namespace of an object against those of the request. */
import { newBadRequest } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";

/** The namespace objects of the request are in; that of a namespace itself, which is in none, is "". */
export const namespaceOf = ({ info, resource }: RequestContext): string => (resource.kind.scope === "Cluster" ? "" : info.namespace);

/** Puts the object into the namespace of the request. Throws a 400 when it says it is in another. */
export function settleNamespace(context: RequestContext, object: JsonObject): void {
  const meta = metaOf(object);
  const wanted = namespaceOf(context);
  const { namespace = "" } = meta;
  if (wanted === "") delete meta.namespace;
  else if (namespace === "" || namespace === wanted) meta.namespace = wanted;
  else throw new StatusError(newBadRequest("the namespace of the provided object does not match the namespace sent on the request"));
}

/** Checks that an object that is to be updated is the one in the path. Throws a 400. */
export function checkName({ info }: RequestContext, object: JsonObject): void {
  const { name = "" } = metaOf(object);
  if (name === "")
    throw new StatusError(newBadRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`));
  if (name !== info.name)
    throw new StatusError(newBadRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`));
}
