import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isReplenishing } from "./replenishment.ts";

const key = objectKey("x", "shop");
const changed = (plural: string, before: object, object: object, group = ""): boolean =>
  isReplenishing(
    { group, plural },
    { type: "updated", key, uid: "", before: before as KubeObject, object: object as KubeObject, isResync: false },
    0,
  );
const pod = (more: Partial<Pod> = {}): Pod => ({ metadata: {}, spec: { containers: [] }, ...more });
const withCpu = (cpu: string): Partial<Pod> => ({
  status: {
    containerStatuses: [{ name: "c", image: "", imageID: "", ready: true, restartCount: 0, resources: { requests: { cpu } } }],
  },
});

describe("isReplenishing", () => {
  it("holds for every deletion, and for no addition", () => {
    const object: KubeObject = { metadata: {} };
    const deleted: Change = { type: "deleted", key, uid: "", object, isFinalStateUnknown: false };
    const added: Change = { type: "added", key, uid: "", object, isInInitialList: false };
    const widgets = { group: "example.com", plural: "widgets" };
    expect([isReplenishing(widgets, deleted, 0), isReplenishing(widgets, added, 0)]).toEqual([true, false]);
  });

  it("holds for pods that end, change their resources, or begin to end by themselves", () => {
    expect(changed("pods", pod({ status: { phase: "Running" } }), pod({ status: { phase: "Failed" } }))).toBe(true);
    expect(changed("pods", pod(), pod({ spec: { containers: [], activeDeadlineSeconds: 1 } }))).toBe(true);
    expect(changed("pods", pod(withCpu("2")), pod(withCpu("1")))).toBe(true);
    expect(changed("pods", pod(withCpu("1")), pod(withCpu("1000m")))).toBe(false);
    expect(changed("pods", pod(), pod({ status: { phase: "Running" } }))).toBe(false);
    expect(changed("pods", pod({ status: { phase: "Failed" } }), pod({ status: { phase: "Failed" } }))).toBe(false);
  });

  it("holds for services of another type, and for claims", () => {
    expect(changed("services", { spec: { type: "NodePort" } }, { spec: { type: "ClusterIP" } })).toBe(true);
    expect(changed("services", { spec: { type: "NodePort" } }, { spec: { type: "NodePort", ports: [] } })).toBe(false);
    expect(changed("persistentvolumeclaims", {}, {})).toBe(true);
    expect([changed("configmaps", {}, {}), changed("pods", {}, {}, "example.com")]).toEqual([false, false]);
  });
});
