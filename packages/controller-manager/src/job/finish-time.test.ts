import type { Pod } from "@drover/api/core/v1";
import { definedOnly, parseTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { jobPod } from "./testing/running-job.ts";
import { ago } from "../testing/workload-objects.ts";
import { finishTime } from "./finish-time.ts";

type Containers = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>;
const container = (name: string, endedAgo?: number): Containers[number] => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  ...(endedAgo === undefined ? {} : { state: { terminated: { exitCode: 0, finishedAt: ago(endedAgo) } } }),
});
const withContainers = (
  containerStatuses: Containers,
  parts: {
    readonly status?: NonNullable<PodView["status"]>;
    readonly metadata?: PodView["metadata"];
    readonly spec?: NonNullable<PodView["spec"]>;
  } = {},
): PodView => {
  const { metadata, ...pod } = jobPod();
  return {
    ...pod,
    ...definedOnly({ spec: parts.spec }),
    metadata: { ...metadata, ...parts.metadata },
    status: { containerStatuses, ...parts.status },
  };
};
const at = (seconds: number): number => parseTime(ago(seconds));

describe("finishTime", () => {
  it("J063: is the end of the last container", () => {
    expect(finishTime(withContainers([container("a", 30), container("b", 10)]))).toBe(at(10));
  });

  it("J063: includes sidecars, which end last, but not init containers", () => {
    const spec = { containers: [{ name: "a" }], initContainers: [{ name: "proxy", restartPolicy: "Always" as const }, { name: "once" }] };
    expect(
      finishTime(
        withContainers([container("a", 30)], { spec, status: { initContainerStatuses: [container("proxy", 20), container("once", 5)] } }),
      ),
    ).toBe(at(20));
    expect(finishTime(withContainers([container("a", 30)], { spec, status: { initContainerStatuses: [container("proxy")] } }))).toBe(
      at(600),
    );
  });

  it("J063: without container times is when the pod became not ready", () => {
    const status = { conditions: [{ type: "Ready", status: "False", lastTransitionTime: ago(40) }] };
    expect(finishTime(withContainers([container("a", 30), container("b")], { status }))).toBe(at(40));
    expect(
      finishTime(withContainers([], { status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: ago(40) }] } })),
    ).toBe(at(600));
  });

  it("J063: of a terminating pod is the deletion request; of any other the creation", () => {
    expect(finishTime(withContainers([], { metadata: { deletionTimestamp: ago(0), deletionGracePeriodSeconds: 30 } }))).toBe(at(30));
    expect(finishTime(withContainers([]))).toBe(at(600));
  });
});
