/** Drops objects of an unexpected kind, for reflectors and informers with an `objectType`. */
import type { ListerWatcher } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import type { KubeObject, Log, WatchEvent } from "@drover/machinery";

/** An expected kind. */
export interface ExpectedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns a lister-watcher that drops and logs objects of another kind. Objects without a kind, such as list items, count as the
 * expected kind and get its `apiVersion` and `kind`.
 */
export function expectType<T extends KubeObject>(listerWatcher: ListerWatcher<T>, expected: ExpectedType, log: Log): ListerWatcher<T> {
  const accepted = (object: T): readonly T[] => {
    const { apiVersion = "", kind = "" } = object;
    if (apiVersion === "" && kind === "") return [{ ...expected, ...object, apiVersion: expected.apiVersion, kind: expected.kind }];
    if (apiVersion === expected.apiVersion && kind === expected.kind) return [object];
    log.error("dropped an object of an unexpected kind", {
      name: object.metadata?.name,
      namespace: object.metadata?.namespace,
      expected: `${expected.apiVersion} ${expected.kind}`,
      got: `${apiVersion} ${kind}`,
    });
    return [];
  };
  async function* watch(events: AsyncIterable<WatchEvent<T>>): AsyncGenerator<WatchEvent<T>, void, undefined> {
    for await (const event of events) {
      if (event.type === "BOOKMARK" || event.type === "ERROR") yield event;
      else for (const object of accepted(event.object)) yield { ...event, object };
    }
  }
  const { description, supportsWatchList } = listerWatcher;
  return {
    ...definedOnly({ description, supportsWatchList }),
    list: async (options, call) => {
      const list = await listerWatcher.list(options, call);
      return { ...list, items: list.items.flatMap(accepted) };
    },
    watch: (options, call) => watch(listerWatcher.watch(options, call)),
  };
}
