/** Lets a reflector fill a classic store or queue. Objects are read when they come, because these stores hold objects and not versions. */
import type { KubeObject, Log } from "@drover/machinery";
import type { ObjectVersion } from "../object-version.ts";
import type { ReflectorSink } from "../reflector-sink.ts";
import type { Store } from "./store.ts";

/** The kind a reflector expects; anything else the server sends is passed over and logged. */
export interface ExpectedType {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface StoreSinkOptions<T> {
  readonly store: Pick<Store<T, unknown>, "add" | "update" | "delete" | "replace">;
  readonly log: Log;
  /** @default anything is taken */
  readonly expectedType?: ExpectedType;
}

/** A store as a sink. What the store throws is logged with the key, and the others go on. */
export function storeSink<T extends KubeObject>({ store, log, expectedType }: StoreSinkOptions<T>): ReflectorSink<T> {
  const isExpected = ({ key, object }: ObjectVersion<T>): boolean => {
    const { apiVersion, kind } = object;
    if (expectedType === undefined || (apiVersion === expectedType.apiVersion && kind === expectedType.kind)) return true;
    log.error("the server sent another kind than was asked for; it is passed over", {
      key,
      expected: `${expectedType.apiVersion} ${expectedType.kind}`,
      got: `${apiVersion} ${kind}`,
    });
    return false;
  };
  const tell = (version: ObjectVersion<T>, change: (object: T) => void): void => {
    try {
      if (isExpected(version)) change(version.object as T);
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
