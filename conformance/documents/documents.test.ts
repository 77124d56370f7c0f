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
      "has what was added, in the state of the last update, until it is deleted",
    ],
    [
      "Replace makes the list the content; Resync of a plain store does nothing",
      classic("indexer"),
      "has nothing but the list after it was replaced, and resync does nothing",
    ],
    ["a ThreadSafeStore is never seen half changed", classic("indexer"), "refuses what an index cannot take, and stays as it was"],
    [
      "an ExpirationCache checks ages when it is read",
      classic("expiration-cache"),
      "has an object until it is older than its time to live",
    ],
    [
      "an Indexer finds by Index, IndexKeys, ListIndexFuncValues, ByIndex",
      classic("indexer"),
      "finds objects by what the index says, keys sorted",
    ],
    [
      "AddIndexers on a store with objects is defined here: they are indexed at once",
      classic("indexer"),
      "can be given more indexes when it is full, but none twice",
    ],
  ],
  "000: queues": [
    ["Pop waits until a key comes or the queue is closed", classic("fifo"), "waits until something comes"],
    ["Pop of a closed queue is an error", classic("fifo"), "closes for good: those who wait are told, and what is in it can still be had"],
    [
      "ErrRequeue puts the accumulator back unless something newer is there, and Pop gives its inner error",
      classic("fifo"),
      "puts back what is to be requeued, unless something newer came",
    ],
    [
      "HasSynced: the first Replace has been popped, or Add, Update or Delete came first",
      classic("fifo"),
      "has synced when the first list has been handed out, or something came before any",
    ],
    ["a Queue can be used as a Store", classic("delta-fifo"), "is a store of what waits, and what it shows can be kept"],
    [
      "FIFO: every object exactly once, in its most recent version",
      classic("fifo"),
      "hands out each object once, in the order in which they came first, in the newest version",
    ],
    [
      "FIFO: deleted objects are not processed; a key without an item is passed over",
      classic("fifo"),
      "does not hand out what was deleted meanwhile",
    ],
    [
      "FIFO: Resync puts every item back in line",
      classic("fifo"),
      "FIFO.resync leaves every object its turn: what is listed is handed out exactly once, after any sequence",
    ],
    [
      "DeltaFIFO: everything since the last processing is seen, deletions too, each delta once",
      classic("delta-fifo"),
      "hands out all that happened to one object, in order, and then the next object",
    ],
    [
      "DeltaFIFO: Delete of what is neither known nor queued does nothing",
      classic("delta-fifo"),
      "says nothing of the deletion of what is neither known nor queued",
    ],
    [
      "DeltaFIFO: Replace finds what was deleted unseen by knownObjects, as DeletedFinalStateUnknown",
      classic("delta-fifo"),
      "finds out from a list what was deleted unseen, known or queued, and keeps its last state",
    ],
    [
      "DeltaFIFO: Resync hands out everything known again as Sync",
      classic("delta-fifo"),
      "hands out again at a resync what is known and has nothing queued",
    ],
    [
      "DeltaFIFO: of deletions in a row one is kept",
      classic("delta-fifo"),
      "keep one of two deletions in a row: the one that knows the final state, or the first",
    ],
  ],
  "000: reflector, controller, informers": [
    ["a Reflector lists into its store and then follows the watch", classic("controller"), "keeps the store equal to the server"],
    ["a Reflector checks the type of what comes", classic("shared-index-informer"), "passes over objects of another kind"],
    [
      "a resync period calls the store's Resync; it is local",
      classic("controller"),
      "calls for a resync in its period, when one is wanted, and survives one that fails",
    ],
    [
      "a Controller fills its Queue and pops it into Process; HasSynced and LastSyncResourceVersion",
      classic("controller"),
      "fills its queue from the server and empties it into its function, until it is stopped",
    ],
    ["RetryOnError puts back what Process failed on", classic("controller"), "puts back what could not be processed when asked to"],
    ["WatchListPageSize is the size of pages", classic("controller"), "asks for pages of the size it was told"],
    [
      "handlers are called in order, without waiting for each other",
      classic("shared-index-informer"),
      "lets no handler wait for another, and each have one call at a time",
    ],
    [
      "a handler's resync period is never shorter than it asked for; resync is from the local cache",
      classic("shared-index-informer"),
      "resyncs each handler in its own period, from the cache alone",
    ],
    [
      "HasSynced is one full list and has nothing to do with resync",
      classic("shared-index-informer"),
      "lists, watches, stores, and tells every handler in order",
    ],
    [
      "SetWatchErrorHandler before the start; the informer tries again in any case",
      classic("shared-index-informer"),
      "tells the watch error handler of a failure, and tries again by itself",
    ],
    [
      "SetTransform changes objects before they are stored",
      classic("shared-index-informer"),
      "changes objects before they are stored and told",
    ],
    [
      "the store is updated first, then every handler is told",
      classic("shared-index-informer"),
      "has the new state in its store before it tells a handler",
    ],
  ],
  "001: the pipeline": [
    ["the key is namespace/name", classic("key-func"), "are namespace and name, or the name alone"],
    [
      "a ListerWatcher is made of a client; list and watch are both tweaked",
      cache("source/list-watcher"),
      "adds selectors, and lets tweakListOptions have the last word",
    ],
    [
      "one informer is shared by all who want the same",
      cache("informer/informer-factory"),
      "has one informer for requests that say the same, in whichever form, and another for any difference",
    ],
    [
      "several namespaces can be watched as one",
      cache("informer/informer-factory"),
      "shows several namespaces as one, each shared with whoever asks for it alone",
    ],
  ],
  "002: tools/cache": [
    [
      "an Informer is a Controller that distributes to handlers",
      classic("shared-index-informer"),
      "an informer of one's own keeps a store and tells one handler",
    ],
    ["many handlers share one queue", classic("shared-index-informer"), "lists, watches, stores, and tells every handler in order"],
    [
      "a Delta is verb and payload, Deltas have an oldest and a newest",
      classic("delta-fifo"),
      "know the first and the last thing that happened",
    ],
    ["Deltas have a key", classic("delta-fifo"), "knows the key of objects, tombstones and deltas, and of no empty ones"],
  ],
  "003: a custom controller": [
    [
      "update handlers are also called at a resync, although nothing changed",
      classic("shared-index-informer"),
      "resyncs each handler in its own period, from the cache alone",
    ],
    [
      "a missed deletion comes as DeletedFinalStateUnknown",
      classic("shared-index-informer"),
      "tells a deletion it did not see with the last state it knew",
    ],
    ["workers start when the cache has synced", classic("shared-index-informer"), "one can wait until caches have synced, or give up"],
    [
      "… which for a handler means that it has dealt with the first list",
      classic("shared-index-informer"),
      "has synced for a handler only when that handler has dealt with the first list",
    ],
    ["events collapse by key", goQueue("classic-queue"), "counts queued keys once"],
    [
      "never two workers on one key; an add meanwhile gives one more run",
      goQueue("classic-queue"),
      "makes one of two adds while the key is processed, hands it out only after done, and does not touch it",
    ],
    [
      "AddRateLimited on failure, Forget clears the history, Done ends the run",
      goQueue("rate-limiting-queue"),
      "is the queue of the documents: add, get, fail, try again, forget, done",
    ],
    [
      "the default limiter of controllers",
      queue("default-rate-limiter"),
      "doubles from 5 ms and reaches 1,000 s at the nineteenth failure",
    ],
    ["a number of retries can be set", queue("queue-state"), "ends the retries of a key after so many, and says why"],
    ["delayed adds come in their time", goQueue("delaying-queue"), "adds a key when its time has come, and not before"],
  ],
  "004: kube-controller-manager": [
    [
      "sharedProcessor and its listeners",
      classic("shared-index-informer"),
      "tells a removed handler nothing more; removing again, or a stranger's, does nothing",
    ],
    [
      "listers by name, namespace and label; what is not there is the server's NotFound",
      classic("shared-index-informer"),
      "a lister finds objects by name and label, with and without an index of namespaces",
    ],
    [
      "old and new labels are both known to a handler",
      cache("informer/informer"),
      "lists, tells, and then follows every change; the store is written before a handler is told",
    ],
    ["the queue shuts down and drains", goQueue("classic-queue"), "waits with a drain until all that is processed is done"],
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
