import type { Pod } from "@drover/api/core/v1";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { existingPodWarnings } from "./existing-pods.ts";

const pod = (name: string, hostPID: boolean, owner?: string): Pod => ({
  metadata: {
    name,
    ...(owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: owner, controller: true }] }),
  },
  spec: { hostPID, containers: [{ name: "c" }] },
});
const baseline = { level: "baseline", version: "latest" } as const;
const warnings = (pods: readonly Pod[]): string[] => existingPodWarnings(baseline, { namespace: "shop", pods, clock: new ManualClock() });
const title = 'existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"';

describe("warnings about existing pods", () => {
  it("are none for pods that comply", () => {
    expect(warnings([pod("a", false)])).toEqual([]);
  });

  it("name the first of the pods with the same violations and count the others", () => {
    expect(warnings([pod("b", true)])).toEqual([title, "b: host namespaces"]);
    expect(warnings([pod("b", true), pod("a", true)])).toEqual([title, "a (and 1 other pod): host namespaces"]);
    expect(warnings([pod("b", true), pod("a", true), pod("c", true)])).toEqual([title, "a (and 2 other pods): host namespaces"]);
  });

  it("stop at 3000 pods, and begin with one of each controller", () => {
    const many = Array.from({ length: 3001 }, (_, index) => pod(`p${index}`, false, "web"));
    expect(warnings([...many, pod("last", true)])).toEqual([
      "new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods",
      title,
      "last: host namespaces",
    ]);
  });

  it("stop after a second", () => {
    let now = 0;
    const clock = { monotonic: () => (now += 600) };
    expect(existingPodWarnings(baseline, { namespace: "shop", pods: [pod("a", true), pod("b", false), pod("c", false)], clock })[0]).toBe(
      "new PodSecurity enforce level only checked against the first 2 of 3 existing pods",
    );
  });
});
