import { describe, expect, it } from "vitest";
import { constructedType, jsonPatchType } from "./admission-types.ts";

describe("types that mutations construct", () => {
  it("are JSONPatch, and Object with any path", () => {
    expect(constructedType("JSONPatch")?.params).toEqual([jsonPatchType]);
    expect(constructedType("Object")?.params[0]).toMatchObject({ name: "Object", isOpen: true });
    expect(constructedType("Object.spec.template")?.params[0]).toMatchObject({ name: "Object.spec.template" });
    expect(constructedType("Objects")).toBe(undefined);
  });
});
