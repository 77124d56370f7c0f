import { describe, expect, it } from "vitest";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooLongCharacters,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
} from "./field-error.ts";
import { printFieldError } from "./field-error-text.ts";

describe("field error constructors", () => {
  it("use the server's words", () => {
    const errors = [
      fieldRequired("a"),
      fieldRequired("a", "name it"),
      fieldInvalid("a", -1, "too small"),
      fieldTypeInvalid("a", "x", "must be a number"),
      fieldNotSupported("a", "z", ["x", "y"]),
      fieldNotSupported("a", "z", []),
      fieldDuplicate("a", "x"),
      fieldForbidden("a", "not now"),
      fieldNotFound("a", "x"),
      fieldTooLong("a", 63),
      fieldTooLong("a", 1),
      fieldTooLong("a", -1),
      fieldTooLongCharacters("a", 5),
      fieldTooShort("a", "x", 2),
      fieldTooMany("a", 3, 2),
      fieldTooMany("a", -1, 1),
      fieldTooFew("a", 0, 1),
      fieldInternal("a", "disk on fire"),
    ];
    expect(errors.map(printFieldError)).toEqual([
      "a: Required value",
      "a: Required value: name it",
      "a: Invalid value: -1: too small",
      'a: Invalid value: "x": must be a number',
      'a: Unsupported value: "z": supported values: "x", "y"',
      'a: Unsupported value: "z"',
      'a: Duplicate value: "x"',
      "a: Forbidden: not now",
      'a: Not found: "x"',
      "a: Too long: may not be more than 63 bytes",
      "a: Too long: may not be more than 1 byte",
      "a: Too long: value is too long",
      "a: Too long: may not be more than 5 characters",
      "a: Too short: must be at least 2 characters",
      "a: Too many: 3: must have at most 2 items",
      "a: Too many: must have at most 1 item",
      "a: Too few: 0: must have at least 1 item",
      "a: Internal error: disk on fire",
    ]);
  });
});
