import { describe, expect, it } from "vitest";
import { keyedItems } from "./list-key.ts";

const labels = (items: readonly { readonly [key: string]: string | number }[]): string[] | undefined => {
  const keyed = keyedItems(items, items);
  return keyed && [...keyed.after.values()].map(({ label }) => label);
};

describe("keyedItems", () => {
  it("identifies items by the first field that all have with a unique value", () => {
    expect(labels([{ name: "app" }, { name: "log" }])).toEqual(["name=app", "name=log"]);
    expect(
      labels([
        { type: "Ready", name: "x" },
        { type: "Synced", name: "x" },
      ]),
    ).toEqual(["type=Ready", "type=Synced"]);
    expect(labels([{ containerPort: 80 }, { containerPort: 443 }])).toEqual(["containerPort=80", "containerPort=443"]);
  });

  it("returns undefined if a field is missing or occurs twice", () => {
    expect(labels([{ name: "a" }, { name: "a" }])).toBeUndefined();
    expect(labels([{ name: "a" }, { image: "b" }])).toBeUndefined();
    expect(keyedItems([{ name: "a" }], ["a"])).toBeUndefined();
    expect(keyedItems([{ name: "a" }], [{ name: 1 }, { name: "1" }])?.after.size).toBe(2);
  });
});
