import { describe, expect, it } from "vitest";
import { deployment } from "../testing/workload-objects.ts";
import { historyLimit, isRollingUpdate, progressDeadline } from "./deployment-view.ts";

describe("limits of a Deployment", () => {
  it("are undefined when unset or the maximum int32", () => {
    expect([
      progressDeadline(deployment()),
      progressDeadline(deployment({ deadline: 2_147_483_647 })),
      progressDeadline(deployment({ deadline: 60 })),
    ]).toEqual([undefined, undefined, 60]);
    expect([
      historyLimit(deployment()),
      historyLimit(deployment({ historyLimit: 2_147_483_647 })),
      historyLimit(deployment({ historyLimit: 0 })),
    ]).toEqual([undefined, undefined, 0]);
  });

  it("of a rollout apply only to RollingUpdate", () => {
    expect([
      isRollingUpdate(deployment()),
      isRollingUpdate(deployment({ strategy: "Recreate" })),
      isRollingUpdate({ metadata: {} }),
    ]).toEqual([true, false, false]);
  });
});
