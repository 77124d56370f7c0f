/**
 * Lists in pages, whatever fetches them.
 *
 *     PageSource → listPages (page by page), listItems (object by object), listAll (one list)
 *
 * A page says how to get the next one with a token, and tokens expire after some minutes. What happens then is `whenExpired`.
 */
import { fillItemKinds, findApiError, isExpired, isList } from "@drover/machinery";
import type { Int64, KubeList, KubeObject, ListOptions } from "@drover/machinery";

/** Fetches one page. Rejects with an `ApiError` when the server refuses. */
export type PageSource<T> = (options: ListOptions, call: { readonly signal?: AbortSignal }) => Promise<KubeList<T>>;

/** How a list is cut into pages. */
export interface PagerOptions {
  /** How many items a page may have, when the list options have no `limit`; 0 asks for all at once. @default 500 */
  readonly pageSize?: number;
  /**
   * What to do when the token of a later page has expired (410).
   * "full-list": ask once for everything, not in pages, with the version the first page was asked for; this cannot
   * expire. As client-go does.
   * "inconsistent": go on behind the last item with the token the server offers for it; when that has expired too, fail. Later pages are
   * then newer than earlier ones: fit for a walk over objects, not for a cache.
   * "throw": fail.
   * An expired first page is thrown in any case.
   * @default "full-list"
   */
  readonly whenExpired?: "full-list" | "inconsistent" | "throw";
  /** Stops before the next page, and the page that is under way; rejects with its reason. @default none */
  readonly signal?: AbortSignal;
}

/** One page. */
export interface ListPage<T> {
  /** The list as it came; its items have `apiVersion` and `kind`. */
  readonly list: KubeList<T>;
  readonly items: readonly T[];
  /** How many items there are behind this page: the server's estimate, absent with selectors and on the last page. */
  readonly remainingItemCount: Int64 | undefined;
  /**
   * The pages before were for nothing: with this one the list begins anew, whole unless it has a `continue`. Only with
   * "full-list", at most once.
   */
  readonly isRestart: boolean;
}

/**
 * The pages of a list. The next one is fetched when it is asked for; leaving the loop fetches no more.
 * Throws what the source throws, and a `TypeError` when it returns no list.
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
      page = pageOf(await source(asked, signal === undefined ? {} : { signal }), isRestart);
    } catch (error) {
      // Once: a server that pages whatever it is asked for, or whose fresh tokens have expired already, must not send us round in circles.
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
 * The items of a list, one by one, none twice: after a restart those that were handed out are left out, by their uid. An object that
 * changed while the list was read is seen in one of its states.
 */
export async function* listItems<T extends KubeObject = KubeObject>(
  source: PageSource<T>,
  options: ListOptions = {},
  pager: PagerOptions = {},
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  for await (const { items, isRestart, list } of listPages(source, options, pager)) {
    // Only a list that goes on can be restarted.
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
 * The whole list, fetched in pages. Its `resourceVersion` is that of the first page, so that a watch from there misses nothing; there is no
 * `continue`.
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
  // Some servers write `null` for no items.
  const whole: unknown = (answer as { readonly items?: unknown } | undefined)?.items === null ? { ...answer, items: [] } : answer;
  if (!isList(whole)) throw new TypeError("returned object must be a list: object does not implement the List interfaces");
  const list = fillItemKinds({ ...whole, metadata: whole.metadata ?? {} } as KubeList) as KubeList<T>;
  return { list, items: list.items, remainingItemCount: list.metadata.remainingItemCount, isRestart };
}

/** The options of the page behind this one; the token alone says which version is meant, and the server refuses to hear it twice. */
function followed(asked: ListOptions, token: string | undefined): ListOptions | undefined {
  if (token === undefined || token === "") return undefined;
  if (token === asked.continue) throw new Error("the server handed out the same continue token twice; the list would never end");
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
