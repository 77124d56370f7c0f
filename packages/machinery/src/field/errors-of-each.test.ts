import { describe, expect, it } from "vitest";
import { validateAnnotations } from "../validation/annotations.ts";
import { validateFinalizers } from "../validation/finalizers.ts";
import { validateLabels } from "../validation/label.ts";
import { validateOwnerReferences } from "../validation/owner-references.ts";
import { errorsOfEach } from "./errors-of-each.ts";
import { fieldRequired } from "./field-error.ts";

describe("errorsOfEach", () => {
  it("returns the errors in order, with the index of their item", () => {
    expect(errorsOfEach(["a", "", ""], (name, index) => (name === "" ? [fieldRequired(`names[${index}]`)] : []))).toEqual([
      fieldRequired("names[1]"),
      fieldRequired("names[2]"),
    ]);
  });

  it("stops after 2,000 errors and leaves the rest unread", () => {
    let seen = 0;
    const errors = errorsOfEach(Array(100_000).fill(""), () => {
      seen++;
      return [fieldRequired("a"), fieldRequired("b")];
    });
    expect([seen, errors.length]).toEqual([1000, 2000]);
  });

  const many = Array.from({ length: 50_000 }, (_, n) => `!${n}`);
  const map = Object.fromEntries(many.map((key) => [key, "v"]));
  it.each([
    ["labels", () => validateLabels(map, "labels")],
    ["annotations", () => validateAnnotations(map, "annotations")],
    ["finalizers", () => validateFinalizers(many, "finalizers")],
    [
      "owner references",
      () =>
        validateOwnerReferences(
          Array.from({ length: 50_000 }, () => ({})),
          "ownerReferences",
        ),
    ],
  ])("bounds the errors of %s", (_, errorsOf) => {
    expect(errorsOf().length).toBeGreaterThan(1000);
    expect(errorsOf().length).toBeLessThan(2010);
  });

  it("prints many references to controllers once, not once for each", () => {
    let prints = 0;
    const reference = { apiVersion: "v1", kind: "Pod", uid: "u", controller: true };
    const references = Array.from({ length: 3000 }, (_, n) =>
      Object.defineProperty({ ...reference }, "name", { enumerable: true, get: () => (prints++, `n${n}`) }),
    );
    expect(validateOwnerReferences(references, "ownerReferences").length).toBe(2000);
    expect(prints).toBeLessThan(5 * references.length);
  });
});
