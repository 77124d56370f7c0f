/** Fields that are `undefined` are not there: JSON has no other word for it, and neither has a comparison with what is stored. */

/** The value without them, all the way down; the value itself when there are none. In a list `undefined` is null, as in JSON. */
export function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !hasUndefined(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [[name, withoutUndefined(field)]])),
  );
}

/** Most values have none, and then nothing is copied to find out. */
function hasUndefined(value: object): boolean {
  const fields: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return fields.some((field) => field === undefined || (typeof field === "object" && field !== null && hasUndefined(field)));
}
