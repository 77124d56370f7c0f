/**
 * Reading and writing objects whose keys come from users. `__proto__`, `constructor` and `toString` are legal keys of labels and of
 * ConfigMap data, so a plain `object[key]` reads inherited members and a plain assignment to `__proto__` swaps the prototype.
 */

/** The value under a key of the object itself, never an inherited one. */
export function getOwn<V>(object: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key of the object itself, whatever the key is called. */
export function setOwn<V>(object: Record<string, V>, key: string, value: V): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
