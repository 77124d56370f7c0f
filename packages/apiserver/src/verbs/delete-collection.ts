/** DELETE of a collection: deletes the selected objects one by one, each as a DELETE of its own. */
import { parseListOptions, validateListOptions } from "@drover/machinery";
import type { DeleteOptions } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { readSelectors, selectionOf } from "../registry/selection.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { ListItem } from "../registry/object-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { deleteNamed } from "./delete-object.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { itemBody, listStored } from "./list-objects.ts";
import { parseOptions, refuseInvalidOptions } from "./write-options.ts";

export async function deleteCollection(backend: Backend, context: RequestContext): Promise<Answer> {
  const { resource, query } = context;
  const listOptions = parseOptions(query, parseListOptions);
  const selectors = readSelectors(listOptions);
  refuseInvalidOptions("ListOptions", validateListOptions({ ...listOptions, watch: false }));
  const selection = selectionOf(resource, selectors);
  const options = await readDeleteOptions(backend, context);
  const views = backend.objects.views(resource);
  const { items, metadata } = await listStored(backend, context, listOptions, selection);
  const deleted: ListItem[] = [];
  for (const stored of items) {
    const { name = "", namespace } = metaOf(views.object(stored));
    const deletion = await deleteNamed(backend, inNamespace(context, namespace), name, each(options), { shownName: "" });
    if (deletion !== undefined) deleted.push(itemBody(views, stored));
  }
  return { kind: "list", resource, metadata, items: deleted };
}

/** Each object is deleted in its own namespace, also when the request spans all of them. */
const inNamespace = (context: RequestContext, namespace: string | undefined): RequestContext =>
  namespace === undefined ? context : { ...context, info: { ...context.info, namespace } };

/** Options of the collection apply to each object, except for the resourceVersion, which is that of the list. */
function each({ preconditions, ...options }: DeleteOptions): DeleteOptions {
  const { uid } = preconditions ?? {};
  return uid === undefined ? options : { ...options, preconditions: { uid } };
}
