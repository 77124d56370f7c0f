/** Stores with one bug each, which the histories must find. */
import { describe, expect, it } from "vitest";
import { nodeHost } from "../../http/node-host.ts";
import { CompactedError } from "../../storage/store.ts";
import type { Store, StoreBatch, StoreWatch } from "../../storage/store.ts";
import { checkHistory } from "./check-history.ts";
import { memoryGround } from "./history-ground.ts";
import type { HistoryGround } from "./history-ground.ts";
import { historyPlan } from "./history-plan.ts";
import { HistoryServer } from "./history-server.ts";

/** Each breaks one call in so many. */
const period = 9;
const histories = 40;

type Bug = (store: Store) => Partial<Store>;

/** Every so many calls, true. */
function sometimes(): () => boolean {
  let calls = 0;
  return () => ++calls % period === 0;
}

const isOfHistories = (key: string): boolean => /\/(configmaps|widgets)\//.test(key);

/** Changes the batches of watches of objects in histories. */
const batches = (store: Store, change: (batch: StoreBatch) => StoreBatch): Partial<Store> => ({
  watch: (prefix, options) => {
    const watch = store.watch(prefix, options);
    const changed = async function* (): AsyncGenerator<StoreBatch, void, undefined> {
      for await (const batch of watch) yield batch.events.some(({ key }) => isOfHistories(key)) ? change(batch) : batch;
    };
    const iterator = changed();
    return { [Symbol.asyncIterator]: () => iterator, requestProgress: () => watch.requestProgress() } satisfies StoreWatch;
  },
});

const bugs: Readonly<Record<string, Bug>> = {
  "a stale read": (store) => {
    const isDue = sometimes();
    return {
      get: async (key, options) => {
        const fresh = await store.get(key, options);
        if (!isOfHistories(key) || options?.revision !== undefined || !isDue()) return fresh;
        const older = await store.get(key, { revision: fresh.revision - 1 }).catch((error: unknown) => {
          if (error instanceof CompactedError) return fresh;
          throw error;
        });
        return { ...older, revision: fresh.revision };
      },
    };
  },
  "a write without its condition": (store) => {
    const isDue = sometimes();
    return {
      put: async (key, value, options) => {
        const { stored } = await store.get(key);
        const expected = isOfHistories(key) && stored !== undefined && isDue() ? stored.modRevision : options.expected;
        return await store.put(key, value, { ...options, expected });
      },
    };
  },
  "an acknowledged write that is lost": (store) => {
    const isDue = sometimes();
    return {
      put: async (key, value, options) => {
        const outcome = await store.put(key, value, options);
        if (outcome.written && isOfHistories(key) && isDue()) await store.delete(key, outcome.revision);
        return outcome;
      },
    };
  },
  "a deletion that is only acknowledged": (store) => {
    const isDue = sometimes();
    return {
      delete: async (key, expected) => {
        const { stored, revision } = await store.get(key);
        if (isOfHistories(key) && stored?.modRevision === expected && isDue())
          return { written: true, revision: revision + 1, result: stored };
        return await store.delete(key, expected);
      },
    };
  },
  "a list without its last object": (store) => {
    const isDue = sometimes();
    return {
      list: async (prefix, options) => {
        const page = await store.list(prefix, options);
        return isOfHistories(prefix) && page.items.length > 0 && isDue() ? { ...page, items: page.items.slice(0, -1) } : page;
      },
    };
  },
  "a watch that misses an event": (store) => {
    const isDue = sometimes();
    return batches(store, (batch) => (isDue() ? { ...batch, events: batch.events.slice(1) } : batch));
  },
  "a watch that repeats an event": (store) => {
    const isDue = sometimes();
    return batches(store, (batch) => (isDue() ? { ...batch, events: [...batch.events, ...batch.events.slice(-1)] } : batch));
  },
  "a watch with the events of a batch in the wrong order": (store) =>
    batches(store, (batch) => ({ ...batch, events: batch.events.toReversed() })),
  "a watch with the value before the write": (store) => {
    const isDue = sometimes();
    return batches(store, (batch) =>
      isDue()
        ? { ...batch, events: batch.events.map((event) => ({ ...event, current: event.current && (event.previous ?? event.current) })) }
        : batch,
    );
  },
};

/** Number of histories until a violation; undefined if there is none. */
async function found(bug: Bug): Promise<number | undefined> {
  const server = new HistoryServer(nodeHost, (options): HistoryGround => {
    const ground = memoryGround(options);
    const store: Store = {
      get: (...args) => ground.store.get(...args),
      list: (...args) => ground.store.list(...args),
      put: (...args) => ground.store.put(...args),
      delete: (...args) => ground.store.delete(...args),
      watch: (...args) => ground.store.watch(...args),
      compact: (...args) => ground.store.compact(...args),
      revision: () => ground.store.revision(),
      compacted: () => ground.store.compacted(),
      close: () => ground.store.close(),
      ...bug(ground.store),
    };
    return { ...ground, store };
  });
  for (let seed = 1; seed <= histories; seed++) if (checkHistory(await server.run(historyPlan(seed))).length > 0) return seed;
  return undefined;
}

describe("histories of a store with a bug", () => {
  it.each(Object.entries(bugs))("find %s", { timeout: 120_000 }, async (_name, bug) => {
    expect(await found(bug)).toBeLessThanOrEqual(histories);
  });

  it("find nothing without a bug", { timeout: 120_000 }, async () => {
    expect(await found(() => ({}))).toBeUndefined();
  });
});
