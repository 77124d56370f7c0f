/** Sources with a defect, which the scripts must find. */
import type { LazyWatchEvent, ObjectVersion, VersionSource } from "@drover/cache";
import type { JsonObject, KubeObject } from "@drover/machinery";

/** Returns a source whose decoder changes objects. */
export function decodingWrong<T extends KubeObject>(
  source: VersionSource<T>,
  change: (object: JsonObject) => JsonObject,
): VersionSource<T> {
  const wrong = (version: ObjectVersion<T>): ObjectVersion<T> =>
    new Proxy(version, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === "object") return change(value as JsonObject);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  return changed(source, (event) => ("version" in event ? { ...event, version: wrong(event.version) } : event));
}

/** Returns a source that loses deletions. */
export const losingDeletions = <T extends KubeObject>(source: VersionSource<T>): VersionSource<T> =>
  changed(source, (event) => (event.type === "DELETED" ? undefined : event));

function changed<T extends KubeObject>(
  source: VersionSource<T>,
  change: (event: LazyWatchEvent<T>) => LazyWatchEvent<T> | undefined,
): VersionSource<T> {
  const { description, supportsWatchList, fields } = source;
  return {
    description,
    supportsWatchList,
    fields,
    list: (options, call) => source.list(options, call),
    async *watch(options, call) {
      for await (const batch of source.watch(options, call)) {
        const events = batch.map(change).filter((event) => event !== undefined);
        if (events.length > 0) yield events;
      }
    },
  };
}
