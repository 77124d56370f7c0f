/** The end of a watch, and when its bookmarks are due. */
import type { ListOptions } from "@drover/machinery";
import type { Backend, RequestContext } from "../request/request-context.ts";

export interface WatchSignal {
  /** Aborts when the watch times out or the client disconnects. */
  readonly signal: AbortSignal;
  /** Calls back once when the resource is no longer served; at once if it already is not. */
  readonly onRetired: (callback: () => void) => void;
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
  let forget: () => void = () => undefined;
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
  const onRetired = (callback: () => void): void => {
    const { group, version, plural } = resource.kind;
    if (registry.find({ group, version, resource: plural }) !== resource) callback();
    else if (!controller.signal.aborted) forget = registry.onRetired(resource, callback);
  };
  return { signal: controller.signal, onBookmarkTime, onRetired, release };
}
