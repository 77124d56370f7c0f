/** GET of a collection: lists objects. */
import {
  amountText,
  countExceeded,
  newRequestEntityTooLarge,
  newResourceExpired,
  parseListOptions,
  validateListOptions,
} from "@drover/machinery";
import type { ListMeta, ListOptions } from "@drover/machinery";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { ObjectViews } from "../registry/object-views.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { ListItem } from "../registry/object-body.ts";
import { listBytes } from "../request/limits.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { CompactedError } from "../storage/store.ts";
import type { Revision, Stored } from "../storage/store.ts";
import { encodeContinue } from "./continue-token.ts";
import { untilFresh } from "./freshness.ts";
import { listMode } from "./list-mode.ts";
import type { ListMode } from "./list-mode.ts";
import { namespaceOf } from "./names.ts";
import { readSelectors, selectionOf } from "../registry/selection.ts";
import type { Selection } from "../registry/selection.ts";
import { parseOptions, refuseInvalidOptions } from "./write-options.ts";

export async function listObjects(backend: Backend, context: RequestContext): Promise<Answer> {
  const { resource, query } = context;
  const options = parseOptions(query, parseListOptions);
  const selectors = readSelectors(options);
  refuseInvalidOptions("ListOptions", validateListOptions({ ...options, watch: false }));
  const selection = selectionOf(resource, selectors);
  const { items, metadata } = await listStored(backend, context, options, selection);
  refuseLongList(backend, items);
  const views = backend.objects.views(resource);
  return { kind: "list", resource, metadata, items: items.map((stored) => itemBody(views, stored)) };
}

function refuseLongList({ limits: { listBytesMax }, runtime: { metrics } }: Backend, items: readonly Stored[]): void {
  let bytes = 0;
  for (const { value } of items) bytes += value.length;
  if (bytes <= listBytesMax) return;
  countExceeded(metrics, listBytes);
  const text = amountText(listBytesMax, "bytes");
  throw new StatusError(newRequestEntityTooLarge(`the list has more than ${text}; read it in pages with limit and continue`));
}

export const itemBody = (views: ObjectViews, stored: Stored): ListItem => ({
  text: () => views.text(stored),
  itemText: () => views.itemText(stored),
  object: () => views.object(stored),
  message: () => views.message(stored),
});

export interface StoredList {
  readonly items: readonly Stored[];
  readonly metadata: ListMeta;
  readonly revision: Revision;
}

/** Returns the selected objects at the requested revision. Throws a 400, 410 or 504. */
export async function listStored(
  backend: Backend,
  context: RequestContext,
  options: ListOptions,
  selection: Selection,
): Promise<StoredList> {
  const mode = listMode(options);
  const limit = limitOf(context, options);
  const cached = mode.kind === "not-older-than" ? await untilFresh(backend, context, mode.revision) : undefined;
  if (mode.kind === "exact") await untilFresh(backend, context, mode.revision, { retryAfterSeconds: 0 });
  try {
    return await readPages(backend, context, { mode, limit, cached }, selection);
  } catch (error) {
    if (error instanceof CompactedError) throw expired(mode, error);
    throw error;
  }
}

/**
 * Returns the page size. resourceVersion "0" returns the whole list, as from kube-apiserver's watch cache; only Events, which it
 * does not cache, are still paged.
 */
function limitOf({ resource: { rules } }: RequestContext, { limit = 0, resourceVersion, continue: token = "" }: ListOptions): number {
  return limit <= 0 || (resourceVersion === "0" && token === "" && rules.ttlMs === undefined) ? Infinity : limit;
}

async function readPages(
  { objects }: Backend,
  context: RequestContext,
  { mode, limit, cached }: { readonly mode: ListMode; readonly limit: number; readonly cached: Revision | undefined },
  selection: Selection,
): Promise<StoredList> {
  const { resource } = context;
  const views = objects.views(resource);
  const prefix = prefixOf(resource, namespaceOf(context));
  const single = singleKey(context, selection);
  const found: Stored[] = [];
  let after = mode.kind === "not-older-than" || mode.after === undefined ? undefined : prefix + mode.after;
  let revision = mode.kind === "exact" ? Number(mode.revision) : cached;
  for (;;) {
    const page = await objects.store.list(single ?? prefix, {
      ...(revision === undefined ? {} : { revision }),
      ...(after === undefined ? {} : { after }),
      ...(limit === Infinity ? {} : { limit: limit - found.length }),
    });
    revision ??= page.revision;
    const converted = views.ready(page.items);
    if (converted !== undefined) await converted;
    for (const stored of page.items)
      if ((single === undefined || stored.key === single) && selection.matchesStored(views, stored)) found.push(stored);
    const last = page.items.at(-1);
    if (last !== undefined) after = last.key;
    if (page.remaining === 0 || last === undefined) return { items: found, revision, metadata: { resourceVersion: String(revision) } };
    if (found.length < limit) continue;
    const token = encodeContinue({ revision, after: last.key.slice(prefix.length) });
    return {
      items: found,
      revision,
      metadata: {
        resourceVersion: String(revision),
        continue: token,
        ...(selection.isEverything ? { remainingItemCount: page.remaining } : {}),
      },
    };
  }
}

/** Returns the only key the list can contain, when a field selector names the object. */
function singleKey(context: RequestContext, { name }: Selection): string | undefined {
  const { resource } = context;
  const namespace = namespaceOf(context);
  if (name === undefined || name === "" || (namespace === "" && resource.kind.scope === "Namespaced")) return undefined;
  return keyOf(resource, namespace, name);
}

/** The 410 of a compacted revision. A paged list gets a token that continues at the latest revision. */
function expired(mode: ListMode, _error: CompactedError): StatusError {
  if (mode.kind !== "exact" || mode.after === undefined)
    return new StatusError(newResourceExpired("The resourceVersion for the provided list is too old."));
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  const status = newResourceExpired(message);
  return new StatusError({ ...status, metadata: { continue: encodeContinue({ revision: -1, after: mode.after }) } });
}
