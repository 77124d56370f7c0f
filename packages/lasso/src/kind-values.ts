/** Settings per kind: `[[Pod, 50], [ConfigMap, 2]]`. Lasso uses a map; here kinds are objects, so these are pairs. */
import { printGroupVersionKind } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";

/** One value per kind; a `Kind` descriptor can be used as key. */
export type KindValues<V> = Iterable<readonly [kind: GroupVersionKind, value: V]>;

/** Returns a lookup by kind. Throws a TypeError if a kind occurs twice. */
export function valueByKind<V>(option: string, values: KindValues<V> = []): (kind: GroupVersionKind) => V | undefined {
  const table = new Map<string, V>();
  for (const [kind, value] of values) {
    const name = printGroupVersionKind(kind);
    if (table.has(name)) throw new TypeError(`${option} names ${name} twice; remove one of the two`);
    table.set(name, value);
  }
  return (kind) => table.get(printGroupVersionKind(kind));
}
