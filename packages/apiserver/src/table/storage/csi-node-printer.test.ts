import { CSINode } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("CSINode table", () => {
  it("counts the drivers", () => {
    expect(printed(CSINode, { spec: { drivers: [{ name: "a", nodeID: "b" }] } })).toEqual({ Name: "web", Drivers: 1, Age: "5m" });
    expect(printed(CSINode, { spec: { drivers: null } })).toMatchObject({ Drivers: 0 });
  });
});
