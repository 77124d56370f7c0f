import { DaemonSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("DaemonSet table", () => {
  it("has node counts and the node selector", () => {
    const spec = {
      selector: { matchLabels: { a: "b" } },
      template: { spec: { containers: [{ name: "c", image: "i" }], nodeSelector: { disk: "ssd" } } },
    };
    const status = { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2, numberAvailable: 1 };
    expect(printed(DaemonSet, { spec, status })).toEqual({
      Name: "web",
      Desired: 5,
      Current: 4,
      Ready: 3,
      "Up-to-date": 2,
      Available: 1,
      "Node Selector": "disk=ssd",
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a=b",
    });
    expect(printed(DaemonSet, { spec: {} })).toMatchObject({ Desired: 0, "Node Selector": "<none>" });
  });
});
