/** Settings that hold for some kinds only: `[[Pod, 50], [ConfigMap, 2]]`. A map of kinds in Lasso; here a kind is an object, so pairs. */
import { printGroupVersionKind } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";

/** One value for each kind it names; a `Kind` is a name too. */
export type KindValues<V> = Iterable<readonly [kind: GroupVersionKind, value: V]>;

/** Looks values up by kind. Throws a TypeError when a kind is named twice, since one of the two could not be honoured. */
export function valueByKind<V>(option: string, values: KindValues<V> = []): (kind: GroupVersionKind) => V | undefined {
  const table = new Map<string, V>();
  for (const [kind, value] of values) {
    const name = printGroupVersionKind(kind);
    if (table.has(name)) throw new TypeError(`${option} names ${name} twice; leave one of them out`);
    table.set(name, value);
  }
  return (kind) => table.get(printGroupVersionKind(kind));
}
