import { PodTemplate } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("PodTemplate table", () => {
  it("has containers and labels", () => {
    expect(
      printed(PodTemplate, { template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } } }),
    ).toEqual({ Name: "web", Containers: "c", Images: "i:1", "Pod Labels": "a=b" });
    expect(printed(PodTemplate, {})).toMatchObject({ Containers: "", "Pod Labels": "<none>" });
  });
});
