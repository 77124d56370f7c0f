import { newConflict, newForbidden, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { ago, pod, start } from "../testing/workload-objects.ts";
import type { PodView } from "../shared/pod-state.ts";
import { removePod } from "./remove-pod.ts";

const pods = { group: "", resource: "pods" };
const why = { reason: "DeletionByPodGC", message: "PodGC: node no longer exists" };

async function removed(one: PodView, refuse: (what: string) => Status | undefined = () => undefined): Promise<EchoServer> {
  const server = echoServer(refuse);
  await removePod(one, { client: server.client, now: start, why });
  return server;
}

describe("removePod", () => {
  it("marks the pod as failed with a reason and deletes it by uid without a grace period", async () => {
    const { asked } = await removed({ ...pod(), metadata: { ...pod().metadata, generation: 3 } });
    expect(asked.map(({ what }) => what)).toEqual(["PATCH pods/web-1/status", "DELETE pods/web-1"]);
    expect(asked[0]?.body).toEqual({
      metadata: { uid: "web-1-uid" },
      status: {
        phase: "Failed",
        observedGeneration: 3,
        conditions: [{ type: "DisruptionTarget", status: "True", ...why, lastTransitionTime: ago(0), observedGeneration: 3 }],
      },
    });
    expect(asked[1]?.body).toMatchObject({ gracePeriodSeconds: 0, preconditions: { uid: "web-1-uid" } });
  });

  it("keeps the transition time of an existing DisruptionTarget", async () => {
    const { asked } = await removed({
      ...pod(),
      status: { phase: "Running", conditions: [{ type: "DisruptionTarget", status: "True", lastTransitionTime: ago(60) }] },
    });
    expect(asked[0]?.body).toMatchObject({ status: { conditions: [{ lastTransitionTime: ago(60) }] } });
  });

  it("only deletes a finished pod", async () => {
    for (const phase of ["Succeeded", "Failed"] as const) expect((await removed(pod({ phase }))).requests()).toEqual(["DELETE pods/web-1"]);
  });

  it("ignores a pod that is gone or replaced; does not delete after a refused write", async () => {
    for (const status of [newNotFound(pods, "web-1"), newConflict(pods, "web-1", "uid")])
      expect((await removed(pod(), () => status)).requests()).toEqual(["PATCH pods/web-1/status"]);
    await expect(removed(pod(), () => newForbidden(pods, "web-1", "no"))).rejects.toThrow("no");
  });
});
