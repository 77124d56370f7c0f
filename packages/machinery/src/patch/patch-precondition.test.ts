import { describe, expect, it } from "vitest";

import { checkPreconditions, requireKeyUnchanged, requireMetadataKeyUnchanged } from "./patch-precondition.ts";

describe("patch preconditions", () => {
  it("hold while the key is not in the patch", () => {
    expect(requireKeyUnchanged("kind")({ spec: {} })).toBe(true);
    expect(requireKeyUnchanged("kind")({ kind: null })).toBe(false);
    expect(requireKeyUnchanged("toString")({})).toBe(true);
  });

  it("check the metadata, if it is an object", () => {
    const nameUnchanged = requireMetadataKeyUnchanged("name");
    expect([{}, { metadata: null }, { metadata: { labels: {} } }, { name: "x" }].map(nameUnchanged)).toEqual([true, true, true, true]);
    expect(nameUnchanged({ metadata: { name: "x" } })).toBe(false);
  });

  it("reject a patch when one of them fails", () => {
    const both = [requireKeyUnchanged("kind"), requireMetadataKeyUnchanged("name")];
    expect(() => checkPreconditions({ spec: {} }, both)).not.toThrow();
    expect(() => checkPreconditions({ metadata: { name: "x" } }, both)).toThrow("precondition failed for: map[metadata:map[name:x]]");
  });
});
