import { describe, expect, it } from "vitest";
import { internalShapes } from "./internal-shapes.ts";

describe("internalShapes", () => {
  it("names no struct that it does not describe", () => {
    const named = Object.values(internalShapes).flatMap((shape) => [...shape.matchAll(/@(\w+)/g)].map(([, name = ""]) => name));
    expect(named.filter((name) => !Object.hasOwn(internalShapes, name))).toEqual([]);
  });

  it("gives every field a type", () => {
    const fields = Object.values(internalShapes)
      .flatMap((shape) => shape.split(" "))
      .filter((field) => field !== "");
    expect(fields.filter((field) => !/^\w+(?:=[\w/]+)?:\??[*[{]*(?:[sibQXT]|@\w+)$/.test(field))).toEqual([]);
  });
});
