/** Lets a reflector fill a `Store` or a `Queue`. It decodes objects on arrival, because these stores contain objects. */
import type { KubeObject, Log } from "@drover/machinery";
import type { ObjectVersion, ReflectorSink } from "@drover/cache";
import type { Store } from "./store.ts";

export interface StoreSinkOptions<T> {
  readonly store: Pick<Store<T, unknown>, "add" | "update" | "delete" | "replace">;
  readonly log: Log;
}

/** Returns a store as a sink. An error of the store is logged with the key; other objects are still stored. */
export function storeSink<T extends KubeObject>({ store, log }: StoreSinkOptions<T>): ReflectorSink<T> {
  const tell = (version: ObjectVersion<T>, change: (object: T) => void): void => {
    try {
      change(version.object as T);
    } catch (error) {
      log.error("failed to store object, dropping it", { key: version.key, error });
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
