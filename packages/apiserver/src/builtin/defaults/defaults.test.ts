import { kinds } from "@drover/api";
import { ManualClock } from "@drover/machinery/testing";
import { deepCopy } from "@drover/machinery";
import type { GroupVersionKind, JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { setDefaultsOf } from "./defaults.ts";

const set = (kind: GroupVersionKind, object: JsonObject): JsonObject => {
  setDefaultsOf(kind, { clock: new ManualClock() })(object);
  return object;
};

describe("setDefaultsOf", () => {
  it("finds defaults by group, version and kind", () => {
    expect(set({ group: "", version: "v1", kind: "Secret" }, { metadata: {} })).toEqual({ metadata: {}, type: "Opaque" });
    expect(set({ group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" }, { metadata: {} })).toEqual({
      metadata: {},
      spec: { expirationSeconds: 3600 },
    });
    expect(set({ group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" }, { metadata: {}, spec: {} })).toMatchObject({
      spec: { minReplicas: 1 },
    });
  });

  it("does nothing for kinds without defaults and unknown kinds", () => {
    expect(set({ group: "", version: "v1", kind: "ConfigMap" }, { metadata: {} })).toEqual({ metadata: {} });
    expect(set({ group: "example.com", version: "v1", kind: "Secret" }, { metadata: {} })).toEqual({ metadata: {} });
  });

  it("passes the clock on", () => {
    const slice = { metadata: {}, spec: { devices: [{ name: "d", taints: [{ key: "k" }] }] } };
    expect(JSON.stringify(set({ group: "resource.k8s.io", version: "v1", kind: "ResourceSlice" }, slice))).toContain("timeAdded");
  });

  it("is idempotent for every kind", () => {
    // As far as one object can fit every kind.
    const spec = {
      template: { metadata: { labels: { a: "1" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      containers: [{ name: "c" }],
      names: { kind: "K" },
      source: {},
      jobTemplate: {},
      spec: {},
    };
    for (const kind of kinds) {
      const once = set(kind, { metadata: { name: "n" }, spec: deepCopy(spec), roleRef: {} });
      expect(set(kind, deepCopy(once))).toEqual(once);
    }
  });
});
