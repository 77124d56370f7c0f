import { describe, expect, it } from "vitest";
import { parseGoFields } from "@drover/api/shapes";
import type { GoType } from "@drover/api/shapes";
import { internalShapes } from "./internal-shapes.ts";

const namesIn = (type: GoType): string[] => (type.kind === "named" ? [type.name] : "item" in type ? namesIn(type.item) : []);

describe("internalShapes", () => {
  it("names no struct that it does not describe", () => {
    const named = Object.values(internalShapes).flatMap((shape) => parseGoFields(shape).flatMap(({ type }) => namesIn(type)));
    expect(named.filter((name) => !Object.hasOwn(internalShapes, name))).toEqual([]);
  });

  it("gives every field a name, a mark and a type", () => {
    const fields = Object.values(internalShapes).flatMap((shape) => parseGoFields(shape));
    expect(fields.filter(({ name, mark }) => !/^\w+(?:=[\w/]+)?$/.test(name) || !/^[:?]$/.test(mark))).toEqual([]);
    expect(fields.length).toBeGreaterThan(400);
  });
});
