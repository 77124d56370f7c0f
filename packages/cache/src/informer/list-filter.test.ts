import { everything, parseSelector, SelectorError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { filterNamespace, filterSelector } from "./list-filter.ts";

describe("filterNamespace", () => {
  it("treats an empty namespace and * as all namespaces", () => {
    expect([{}, { namespace: "" }, { namespace: "*" }, { namespace: "shop" }].map(filterNamespace)).toEqual([
      undefined,
      undefined,
      undefined,
      "shop",
    ]);
  });
});

describe("filterSelector", () => {
  it("accepts a selector in every form", () => {
    const selector = parseSelector("app=web");
    expect(filterSelector({ labelSelector: selector })).toBe(selector);
    for (const labelSelector of ["app=web", { matchLabels: { app: "web" } }])
      expect(filterSelector({ labelSelector })?.toString()).toBe("app=web");
  });

  it("returns undefined for an empty selector, and rejects invalid selectors", () => {
    for (const labelSelector of ["", {}, everything]) expect(filterSelector({ labelSelector })).toBeUndefined();
    expect(filterSelector({})).toBeUndefined();
    expect(() => filterSelector({ labelSelector: "app in" })).toThrow(SelectorError);
  });
});
