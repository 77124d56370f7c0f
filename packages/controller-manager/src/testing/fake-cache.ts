/** A cache with these objects in it, and the index of owners. */
import { objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey, Selector } from "@drover/machinery";
import { ownerIndex, ownerIndexers } from "@drover/patterns";

export interface FakeCache<T extends KubeObject> {
  readonly get: (key: ObjectKey) => DeepReadonly<T> | undefined;
  readonly byIndex: (index: string, value: string) => DeepReadonly<T>[];
  readonly listIndexValues: (index: string) => string[];
  readonly list: (filter?: { readonly labelSelector?: unknown }) => DeepReadonly<T>[];
}

export function fakeCache<T extends KubeObject>(...objects: readonly DeepReadonly<T>[]): FakeCache<T> {
  const values = (object: DeepReadonly<T>): readonly string[] => ownerIndexers[ownerIndex]?.({ object }) ?? [];
  return {
    get: (key) => objects.find((object) => objectKeyOf(object) === key),
    byIndex: (_index, value) => objects.filter((object) => values(object).includes(value)),
    listIndexValues: () => [...new Set(objects.flatMap(values))],
    list: ({ labelSelector } = {}) =>
      objects.filter(({ metadata }) => labelSelector === undefined || (labelSelector as Selector).matches(metadata.labels)),
  };
}
