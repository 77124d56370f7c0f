import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import type { ReplicaSetParts } from "../testing/workload-objects.ts";
import { scaleReplicaSet } from "./scale-replica-set.ts";

const upToDate = { "deployment.kubernetes.io/desired-replicas": "3", "deployment.kubernetes.io/max-replicas": "4" };

async function scaled(
  parts: ReplicaSetParts,
  replicas: number,
  isForced = false,
): Promise<{ readonly asked: readonly unknown[]; readonly told: readonly string[]; readonly hasScaled: boolean }> {
  const [server, events] = [echoServer(), recordingEvents()];
  const { hasScaled } = await scaleReplicaSet(
    { ...server, events, signal: new AbortController().signal },
    deployment({ replicas: 3, surge: 1 }),
    { replicaSet: replicaSet(parts), replicas, isForced },
  );
  return {
    asked: server.asked.map(({ what, body }) => [
      what,
      body.metadata.annotations,
      (body["spec"] as { readonly replicas: number }).replicas,
    ]),
    told: events.told,
    hasScaled,
  };
}

describe("scaleReplicaSet", () => {
  it("writes size and annotations and records an event", async () => {
    expect(await scaled({ replicas: 1, annotations: { a: "b" } }, 3)).toEqual({
      asked: [["PUT replicasets/web", { a: "b", ...upToDate }, 3]],
      told: ["Normal ScalingReplicaSet Scaled up replica set web from 1 to 3"],
      hasScaled: true,
    });
    expect((await scaled({ replicas: 3 }, 0)).told).toEqual(["Normal ScalingReplicaSet Scaled down replica set web from 3 to 0"]);
  });

  it("writes nothing for the same size, unless annotations are to be updated", async () => {
    expect(await scaled({ replicas: 3 }, 3)).toEqual({ asked: [], told: [], hasScaled: false });
    expect(await scaled({ replicas: 3, annotations: upToDate }, 3, true)).toEqual({ asked: [], told: [], hasScaled: false });
    expect(await scaled({ replicas: 3 }, 3, true)).toEqual({ asked: [["PUT replicasets/web", upToDate, 3]], told: [], hasScaled: false });
  });
});
