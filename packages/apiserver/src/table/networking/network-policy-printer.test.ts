import { NetworkPolicy } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("NetworkPolicy table", () => {
  it("has the pod selector", () => {
    expect(printed(NetworkPolicy, { spec: { podSelector: { matchLabels: { a: "b" } } } })).toEqual({
      Name: "web",
      "Pod-Selector": "a=b",
      Age: "5m",
    });
    expect(printed(NetworkPolicy, { spec: {} })).toMatchObject({ "Pod-Selector": "<none>" });
  });
});
