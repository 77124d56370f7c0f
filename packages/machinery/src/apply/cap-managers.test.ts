import { describe, expect, it } from "vitest";

import { capManagers } from "./cap-managers.ts";
import { fieldSetOf } from "./field-set.ts";
import { managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";

const manager = (index: number, more: Partial<Manager> = {}): Manager => ({
  manager: `m${index}`,
  operation: "Update",
  apiVersion: "v1",
  subresource: "",
  time: `2026-01-01T00:00:${String(index).padStart(2, "0")}Z`,
  fields: fieldSetOf([`f:${index}`]),
  ...more,
});
const byIdentity = (list: readonly Manager[]): Map<string, Manager> => new Map(list.map((each) => [managerIdentity(each), each]));
const upTo = (count: number, more: Partial<Manager> = {}): Manager[] => Array.from({ length: count }, (_, index) => manager(index, more));

describe("capManagers", () => {
  it("leaves ten update managers alone, and any number of appliers", () => {
    const managers = byIdentity([...upTo(10), ...upTo(20).map((each): Manager => ({ ...each, operation: "Apply" }))]);
    expect(capManagers(managers)).toBe(managers);
  });

  it("merges the oldest, with the younger time", () => {
    const capped = [...capManagers(byIdentity(upTo(12).toReversed())).values()];
    expect(capped).toHaveLength(10);
    expect(capped.find((each) => each.manager === "ancient-changes")).toEqual({
      ...manager(2, { manager: "ancient-changes" }),
      fields: fieldSetOf(["f:0"], ["f:1"], ["f:2"]),
    });
    expect(capped.map((each) => each.manager).toSorted()).toEqual(
      [
        "ancient-changes",
        ...upTo(12)
          .slice(3)
          .map((each) => each.manager),
      ].toSorted(),
    );
  });

  it("merges more into an earlier merge", () => {
    const once = capManagers(byIdentity(upTo(11)));
    const twice = capManagers(new Map([...once, ...byIdentity([manager(11)])]));
    expect(twice.size).toBe(10);
    expect(twice.get(managerIdentity(manager(0, { manager: "ancient-changes" })))?.fields).toEqual(fieldSetOf(["f:0"], ["f:1"], ["f:2"]));
  });

  it("keeps versions apart and drops subresources", () => {
    const managers = upTo(12).map((each, index): Manager => ({
      ...each,
      apiVersion: index % 2 === 0 ? "v1" : "v2",
      subresource: "status",
    }));
    const ancient = [...capManagers(byIdentity(managers)).values()].filter((each) => each.manager === "ancient-changes");
    expect(ancient.map(({ apiVersion, subresource, fields }) => [apiVersion, subresource, Object.keys(fields)])).toEqual([
      ["v1", "", ["f:0", "f:2"]],
      ["v2", "", ["f:1", "f:3"]],
    ]);
  });
});
