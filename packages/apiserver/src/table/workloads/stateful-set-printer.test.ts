import { StatefulSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("StatefulSet table", () => {
  it("has ready replicas", () => {
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
