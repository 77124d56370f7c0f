/** Fields that are `undefined` are not there: JSON has no other word for it, and neither has a comparison with what is stored. */

/** The value without them, all the way down; the value itself when there are none. In a list `undefined` is null, as in JSON. */
export function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const kept = entries.flatMap(([name, field]) => (field === undefined ? [] : [[name, withoutUndefined(field)] as const]));
  return kept.length === entries.length && kept.every(([, field], index) => field === entries[index]?.[1]) ? value : Object.fromEntries(kept);
}
