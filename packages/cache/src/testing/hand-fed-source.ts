/**
 * A collection that a test controls: one list, then the events that the test sends.
 *
 *     const source = handFedSource([podVersion("shop/web", 1)], "1");
 *     source.send({ type: "MODIFIED", version: podVersion("shop/web", 2) });
 */
import { abortable } from "@drover/machinery";
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { LazyWatchEvent, VersionPage, VersionSource } from "../source/version-source.ts";

export interface HandFedSource<T extends KubeObject> extends VersionSource<T> {
  /** Sets the response to every further list. */
  serve(items: readonly ObjectVersion<T>[], resourceVersion: string): void;
  /** Makes every further list fail with this error; undefined ends it. */
  refuse(error: unknown): void;
  /** Sends events, as one batch, to the open watch. */
  send(...events: readonly LazyWatchEvent<T>[]): void;
  /** Ends the open watch with an error. */
  cut(error: Error): void;
  /** Options of all lists so far. */
  readonly lists: readonly ListOptions[];
  readonly watches: readonly ListOptions[];
}

/** Returns a source that lists these items, until the test changes them, and watches until aborted. */
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
