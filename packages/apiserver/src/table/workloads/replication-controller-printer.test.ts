import { ReplicationController } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ReplicationController table", () => {
  it("has desired, current and ready replicas", () => {
    const spec = { replicas: 3, selector: { a: "b" }, template: { spec: { containers: [{ name: "c", image: "i" }] } } };
    expect(printed(ReplicationController, { spec, status: { replicas: 2, readyReplicas: 1 } })).toEqual({
      Name: "web",
      Desired: 3,
      Current: 2,
      Ready: 1,
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a=b",
    });
    expect(printed(ReplicationController, { spec: {} })).toMatchObject({ Desired: 1, Current: 0, Containers: "", Selector: "<none>" });
  });
});
