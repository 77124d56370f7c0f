/** Removes `undefined` fields, which JSON cannot express, before a comparison with stored objects. */

/**
 * Returns the value without `undefined` fields at any depth; the same value if there are none. In a list `undefined`
 * becomes null, as in JSON.
 */
export function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !hasUndefined(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [[name, withoutUndefined(field)]])),
  );
}

/** Avoids a copy for values without `undefined`, which are most. */
function hasUndefined(value: object): boolean {
  const fields: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return fields.some((field) => field === undefined || (typeof field === "object" && field !== null && hasUndefined(field)));
}
