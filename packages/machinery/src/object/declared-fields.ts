/**
 * Marks objects that have only declared fields, so that nobody writes them back: that would remove all other fields.
 *
 *     informer with fields → withDeclaredFields → object → client.update refuses it
 */

// An own, enumerable symbol: `{ ...object }` and `edit` keep it, JSON and `Object.keys` do not have it. Of the registry, so that two
// copies of this package agree.
const mark: unique symbol = Symbol.for("drover.declared-fields") as never;

/** Marks an object as limited to these fields, which must be frozen. Returns the same object. */
export function withDeclaredFields<O extends object>(object: O, fields: readonly string[]): O {
  (object as { [mark]?: readonly string[] })[mark] = fields;
  return object;
}

/**
 * Returns the declared fields to which an object is limited, beside its metadata; undefined for a whole object. Copies by `{ ...object }`,
 * `edit` and `deepCopy` are limited as well; one by `structuredClone` or JSON is not recognised.
 */
export function declaredFieldsOf(object: object): readonly string[] | undefined {
  return Object.hasOwn(object, mark) ? (object as { [mark]?: readonly string[] })[mark] : undefined;
}
