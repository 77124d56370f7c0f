import { ApiError, newInvalid, fieldForbidden, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { immutableFields, isOtherObject } from "./immutable-fields.ts";

const refused = (...errors: readonly FieldError[]): ApiError =>
  new ApiError(newInvalid({ group: "batch", kind: "Job" }, "once", [...errors]));

describe("immutableFields", () => {
  it("returns each immutable field that the server names once", () => {
    expect(
      immutableFields(
        refused(
          fieldInvalid("spec.template", {}, "field is immutable"),
          fieldInvalid("spec.template", {}, "field is immutable"),
          fieldInvalid("spec.selector", {}, "field is immutable"),
        ),
      ),
    ).toEqual(["spec.template", "spec.selector"]);
  });

  it.each([
    ["spec", "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy' are forbidden"],
    ["data", "field is immutable when `immutable` is set"],
    ["spec", "pod updates may not change fields other than `spec.containers[*].image`"],
    ["spec.clusterIPs[0]", "may not change once set"],
    ["spec", "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"],
    ["roleRef", "cannot change roleRef"],
    ["provisioner", "updates to provisioner are forbidden."],
  ])("recognises the server's message about %s: %s", (field, message) => {
    expect(immutableFields(refused(fieldForbidden(field, message)))).toEqual([field]);
  });

  it("returns undefined for invalid values and other errors", () => {
    expect(immutableFields(refused(fieldRequired("spec.template", "must be set")))).toBeUndefined();
    expect(immutableFields(new Error("field is immutable"))).toBeUndefined();
  });

  it("isOtherObject recognises a different uid, which is not an immutable field", () => {
    const other = refused(fieldInvalid("metadata.uid", "x", "field is immutable"));
    expect([immutableFields(other), isOtherObject(other)]).toEqual([undefined, true]);
    expect(isOtherObject(refused(fieldInvalid("spec", {}, "field is immutable")))).toBe(false);
  });
});
