/**
 * Lists in pages from any source.
 *
 *     PageSource → listPages (page by page), listItems (object by object), listAll (one list)
 *
 * A page has a token for the next one, which expires after some minutes; `whenExpired` decides what happens then.
 */
import { definedOnly, fillItemKinds, findApiError, isExpired, isList } from "@drover/machinery";
import type { Int64, KubeList, KubeObject, ListOptions } from "@drover/machinery";

/** Fetches one page. Rejects with an `ApiError` if the server refuses. */
export type PageSource<T> = (options: ListOptions, call: { readonly signal?: AbortSignal }) => Promise<KubeList<T>>;

/** How to split a list into pages. */
export interface PagerOptions {
  /** Maximum items per page if the list options have no `limit`; 0 requests everything at once. @default 500 */
  readonly pageSize?: number;
  /**
   * What to do when the token of a later page has expired (410). "full-list": request everything once, not in pages, with
   * the version of the first request; this cannot expire. As client-go does. "inconsistent": continue after the last item
   * with the token that the server offers; if that has expired too, fail. Later pages are then newer than earlier ones,
   * which is fine to walk over objects, but not to fill a cache. "throw": fail. An expired first page always throws.
   * @default "full-list"
   */
  readonly whenExpired?: "full-list" | "inconsistent" | "throw";
  /** Cancels the current page and those that follow; rejects with its reason. @default none */
  readonly signal?: AbortSignal;
}

/** One page. */
export interface ListPage<T> {
  /** The list as received; its items have `apiVersion` and `kind`. */
  readonly list: KubeList<T>;
  readonly items: readonly T[];
  /** Number of items after this page: the server's estimate, absent with selectors and on the last page. */
  readonly remainingItemCount: Int64 | undefined;
  /**
   * Discard the earlier pages: the list starts again with this one, complete unless it has a `continue`. Only with
   * "full-list", at most once.
   */
  readonly isRestart: boolean;
}

/**
 * Yields the pages of a list. Fetches the next page on demand; leaving the loop stops fetching. Throws what the source
 * throws, and a `TypeError` if it returns no list.
 */
export async function* listPages<T = KubeObject>(
  source: PageSource<T>,
  options: ListOptions = {},
  pager: PagerOptions = {},
): AsyncGenerator<ListPage<T>, void, undefined> {
  const { pageSize = 500, whenExpired = "full-list", signal } = pager;
  const first: ListOptions = { ...options, limit: options.limit || pageSize };
  let next: ListOptions | undefined = first;
  let isRestart = false;
  let hasRestarted = false;
  let isResumed = false;
  while (next !== undefined) {
    signal?.throwIfAborted();
    const asked: ListOptions = next;
    let page: ListPage<T>;
    try {
      page = pageOf(await source(asked, definedOnly({ signal })), isRestart);
    } catch (error) {
      // Only once: a server that always pages, or whose fresh tokens have already expired, must not cause an endless loop.
      next = afterExpiry(error, asked, options, hasRestarted || isResumed ? "throw" : whenExpired);
      isRestart = next.continue === undefined;
      hasRestarted ||= isRestart;
      isResumed = !isRestart;
      continue;
    }
    yield page;
    isRestart = false;
    isResumed = false;
    next = followed(asked, page.list.metadata.continue);
  }
}

/**
 * Yields the items of a list, each once: after a restart it skips those already yielded, by uid. An object that changes
 * during the list appears in one of its states.
 */
export async function* listItems<T extends KubeObject = KubeObject>(
  source: PageSource<T>,
  options: ListOptions = {},
  pager: PagerOptions = {},
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  for await (const { items, isRestart, list } of listPages(source, options, pager)) {
    // Only a list with further pages can restart.
    const remembers = Boolean(list.metadata.continue) && (pager.whenExpired ?? "full-list") === "full-list";
    for (const item of items) {
      const identity = item.metadata.uid ?? `${item.metadata.namespace ?? ""}/${item.metadata.name ?? ""}`;
      if (isRestart && seen.has(identity)) continue;
      if (remembers) seen.add(identity);
      yield item;
    }
  }
}

/**
 * Fetches the whole list in pages. Its `resourceVersion` is that of the first page, so a watch from there misses nothing;
 * `continue` is absent.
 */
export async function listAll<T = KubeObject>(
  source: PageSource<T>,
  options: ListOptions = {},
  pager: PagerOptions = {},
): Promise<KubeList<T>> {
  let first: KubeList<T> | undefined;
  let items: T[] = [];
  for await (const page of listPages(source, options, pager)) {
    if (page.isRestart) {
      first = undefined;
      items = [];
    }
    if (first === undefined && !page.list.metadata.continue) return page.list;
    first ??= page.list;
    items = items.length === 0 ? [...page.items] : appended(items, page.items);
  }
  const { continue: _token, remainingItemCount: _count, ...metadata } = first?.metadata ?? {};
  return { ...first, metadata, items };
}

function appended<T>(items: T[], more: readonly T[]): T[] {
  for (const item of more) items.push(item);
  return items;
}

function pageOf<T>(answer: KubeList<T>, isRestart: boolean): ListPage<T> {
  // Some servers write `null` instead of no items.
  const whole: unknown = (answer as { readonly items?: unknown } | undefined)?.items === null ? { ...answer, items: [] } : answer;
  if (!isList(whole)) throw new TypeError("returned object must be a list: object does not implement the List interfaces");
  const list = fillItemKinds({ ...whole, metadata: whole.metadata ?? {} } as KubeList) as KubeList<T>;
  return { list, items: list.items, remainingItemCount: list.metadata.remainingItemCount, isRestart };
}

/** Returns the options for the next page. The token contains the version, and the server rejects a request that has both. */
function followed(asked: ListOptions, token: string | undefined): ListOptions | undefined {
  if (token === undefined || token === "") return undefined;
  if (token === asked.continue) throw new Error("the server sent the same continue token twice; the list would never end");
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = asked;
  return { ...rest, continue: token };
}

function afterExpiry(
  error: unknown,
  asked: ListOptions,
  options: ListOptions,
  whenExpired: "full-list" | "inconsistent" | "throw",
): ListOptions {
  const isLater = asked.continue !== undefined && asked.continue !== options.continue;
  const token = findApiError(error)?.status.metadata.continue ?? "";
  if (!isLater || whenExpired === "throw" || !isExpired(error) || (whenExpired === "inconsistent" && token === "")) throw error;
  if (whenExpired === "inconsistent") return { ...asked, continue: token };
  const { limit: _limit, continue: _token, ...whole } = options;
  return whole;
}
