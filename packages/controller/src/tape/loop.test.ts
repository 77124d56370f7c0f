import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printLoop } from "./loop.ts";
import type { Loop } from "./loop.ts";

const key = objectKey("shop", "web");
const fight: Loop = {
  type: "fight",
  controller: "scaler",
  key,
  cluster: "",
  kind: { group: "apps", kind: "Deployment" },
  object: key,
  path: "spec.replicas",
  writers: [
    { type: "controller", name: "scaler" },
    { type: "manager", name: "hpa" },
  ],
  times: 6,
  values: ["3", "5", "3", "5"],
  since: 0,
  spanMs: 10_000,
};

describe("printLoop", () => {
  it("names the field, its values and both writers", () => {
    expect(printLoop(fight)).toBe(
      "Deployment.apps web/shop: spec.replicas goes 3 → 5 → 3 → 5: controller scaler and field manager hpa write it in turn, 6 times in 10 s",
    );
    expect(
      printLoop({ ...fight, cluster: "east", writers: [{ type: "unknown" }, { type: "manager", name: "kubelet", subresource: "status" }] }),
    ).toBe(
      "Deployment.apps web/shop in east: spec.replicas goes 3 → 5 → 3 → 5: an unknown writer and field manager kubelet (status) write it in turn, 6 times in 10 s",
    );
  });

  it("describes a controller that triggers itself", () => {
    const { path: _, ...rest } = fight;
    const self: Loop = { ...rest, type: "self", writers: [{ type: "controller", name: "scaler" }], values: [] };
    expect(printLoop(self)).toBe(
      "Deployment.apps web/shop: no field changes but its version: each write of controller scaler causes its next run, which writes again, 6 times in 10 s",
    );
    expect(printLoop({ ...self, path: "", values: ["gone", "there"] })).toContain("web/shop: it goes gone → there: each write");
  });
});
