import type { FieldError } from "./field-error.ts";

/** More than the API server reports; it counts what it leaves out. */
const errorsMax = 2000;

/** Returns the errors of all items of a list or map, in order. Stops after 2,000 errors: an attacker sends millions. */
export function errorsOfEach<T>(items: Iterable<T>, errorsOf: (item: T, index: number) => readonly FieldError[]): FieldError[] {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    for (const error of errorsOf(item, index++)) errors.push(error);
    if (errors.length >= errorsMax) break;
  }
  return errors;
}
