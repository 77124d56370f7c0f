import { describe, expect, it } from "vitest";

import { MergePatchError, patchConflict, preconditionFailed, unknownMarker, wrongType } from "./merge-patch-error.ts";

describe("MergePatchError", () => {
  it("has a reason and Kubernetes' text", () => {
    const error = preconditionFailed({ b: [1, null], a: "x" });
    expect(error).toBeInstanceOf(MergePatchError);
    expect([error.name, error.reason, error.message]).toEqual([
      "MergePatchError",
      "precondition-failed",
      "precondition failed for: map[a:x b:[1 <nil>]]",
    ]);
  });

  it("names types as Go does", () => {
    expect(wrongType("[]interface {}", {}).message).toBe("expected a []interface {}, but received a map[string]interface {}");
    expect(wrongType("map[string]interface {}", null).message).toBe("expected a map[string]interface {}, but received a %!s(<nil>)");
  });

  it("complains about markers as Go does", () => {
    expect(unknownMarker("zap", { $patch: "zap" }).message).toBe("unknown patch type: zap in map: map[$patch:zap]");
    expect(unknownMarker(5, {}).message).toBe("unknown patch type: %!s(int64=5) in map: map[]");
    expect(unknownMarker(null, {}).message).toBe("unknown patch type: %!s(<nil>) in map: map[]");
  });

  it("shows both sides of a conflict", () => {
    expect(patchConflict({ a: 1 }, { a: 2n ** 53n }).message).toBe(
      'patch:\n{\n  "a": 1\n}\nconflicts with changes made from original to current:\n{\n  "a": 9007199254740992\n}\n',
    );
  });
});
