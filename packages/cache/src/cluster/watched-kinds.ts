/**
 * The caches that reconciles read, so that a run can wait until they have observed the writes of earlier runs.
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

/** A written object. */
export interface WrittenObject extends GroupResource {
  readonly key: ObjectKey;
}

/** The caches that reconciles read. */
export interface WatchedKinds {
  /**
   * Registers an informer that a source reads; `request` is the request with which it was acquired. Returns a function that
   * unregisters it: call it before the informer is released.
   *
   * Runs do not wait for informers with a field selector or tweaked list options, because it is unknown which writes they will observe.
   */
  add<T extends KubeObject>(kind: Kind<T>, informer: InformerView<T>, request?: InformerRequest<T>): () => void;
  /** Reports whether a cache of this resource is registered; otherwise its writes need not be remembered. */
  has(resource: GroupResource): boolean;
  /** Reports whether every registered cache has observed our last write to this object, or the wait timed out. */
  isCaughtUp(written: WrittenObject): boolean;
  /** Resolves when `isCaughtUp` is true; rejects only with the signal's reason. */
  caughtUp(written: WrittenObject, call?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Creates an empty registry. */
export function createWatchedKinds(readYourWrites: ReadYourWrites): WatchedKinds {
  // One entry per informer, however many sources read it.
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
      // Sequentially, to avoid one listener per informer on the signal.
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

/** Returns a predicate for the writes that an informer of this request will observe. */
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
    // The response to a status update, a scale or a deletion has no labels; then check whether the object was selected before.
    const { labels } = write;
    return labels === undefined ? informer.getVersion(key)?.uid === uid : selector.matches(labels);
  };
}
