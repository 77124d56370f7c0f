import { StatefulSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("the table of stateful sets", () => {
  it("says how many are ready", () => {
    expect(printed(StatefulSet, { spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } } })).toEqual({
      Name: "web",
      Ready: "0/1",
      Age: "5m",
      Containers: "c",
      Images: "i",
    });
    expect(printed(StatefulSet, { spec: { replicas: 3 }, status: { readyReplicas: 2 } })).toMatchObject({ Ready: "2/3" });
  });
});
