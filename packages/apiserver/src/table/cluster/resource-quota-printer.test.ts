import { ResourceQuota } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ResourceQuota table", () => {
  it("prints used and hard amounts, sorted, limits separately", () => {
    const status = {
      hard: { pods: "3", "limits.memory": "1024Mi", "limits.cpu": "2", "count/configmaps": "5", limits: "1" },
      used: { pods: "1", "limits.cpu": "500m" },
    };
    expect(printed(ResourceQuota, { status })).toEqual({
      Name: "web",
      Request: "count/configmaps: 0/5, limits: 0/1, pods: 1/3",
      Limit: "limits.cpu: 500m/2, limits.memory: 0/1Gi",
      Age: "5m",
    });
  });

  it("is empty before the quota is counted", () => {
    expect(printed(ResourceQuota, { spec: { hard: { pods: "3" } } })).toMatchObject({ Request: "", Limit: "" });
  });
});
