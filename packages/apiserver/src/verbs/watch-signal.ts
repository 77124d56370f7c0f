/** How long a watch lasts, and when it is time for a bookmark. */
import type { ListOptions } from "@drover/machinery";
import type { Backend, RequestContext } from "../request/request-context.ts";

export interface WatchSignal {
  /** Aborts when the time is up, the client gone, or the resource served no more. */
  readonly signal: AbortSignal;
  /** Calls back whenever a bookmark is due, until the watch ends. */
  readonly onBookmarkTime: (callback: () => void) => void;
  readonly release: () => void;
}

/** A client that waits for the end of its watch gets a last bookmark so long before it. */
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
