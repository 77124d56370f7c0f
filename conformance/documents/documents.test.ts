/**
 * The promises of the specification about caches and queues, and the test that shows each. A row whose test is gone or
 * renamed fails here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Row = readonly [promise: string, file: string, title: string];

const classic = (name: string): string => `packages/client-go/src/cache/${name}.test.ts`;
const cache = (name: string): string => `packages/cache/src/${name}.test.ts`;
const goQueue = (name: string): string => `packages/client-go/src/workqueue/${name}.test.ts`;
const queue = (name: string): string => `packages/workqueue/src/${name}.test.ts`;

const documents: Readonly<Record<string, readonly Row[]>> = {
  "000: stores": [
    [
      "a Store adds, updates, deletes, lists objects and keys, gets by object and by key",
      classic("indexer"),
      "returns an added object in its last updated state until it is deleted",
    ],
    [
      "Replace makes the list the content; Resync of a plain store does nothing",
      classic("indexer"),
      "contains exactly the list after replace, and resync does nothing",
    ],
    [
      "a ThreadSafeStore is never seen half changed",
      classic("indexer"),
      "rejects an object whose index function throws, and changes nothing",
    ],
    [
      "an ExpirationCache checks ages when it is read",
      classic("expiration-cache"),
      "returns an object until it is older than its time to live",
    ],
    [
      "an Indexer finds by Index, IndexKeys, ListIndexFuncValues, ByIndex",
      classic("indexer"),
      "finds objects by index value, with sorted keys",
    ],
    [
      "AddIndexers on a store with objects is defined here: they are indexed at once",
      classic("indexer"),
      "addIndexers indexes existing objects, and rejects a name that is taken",
    ],
  ],
  "000: queues": [
    ["Pop waits until a key comes or the queue is closed", classic("fifo"), "pop waits for an object"],
    ["Pop of a closed queue is an error", classic("fifo"), "close rejects waiting pops, and queued objects can still be popped"],
    [
      "ErrRequeue puts the accumulator back unless something newer is there, and Pop gives its inner error",
      classic("fifo"),
      "requeues on ErrRequeue, unless a newer change is queued",
    ],
    [
      "HasSynced: the first Replace has been popped, or Add, Update or Delete came first",
      classic("fifo"),
      "has synced when the first list was popped, or an object was added before any list",
    ],
    ["a Queue can be used as a Store", classic("delta-fifo"), "lists what is queued, as copies that later changes do not modify"],
    [
      "FIFO: every object exactly once, in its most recent version",
      classic("fifo"),
      "pops each object once, in the order of the first adds, in the newest version",
    ],
    [
      "FIFO: deleted objects are not processed; a key without an item is passed over",
      classic("fifo"),
      "does not pop an object that was deleted meanwhile",
    ],
    [
      "FIFO: Resync leaves every item in line; every method keeps it there, so there is nothing to put back",
      classic("fifo"),
      "resync keeps every listed object in line: each is popped exactly once after any sequence of calls",
    ],
    [
      "DeltaFIFO: everything since the last processing is seen, deletions too, each delta once",
      classic("delta-fifo"),
      "pops all changes of one object in order, and then the next object",
    ],
    [
      "DeltaFIFO: Delete of what is neither known nor queued does nothing",
      classic("delta-fifo"),
      "ignores the deletion of an object that is neither known nor queued",
    ],
    [
      "DeltaFIFO: Replace finds what was deleted unseen by knownObjects, as DeletedFinalStateUnknown",
      classic("delta-fifo"),
      "replace emits a tombstone with the last state for known or queued objects missing from the list",
    ],
    [
      "DeltaFIFO: Resync hands out everything known again as Sync",
      classic("delta-fifo"),
      "resync queues known objects without queued changes as Sync",
    ],
    [
      "DeltaFIFO: of deletions in a row one is kept",
      classic("delta-fifo"),
      "merge two deletions in a row: keep the one with the final state, or the first",
    ],
  ],
  "000: reflector, controller, informers": [
    ["a Reflector lists into its store and then follows the watch", classic("controller"), "keeps the store in sync with the server"],
    ["a Reflector checks the type of what comes", classic("shared-index-informer"), "drops objects of another kind"],
    [
      "a resync period calls the store's Resync; it is local",
      classic("controller"),
      "calls resync of the store every period if shouldResync allows it, and continues after a failure",
    ],
    [
      "a Controller fills its Queue and pops it into Process; HasSynced and LastSyncResourceVersion",
      classic("controller"),
      "fills its queue from the server and processes it until it is stopped",
    ],
    ["RetryOnError puts back what Process failed on", classic("controller"), "requeues a failed object with retryOnError"],
    ["WatchListPageSize is the size of pages", classic("controller"), "requests pages of watchListPageSize"],
    [
      "handlers are called in order, without waiting for each other",
      classic("shared-index-informer"),
      "calls handlers independently, and each with one call at a time",
    ],
    [
      "a handler's resync period is never shorter than it asked for; resync is from the local cache",
      classic("shared-index-informer"),
      "resyncs each handler in its own period, from the cache",
    ],
    [
      "HasSynced is one full list and has nothing to do with resync",
      classic("shared-index-informer"),
      "lists, watches, stores, and notifies every handler in order",
    ],
    [
      "SetWatchErrorHandler before the start; the informer tries again in any case",
      classic("shared-index-informer"),
      "calls the watch error handler after a failure, and retries",
    ],
    [
      "SetTransform changes objects before they are stored",
      classic("shared-index-informer"),
      "transforms objects before it stores and reports them",
    ],
    [
      "the store is updated first, then every handler is told",
      classic("shared-index-informer"),
      "stores the new state before it notifies a handler",
    ],
  ],
  "001: the pipeline": [
    ["the key is namespace/name", classic("key-func"), "returns namespace and name, or the name of cluster-scoped objects"],
    [
      "a ListerWatcher is made of a client; list and watch are both tweaked",
      cache("source/list-watcher"),
      "adds selectors, and applies tweakListOptions last",
    ],
    [
      "one informer is shared by all who want the same",
      cache("informer/informer-factory"),
      "shares one informer between equal requests in any form, and creates another for any difference",
    ],
    [
      "several namespaces can be watched as one",
      cache("informer/informer-factory"),
      "joins several namespaces, and shares each with single-namespace users",
    ],
  ],
  "002: tools/cache": [
    [
      "an Informer is a Controller that distributes to handlers",
      classic("shared-index-informer"),
      "newInformer fills a store and notifies one handler",
    ],
    ["many handlers share one queue", classic("shared-index-informer"), "lists, watches, stores, and notifies every handler in order"],
    [
      "a Delta is verb and payload, Deltas have an oldest and a newest",
      classic("delta-fifo"),
      "oldest and newest return the first and the last delta",
    ],
    ["Deltas have a key", classic("delta-fifo"), "keyOf returns the key of objects, tombstones and deltas, and rejects empty deltas"],
  ],
  "003: a custom controller": [
    [
      "update handlers are also called at a resync, although nothing changed",
      classic("shared-index-informer"),
      "resyncs each handler in its own period, from the cache",
    ],
    [
      "a missed deletion comes as DeletedFinalStateUnknown",
      classic("shared-index-informer"),
      "reports a missed deletion as a tombstone with the last known state",
    ],
    [
      "workers start when the cache has synced",
      classic("shared-index-informer"),
      "waitForCacheSync waits until caches have synced, or until the signal aborts",
    ],
    [
      "… which for a handler means that it has dealt with the first list",
      classic("shared-index-informer"),
      "hasSynced of a registration is true only after its handler has processed the first list",
    ],
    ["events collapse by key", goQueue("classic-queue"), "len counts queued keys once"],
    [
      "never two workers on one key; an add meanwhile gives one more run",
      goQueue("classic-queue"),
      "merges two adds of a running key, hands it out only after done, and does not call touch",
    ],
    [
      "AddRateLimited on failure, Forget clears the history, Done ends the run",
      goQueue("rate-limiting-queue"),
      "runs the sequence of the documents: add, get, failure, retry, forget, done",
    ],
    [
      "the default limiter of controllers",
      queue("default-rate-limiter"),
      "doubles from 5 ms and reaches 1,000 s at the nineteenth failure",
    ],
    ["a number of retries can be set", queue("queue-state"), "stops a key after maxAttempts retries and keeps the reason"],
    ["delayed adds come in their time", goQueue("delaying-queue"), "adds a key when it is due, and not before"],
  ],
  "004: kube-controller-manager": [
    [
      "sharedProcessor and its listeners",
      classic("shared-index-informer"),
      "stops notifying a removed handler, and ignores a second removal and foreign registrations",
    ],
    [
      "listers by name, namespace and label; what is not there is the server's NotFound",
      classic("shared-index-informer"),
      "newGenericLister finds objects by name and label, with and without an index of namespaces",
    ],
    [
      "old and new labels are both known to a handler",
      cache("informer/informer"),
      "lists, notifies, and follows every change; the store is updated before handlers are notified",
    ],
    ["the queue shuts down and drains", goQueue("classic-queue"), "shutDownWithDrain waits until all keys being processed are done"],
  ],
};

const titlesIn = (file: string): readonly string[] =>
  [...readFileSync(join(import.meta.dirname, "..", "..", file), "utf8").matchAll(/\bit(?:\.each)?\("((?:[^"\\]|\\.)*)"/g)].map(
    ([, title = ""]) => title,
  );

describe.each(Object.entries(documents))("document %s", (_document, rows) => {
  it.each(rows)("%s", (_promise, file, title) => {
    expect(titlesIn(file)).toContain(title);
  });
});
