import { everything, parseSelector, SelectorError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { filterNamespace, filterSelector } from "./list-filter.ts";

describe("filterNamespace", () => {
  it("takes an empty namespace and the star for all of them", () => {
    expect([{}, { namespace: "" }, { namespace: "*" }, { namespace: "shop" }].map(filterNamespace)).toEqual([
      undefined,
      undefined,
      undefined,
      "shop",
    ]);
  });
});

describe("filterSelector", () => {
  it("takes a selector in every form", () => {
    const selector = parseSelector("app=web");
    expect(filterSelector({ labelSelector: selector })).toBe(selector);
    for (const labelSelector of ["app=web", { matchLabels: { app: "web" } }])
      expect(filterSelector({ labelSelector })?.toString()).toBe("app=web");
  });

  it("has nothing to ask where everything is meant, and refuses what is no selector", () => {
    for (const labelSelector of ["", {}, everything]) expect(filterSelector({ labelSelector })).toBeUndefined();
    expect(filterSelector({})).toBeUndefined();
    expect(() => filterSelector({ labelSelector: "app in" })).toThrow(SelectorError);
  });
});
