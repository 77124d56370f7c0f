/** Lets a reflector fill a `Store` or a `Queue`. Objects are decoded when they arrive, because these stores hold objects. */
import type { KubeObject, Log } from "@drover/machinery";
import type { ObjectVersion, ReflectorSink } from "@drover/cache";
import type { Store } from "./store.ts";

export interface StoreSinkOptions<T> {
  readonly store: Pick<Store<T, unknown>, "add" | "update" | "delete" | "replace">;
  readonly log: Log;
}

/** A store as a sink. What the store throws is logged with the key, and the others go on. */
export function storeSink<T extends KubeObject>({ store, log }: StoreSinkOptions<T>): ReflectorSink<T> {
  const tell = (version: ObjectVersion<T>, change: (object: T) => void): void => {
    try {
      change(version.object as T);
    } catch (error) {
      log.error("an object could not be stored; it is passed over", { key: version.key, error });
    }
  };
  return {
    replace: (versions, resourceVersion) => {
      const objects: T[] = [];
      for (const version of versions) tell(version, (object) => objects.push(object));
      store.replace(objects, resourceVersion);
    },
    upsert: (version, event) => tell(version, (object) => (event === "ADDED" ? store.add(object) : store.update(object))),
    remove: (version) => tell(version, (object) => store.delete(object)),
    bookmark: () => undefined,
    ready: () => undefined,
  };
}
