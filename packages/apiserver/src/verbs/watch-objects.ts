/**
 * GET of a collection with `watch`: the current objects on request, then every change. Each watcher reads the store's log at its
 * own pace, so neither watchers nor writers wait for each other; a watcher that falls behind a compaction gets a 410 and ends.
 */
import { defaultListOptions, isInterrupted, newResourceExpired, parseListOptions, validateListOptions } from "@drover/machinery";
import type { ListOptions } from "@drover/machinery";
import { isFeed } from "../feed/feed.ts";
import { PulledFeed } from "../feed/pulled-feed.ts";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { ObjectViews } from "../registry/object-views.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { CompactedError } from "../storage/store.ts";
import type { Revision, StoreBatch, StoredPage, StoreWatch } from "../storage/store.ts";
import { untilFresh } from "./freshness.ts";
import { listStored } from "./list-objects.ts";
import { namespaceOf } from "./names.ts";
import { onlyNamed, readSelectors, selectionOf } from "../registry/selection.ts";
import type { Selection } from "../registry/selection.ts";
import { readVersion } from "./resource-version.ts";
import { errorFrame } from "../registry/watch-frames.ts";
import type { WatchFrame, WatchFrames } from "../registry/watch-frames.ts";
import { WatchLines } from "./watch-lines.ts";
import type { WatchSource } from "./watch-lines.ts";
import { watchSignal } from "./watch-signal.ts";
import type { WatchSignal } from "./watch-signal.ts";
import { parseOptions, refuseInvalidOptions } from "./write-options.ts";

export async function watchObjects(backend: Backend, context: RequestContext): Promise<Answer> {
  const { resource, query, info } = context;
  const options = defaultListOptions({ ...parseOptions(query, parseListOptions), watch: true });
  const selectors = readSelectors(options);
  refuseInvalidOptions("ListOptions", validateListOptions(options));
  // Only the deprecated watch paths name an object.
  const selection = onlyNamed(selectionOf(resource, selectors), info.parts[1] ?? "");
  const from = (options.resourceVersion ?? "") === "" ? 0n : readVersion(options.resourceVersion ?? "");
  // A watch without a version starts now, however late its first line is read.
  const { store } = backend.objects;
  const now = (options.resourceVersion ?? "") === "" ? await store.revision() : (store.cached?.() ?? (await store.revision()));
  return { kind: "watch", resource, lines: (print) => lines(backend, context, { options, selection, asked: from, now, print }) };
}

/** What to watch, from which revision, and how to print it. */
interface Asked<T> {
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly asked: bigint;
  readonly now: Revision;
  readonly print: (frame: WatchFrame) => T;
}

function lines<T>(backend: Backend, context: RequestContext, asked: Asked<T>): WatchLines<T> {
  let watch: WatchSignal | undefined;
  return new WatchLines({
    print: asked.print,
    begin: () => {
      watch = watchSignal(backend, context, asked.options);
      return begin(backend, context, asked, watch);
    },
    lastFrame: (error) => {
      if (isInterrupted(error) || watch?.signal.aborted === true) return undefined;
      if (error instanceof CompactedError)
        return errorFrame(newResourceExpired(`too old resource version: ${error.asked - 1} (${error.compacted})`));
      if (error instanceof StatusError) return errorFrame(error.status);
      throw error;
    },
    release: () => watch?.release(),
  });
}

async function begin(
  backend: Backend,
  context: RequestContext,
  { options, selection, asked, now }: Asked<unknown>,
  watch: WatchSignal,
): Promise<WatchSource> {
  let initial: Iterable<WatchFrame> = [];
  let revision = now;
  const allowsBookmarks = options.allowWatchBookmarks === true;
  if (options.sendInitialEvents === true) {
    if (asked > 0n) await untilFresh(backend, context, asked);
    const list = await listStored(backend, context, {}, selection);
    ({ revision } = list);
    initial = initialFrames(backend.objects.frames(context.resource), list, { endsWithBookmark: allowsBookmarks });
  } else if (asked > 0n) {
    // A future revision is waited for silently.
    revision = asked > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(asked);
  }
  return { initial, ...follow(backend, context, { selection, since: revision, allowsBookmarks }, watch) };
}

function* initialFrames(
  frames: WatchFrames,
  { items, revision }: Pick<StoredPage, "items" | "revision">,
  { endsWithBookmark }: { readonly endsWithBookmark: boolean },
): Generator<WatchFrame> {
  for (const stored of items) yield frames.added(stored);
  if (endsWithBookmark) yield frames.bookmark(revision, { endsInitialEvents: true });
}

interface Followed {
  readonly selection: Selection;
  readonly since: Revision;
  readonly allowsBookmarks: boolean;
}

/**
 * Follows the store from a revision on and turns batches into frames for this watcher. When the resource is no longer served, the
 * watch ends after the writes until then, such as the deletions of its objects.
 */
function follow(
  { objects }: Backend,
  context: RequestContext,
  { selection, since, allowsBookmarks }: Followed,
  { signal, onBookmarkTime, onRetired }: WatchSignal,
): Omit<WatchSource, "initial"> {
  const { resource } = context;
  const namespace = namespaceOf(context);
  const isSingle = selection.name !== undefined && selection.name !== "" && (namespace !== "" || resource.kind.scope === "Cluster");
  const single = isSingle ? keyOf(resource, namespace, selection.name ?? "") : undefined;
  const source = objects.frames(resource);
  const watch = objects.store.watch(single ?? prefixOf(resource, namespace), { from: since + 1, signal });
  let isBookmarkDue = false;
  if (allowsBookmarks)
    onBookmarkTime(() => {
      isBookmarkDue = true;
      watch.requestProgress();
    });
  let [last, read]: readonly [Revision, Revision] = [Infinity, since];
  onRetired(() => {
    const endAt = (revision: Revision): void => {
      last = revision;
      watch.requestProgress();
    };
    objects.store.revision().then(endAt, () => endAt(read));
  });
  const seesAll = single === undefined && selection.isEverything;
  const framesOf = (batch: StoreBatch): readonly WatchFrame[] => {
    const { events, revision } = batch;
    if (seesAll && !isBookmarkDue && revision <= last) {
      read = revision;
      return source.ofAll(batch, selection);
    }
    const found: WatchFrame[] = [];
    for (const event of events) {
      if (event.revision > last) break;
      const frame = single === undefined || event.key === single ? source.of(event, selection) : undefined;
      if (frame !== undefined) found.push(frame);
    }
    if (isBookmarkDue && revision <= last) found.push(source.bookmark(revision));
    isBookmarkDue = false;
    read = revision;
    return found;
  };
  const isDirect = resource.webhookConversion === undefined && isFeed(watch);
  const batches = isDirect ? watch : new PulledFeed(converted(objects.views(resource), watch));
  return { batches, framesOf, isComplete: () => read >= last };
}

/** Converts the objects of each batch before the watcher gets it. */
async function* converted(views: ObjectViews, watch: StoreWatch): AsyncGenerator<StoreBatch> {
  for await (const batch of watch) {
    await views.ready(batch.events.flatMap(({ current, previous }) => [current ?? [], previous ?? []].flat()));
    yield batch;
  }
}
