/**
 * A collection that a test feeds by hand: one list, then whatever events it sends.
 *
 *     const source = handFedSource([podVersion("shop/web", 1)], "1");
 *     source.send({ type: "MODIFIED", version: podVersion("shop/web", 2) });
 */
import { abortable } from "@drover/machinery";
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { LazyWatchEvent, VersionPage, VersionSource } from "../source/version-source.ts";

export interface HandFedSource<T extends KubeObject> extends VersionSource<T> {
  /** The answer to every list from now on. */
  serve(items: readonly ObjectVersion<T>[], resourceVersion: string): void;
  /** Every list fails with this from now on; undefined ends it. */
  refuse(error: unknown): void;
  /** Sends events, as one batch, to the watch that is open. */
  send(...events: readonly LazyWatchEvent<T>[]): void;
  /** Ends the watch that is open with an error. */
  cut(error: Error): void;
  /** The options of every list so far. */
  readonly lists: readonly ListOptions[];
  readonly watches: readonly ListOptions[];
}

/** A source that lists these items until told otherwise and watches until aborted. */
export function handFedSource<T extends KubeObject>(
  items: readonly ObjectVersion<T>[],
  resourceVersion: string,
  description = "pods by hand",
): HandFedSource<T> {
  let page: VersionPage<T> = { items, resourceVersion, continue: undefined, poison: [] };
  let refusal: unknown;
  let waiting: (readonly LazyWatchEvent<T>[] | Error)[] = [];
  let wake = (): void => undefined;
  const lists: ListOptions[] = [];
  const watches: ListOptions[] = [];
  const put = (next: readonly LazyWatchEvent<T>[] | Error): void => {
    waiting.push(next);
    wake();
  };
  return {
    description,
    supportsWatchList: false,
    lists,
    watches,
    serve: (served, version) => {
      page = { items: served, resourceVersion: version, continue: undefined, poison: [] };
    },
    refuse: (error) => {
      refusal = error;
    },
    send: (...events) => put(events),
    cut: (error) => put(error),
    list: (options) => {
      lists.push(options);
      return refusal === undefined ? Promise.resolve(page) : Promise.reject(refusal);
    },
    async *watch(options, { signal }) {
      watches.push(options);
      waiting = [];
      for (;;) {
        const next = waiting.shift();
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else
          await abortable(
            new Promise<void>((resolve) => {
              wake = resolve;
            }),
            signal,
          );
      }
    },
  };
}
