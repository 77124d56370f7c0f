import { Deployment } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("Deployment table", () => {
  it("has ready, updated and available replicas", () => {
    const spec = { replicas: 4, selector: { matchLabels: { a: "b" } }, template: { spec: { containers: [{ name: "c", image: "i" }] } } };
    expect(printed(Deployment, { spec, status: { readyReplicas: 3, updatedReplicas: 2, availableReplicas: 1 } })).toEqual({
      Name: "web",
      Ready: "3/4",
      "Up-to-date": 2,
      Available: 1,
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a=b",
    });
  });

  it("prints empty and invalid selectors differently from ReplicaSet", () => {
    expect(printed(Deployment, { spec: { selector: {}, template: {} } })).toMatchObject({ Selector: "" });
    expect(printed(Deployment, { spec: { selector: { matchExpressions: [{ key: "a", operator: "Near" }] }, template: {} } })).toMatchObject(
      { Selector: "<invalid>" },
    );
  });
});
