/**
 * Access to objects whose keys come from users. `__proto__`, `constructor` and `toString` are valid keys of labels and ConfigMap
 * data, so `object[key]` may read inherited members, and assigning to `__proto__` replaces the prototype.
 */

/** Returns the value of an own key, never an inherited one. */
export function getOwn<V>(object: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key, whatever its name. */
export function setOwn<V>(object: Record<string, V>, key: string, value: V): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
