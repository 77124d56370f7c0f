/**
 * Which caches a reconcile may look into, so that a run can wait until they show what runs before it wrote.
 *
 *     kind source: informers.acquire(kind, request) → watchedKinds.add(kind, informer, request) … remove()
 *     controller: a confirmed write → isCaughtUp, caughtUp
 */
import type { InformerRequest } from "../informer/informer-factory.ts";
import type { InformerView } from "../informer/informer.ts";
import type { OwnWritesReader, OwnWritesReaderOptions, ReadYourWrites } from "../own-writes/read-your-writes.ts";
import { allNamespaces, labelSelectorText } from "@drover/client";
import { everything, parseSelector, printGroupResource, splitObjectKey } from "@drover/machinery";
import type { GroupResource, Kind, KubeObject, ObjectKey } from "@drover/machinery";

/** One object that was written. */
export interface WrittenObject extends GroupResource {
  readonly key: ObjectKey;
}

export interface WatchedKinds {
  /**
   * A source reads this kind from this informer; `request` is what the informer was acquired with. Returns what takes
   * it back: call it before
   * the informer is released.
   *
   * What an informer with a field selector or tweaked list options shows cannot be told beforehand, so nobody waits for it.
   */
  add<T extends KubeObject>(kind: Kind<T>, informer: InformerView<T>, request?: InformerRequest<T>): () => void;
  /** Whether any cache of this resource is watched: writes to others need not be remembered. */
  has(resource: GroupResource): boolean;
  /** Whether every watched cache shows our last write to this object, or its time was up. */
  isCaughtUp(written: WrittenObject): boolean;
  /** Resolves when they do; rejects only with the signal's reason, if there is a signal. */
  caughtUp(written: WrittenObject, call?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Without any kind yet. */
export function createWatchedKinds(readYourWrites: ReadYourWrites): WatchedKinds {
  // One for each informer, however many sources look into it.
  const readers = new Map<string, Map<object, SharedReader>>();
  const readersOf = (resource: GroupResource): Iterable<SharedReader> => readers.get(printGroupResource(resource))?.values() ?? none;
  return {
    add: <T extends KubeObject>(kind: Kind<T>, informer: InformerView<T>, request: InformerRequest<T> = {}) => {
      if (request.fieldSelector !== undefined || request.tweakListOptions !== undefined) return () => undefined;
      const name = printGroupResource({ group: kind.group, resource: kind.plural });
      const ofKind = readers.get(name) ?? new Map<object, SharedReader>();
      readers.set(name, ofKind);
      const { origin = informer } = informer;
      const shared = ofKind.get(origin) ?? { reader: readYourWrites.reader(kind, origin, { shows: shownBy(origin, request) }), uses: 0 };
      ofKind.set(origin, shared);
      shared.uses++;
      return () => {
        if (--shared.uses > 0) return;
        shared.reader.close();
        ofKind.delete(origin);
        if (ofKind.size === 0 && readers.get(name) === ofKind) readers.delete(name);
      };
    },
    has: (resource) => readers.has(printGroupResource(resource)),
    isCaughtUp: (written) => {
      for (const { reader } of readersOf(written)) if (!reader.isCaughtUp(written.key)) return false;
      return true;
    },
    caughtUp: async (written, call) => {
      // One after the other: a signal is no place for as many listeners as there are informers.
      const waited = Array.from(readersOf(written), ({ reader }) => reader);
      for (const reader of waited) await reader.caughtUp(written.key, call);
    },
  };
}

interface SharedReader {
  readonly reader: OwnWritesReader<KubeObject>;
  uses: number;
}

const none: readonly SharedReader[] = [];

/** Which writes an informer of this request will show. */
function shownBy<T extends KubeObject>(
  informer: InformerView<T>,
  { namespace, labelSelector }: InformerRequest<T>,
): NonNullable<OwnWritesReaderOptions["shows"]> {
  const namespaces = new Set([namespace ?? allNamespaces].flat());
  const isEverywhere = namespaces.has(allNamespaces) || namespaces.has("");
  const selector = labelSelector === undefined ? everything : parseSelector(labelSelectorText(labelSelector));
  return (write) => {
    const { key, uid } = write;
    if (!isEverywhere && !namespaces.has(splitObjectKey(key).namespace)) return false;
    if (selector.isEverything) return true;
    // Of a status, a scale or an end the answer has no labels: then it counts whether the object was selected before.
    const { labels } = write;
    return labels === undefined ? informer.getVersion(key)?.uid === uid : selector.matches(labels);
  };
}
