import { describe, expect, it } from "vitest";
import { getOwn, setOwn } from "./own.ts";

describe("getOwn and setOwn", () => {
  it("read own members only", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) expect(getOwn({}, key)).toBeUndefined();
    expect(getOwn({ constructor: "mine" }, "constructor")).toBe("mine");
  });

  it("write __proto__ like any other key and leave prototypes alone", () => {
    const labels: Record<string, unknown> = {};
    setOwn(labels, "__proto__", { polluted: true });
    setOwn(labels, "__proto__", { polluted: "again" });
    expect(Object.keys(labels)).toEqual(["__proto__"]);
    expect(getOwn(labels, "__proto__")).toEqual({ polluted: "again" });
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
