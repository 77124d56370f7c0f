import { ReplicaSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ReplicaSet table", () => {
  it("has desired, current and ready replicas", () => {
    const spec = {
      replicas: 3,
      selector: { matchLabels: { b: "c" }, matchExpressions: [{ key: "a", operator: "In", values: ["y", "x"] }] },
      template: { spec: { containers: [{ name: "c", image: "i" }] } },
    };
    expect(printed(ReplicaSet, { spec, status: { replicas: 2, readyReplicas: 1 } })).toEqual({
      Name: "web",
      Desired: 3,
      Current: 2,
      Ready: 1,
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a in (x,y),b=c",
    });
  });

  it("prints <none> and <error> for empty and invalid selectors", () => {
    expect(printed(ReplicaSet, { spec: { selector: {}, template: {} } })).toMatchObject({ Selector: "<none>" });
    expect(printed(ReplicaSet, { spec: { selector: { matchExpressions: [{ key: "a", operator: "Near" }] }, template: {} } })).toMatchObject(
      { Selector: "<error>" },
    );
  });
});
