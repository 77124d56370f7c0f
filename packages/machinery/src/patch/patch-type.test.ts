import { describe, expect, it } from "vitest";

import { parsePatchContentType, patchContentType, patchTypes } from "./patch-type.ts";

describe("parsePatchContentType", () => {
  it("inverts patchContentType", () => {
    expect(patchTypes.map(patchContentType)).toEqual([
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
      "application/apply-patch+yaml",
    ]);
    expect(patchTypes.map((type) => parsePatchContentType(patchContentType(type)))).toEqual(patchTypes);
  });

  it("ignores parameters", () => {
    expect(parsePatchContentType("application/merge-patch+json; charset=utf-8")).toBe("merge");
    expect(parsePatchContentType("application/apply-patch+yaml;")).toBe("apply");
  });

  it.each(["", ";", "application/json", "Application/merge-patch+json", "application/merge-patch+json ;x", "application/apply-patch+cbor"])(
    "rejects %j",
    (header) => {
      expect(parsePatchContentType(header)).toBeUndefined();
    },
  );
});
