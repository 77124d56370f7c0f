import type { IntOrString } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import { maxSurge, maxUnavailable, minAvailable, newReplicas, resolveFenceposts } from "./fenceposts.ts";

describe("resolveFenceposts", () => {
  it("rounds surge up and unavailable down, and allows one unavailable pod when both are zero", () => {
    expect(resolveFenceposts("25%", "25%", 10)).toEqual({ surge: 3, unavailable: 2 });
    expect(resolveFenceposts(0, "5%", 10)).toEqual({ surge: 0, unavailable: 1 });
    expect(resolveFenceposts(undefined, undefined, 10)).toEqual({ surge: 0, unavailable: 1 });
    expect(resolveFenceposts("55%", 0, 2)).toEqual({ surge: 2, unavailable: 0 });
    expect(() => resolveFenceposts("oops", 0, 2)).toThrow("is not a percentage");
  });

  it.each<[string, number, IntOrString, "Recreate" | "RollingUpdate", number, number]>([
    ["10, 5", 10, 5, "RollingUpdate", 5, 5],
    ["10, 10", 10, 10, "RollingUpdate", 10, 0],
    ["5, 10", 5, 10, "RollingUpdate", 5, 0],
    ["0, 10", 0, 10, "RollingUpdate", 0, 0],
    ["Recreate", 10, 0, "Recreate", 0, 0],
    ["10, 50%", 10, "50%", "RollingUpdate", 5, 5],
    ["10, 60%", 10, "60%", "RollingUpdate", 6, 4],
    ["10, 100%", 10, "100%", "RollingUpdate", 10, 0],
    ["5, 100%", 5, "100%", "RollingUpdate", 5, 0],
  ])("D092, D093: %s", (_title, replicas, unavailable, strategy, missing, available) => {
    const wanted = deployment({ replicas, unavailable, strategy, surge: 1 });
    expect([maxUnavailable(wanted), minAvailable(wanted)]).toEqual([missing, available]);
  });

  it("is zero for an invalid strategy or one without bounds", () => {
    expect([
      maxSurge(deployment({ replicas: 5, surge: "x" })),
      maxUnavailable(deployment({ replicas: 5, surge: "x" })),
      maxSurge(deployment({ strategy: "Recreate" })),
    ]).toEqual([0, 0, 0]);
  });

  it("D091: lets the new ReplicaSet grow to the maximum", () => {
    expect(newReplicas(deployment({ replicas: 1, surge: 1 }), [replicaSet({ replicas: 5 }), replicaSet({ replicas: 5 })], 5)).toBe(5);
    expect(newReplicas(deployment({ replicas: 6, surge: 10 }), [replicaSet({ replicas: 2 })], 2)).toBe(6);
    expect(newReplicas(deployment({ replicas: 3, strategy: "Recreate" }), [], 0)).toBe(3);
    expect(() => newReplicas({ metadata: {}, spec: { replicas: 1, selector: {}, template: {} } }, [], 0)).toThrow(
      "deployment type undefined isn't supported",
    );
  });
});
