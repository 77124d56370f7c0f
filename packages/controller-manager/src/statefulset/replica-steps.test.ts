import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { member, unready } from "../testing/stateful-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { planReplicas } from "./replica-steps.ts";

const missing = (ordinal: number): PodView => ({ metadata: { name: `web-${ordinal}` } });
const said = (replicas: readonly PodView[], { isOrdered = true, minReadySeconds = 0 } = {}): string => {
  const { steps, isBlocked } = planReplicas(replicas, { isOrdered, minReadySeconds, now: start });
  return [...steps.map(({ pod, tasks }) => `${pod.metadata.name}: ${tasks.join(" ") || "nothing"}`), ...(isBlocked ? ["wait"] : [])].join(
    ", ",
  );
};

describe("planReplicas in order", () => {
  it("corrects all when they are healthy", () => {
    expect(said([member(0), member(1)])).toBe("web-0: conform, web-1: conform");
  });

  it("creates one at a time, when the one before is healthy", () => {
    expect(said([missing(0), missing(1)])).toBe("web-0: create, wait");
    expect(said([member(0), missing(1), missing(2)])).toBe("web-0: conform, web-1: create, wait");
    expect(said([unready(0), missing(1)])).toBe("web-0: nothing, wait");
    expect(said([member(0, { readyFor: 3 }), missing(1)], { minReadySeconds: 5 })).toBe("web-0: nothing, wait");
    expect(said([member(0, { isDeleting: true }), missing(1)])).toBe("web-0: nothing, wait");
  });

  it("removes finished pods first, once", () => {
    for (const phase of ["Failed", "Succeeded"] as const) {
      expect(said([member(0, { phase }), missing(1)])).toBe("web-0: remove, wait");
      expect(said([member(0, { phase, isDeleting: true }), missing(1)])).toBe("web-0: nothing, wait");
    }
  });

  it("creates missing claims of pending pods", () => {
    expect(said([member(0, { phase: "Pending" }), missing(1)])).toBe("web-0: fillClaims, wait");
  });
});

describe("planReplicas in parallel", () => {
  it("handles all pods, whatever the state of others", () => {
    const replicas = [
      member(0, { phase: "Failed" }),
      missing(1),
      unready(2),
      member(3, { phase: "Pending" }),
      member(4, { isDeleting: true }),
      member(5, { phase: "Succeeded", isDeleting: true }),
    ];
    expect(said(replicas, { isOrdered: false })).toBe(
      "web-0: remove, web-1: create, web-2: conform, web-3: fillClaims conform, web-4: conform, web-5: nothing",
    );
  });
});
