import { ResourceSlice } from "@drover/api/resource/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ResourceSlice table", () => {
  it("has node, driver and pool", () => {
    const spec = { driver: "d", pool: { name: "p", generation: 1, resourceSliceCount: 1 } };
    expect(printed(ResourceSlice, { spec: { ...spec, nodeName: "n" } })).toEqual({
      Name: "web",
      Node: "n",
      Driver: "d",
      Pool: "p",
      Age: "5m",
    });
    expect(printed(ResourceSlice, { spec: { ...spec, allNodes: true } })).toMatchObject({ Node: "" });
  });
});
