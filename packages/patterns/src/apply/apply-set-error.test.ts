import { ApiError, isConflict, isForbidden, newConflict, newForbidden } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ApplySetError } from "./apply-set-error.ts";

const resource = { group: "", resource: "configmaps" };
const conflict = new ApiError(newConflict(resource, "a", "changed"));
const forbidden = new ApiError(newForbidden(resource, "b", "no"));

describe("ApplySetError", () => {
  it("names every object that failed", () => {
    expect(new ApplySetError("apply set web of X", [new Error("ConfigMap a: no"), new Error("ConfigMap b: nor this")], []).message).toBe(
      "apply set web of X: 2 objects failed: ConfigMap a: no; ConfigMap b: nor this",
    );
  });

  it("is a conflict only if all errors are conflicts", () => {
    expect(isConflict(new ApplySetError("x", [conflict], []))).toBe(true);
    expect(isConflict(new ApplySetError("x", [conflict, forbidden], []))).toBe(false);
    expect(isForbidden(new ApplySetError("x", [conflict, forbidden], []))).toBe(true);
  });
});
