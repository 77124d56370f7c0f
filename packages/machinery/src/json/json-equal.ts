/** Whether two JSON values are equal. Key order does not matter; a number equals a bigint of the same value. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq -- a number and a bigint compare by value only with ==
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isNumeric(a) && isNumeric(b) && a == b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]));
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";
