import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { selects } from "./selects.ts";

const labelled = (labels?: Readonly<Record<string, string>>): Parameters<typeof selects>[1] => ({
  metadata: { name: "a", ...definedOnly({ labels }) },
});

describe("selects", () => {
  it("R006: matches by the workload's selector", () => {
    const web = { spec: { selector: { matchLabels: { app: "web" } } } };
    expect([selects(web, labelled({ app: "web", tier: "1" })), selects(web, labelled({ app: "api" })), selects(web, labelled())]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is false for an empty, missing or invalid selector", () => {
    for (const spec of [{ selector: {} }, {}, { selector: { matchExpressions: [{ key: "a", operator: "In" as const, values: [] }] } }])
      expect(selects({ spec }, labelled({ a: "b" }))).toBe(false);
    expect(selects({}, labelled({ a: "b" }))).toBe(false);
  });
});
