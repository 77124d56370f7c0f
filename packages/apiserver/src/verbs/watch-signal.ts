/** The end of a watch, and when its bookmarks are due. */
import type { ListOptions } from "@drover/machinery";
import type { Backend, RequestContext } from "../request/request-context.ts";

export interface WatchSignal {
  /** Aborts when the watch times out, the client disconnects, or the resource is no longer served. */
  readonly signal: AbortSignal;
  /** Calls back whenever a bookmark is due, until the watch ends. */
  readonly onBookmarkTime: (callback: () => void) => void;
  readonly release: () => void;
}

/** A watch with bookmarks gets a last one this long before its timeout. */
const lastBookmarkMs = 2000;

export function watchSignal(
  { runtime: { clock, random }, registry, limits }: Backend,
  { request, resource }: RequestContext,
  { timeoutSeconds }: ListOptions,
): WatchSignal {
  const controller = new AbortController();
  const timeoutMs =
    timeoutSeconds !== undefined && timeoutSeconds > 0 ? timeoutSeconds * 1000 : limits.watchTimeoutMs * (1 + random.next());
  const timers = new Set<() => void>();
  const release = (): void => {
    request.signal?.removeEventListener("abort", end);
    forget();
    for (const cancel of timers) cancel();
  };
  const end = (): void => {
    release();
    controller.abort(new DOMException("the watch is over", "AbortError"));
  };
  const forget = registry.onRetired(resource, end);
  request.signal?.addEventListener("abort", end, { once: true });
  if (request.signal?.aborted === true) end();
  const after = (delayMs: number, callback: () => void): void => {
    const cancel = clock.timer(delayMs, () => {
      timers.delete(cancel);
      callback();
    });
    timers.add(cancel);
  };
  after(timeoutMs, end);
  const onBookmarkTime = (callback: () => void): void => {
    const again = (): void =>
      after(limits.bookmarkPeriodMs, () => {
        again();
        callback();
      });
    again();
    if (timeoutMs > lastBookmarkMs) after(timeoutMs - lastBookmarkMs, callback);
  };
  return { signal: controller.signal, onBookmarkTime, release };
}
