/** client-go's `UndeltaStore`: a store that passes on its whole content after every change. */
import { newStore } from "./indexer.ts";
import type { KeyFunc } from "./key-func.ts";
import type { Store } from "./store.ts";

/** Returns a store that calls `pushFunc` with all its objects after each change. */
export function newUndeltaStore<T>(pushFunc: (objects: readonly T[]) => void, keyFunc: KeyFunc<T>): Store<T> {
  const store = newStore(keyFunc);
  const pushed = (change: () => void): void => {
    change();
    pushFunc(store.list());
  };
  return {
    ...store,
    add: (object) => pushed(() => store.add(object)),
    update: (object) => pushed(() => store.update(object)),
    delete: (object) => pushed(() => store.delete(object)),
    replace: (list, resourceVersion) => pushed(() => store.replace(list, resourceVersion)),
  };
}
