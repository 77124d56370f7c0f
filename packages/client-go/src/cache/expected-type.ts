/** Lets only one kind through: what a reflector or an informer with an `objectType` accepts. */
import type { ListerWatcher } from "@drover/cache";
import type { KubeObject, Log, WatchEvent } from "@drover/machinery";

/** The kind that is expected. */
export interface ExpectedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns a lister-watcher that drops and logs objects of another kind. Objects without a kind, as items of a list come
 * from the server, are of the expected kind and get it written in.
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
    ...(description === undefined ? {} : { description }),
    ...(supportsWatchList === undefined ? {} : { supportsWatchList }),
    list: async (options, call) => {
      const list = await listerWatcher.list(options, call);
      return { ...list, items: list.items.flatMap(accepted) };
    },
    watch: (options, call) => watch(listerWatcher.watch(options, call)),
  };
}
