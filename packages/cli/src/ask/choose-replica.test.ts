import { describe, expect, it } from "vitest";
import { chooseReplica } from "./choose-replica.ts";
import type { Replica } from "./choose-replica.ts";

const elected = (pod: string, isLeader: boolean, leader = "b_1"): Replica => ({
  pod,
  status: { election: { lease: "home/op", isLeader, leader } },
});

describe("chooseReplica", () => {
  it("takes the pod that holds the lease, whatever the question", () => {
    const chosen = { pod: "b", told: "asking pod b, which holds the lease home/op" };
    for (const suitable of ["leader", "any"] as const)
      expect(chooseReplica([elected("a", false), elected("b", true)], suitable)).toEqual(chosen);
  });

  it("without a leader takes any pod for questions that any can answer, and refuses others", () => {
    const replicas = [elected("a", false, "gone\n"), elected("b", false)];
    expect(chooseReplica(replicas, "any")).toEqual({
      pod: "a",
      told: String.raw`asking pod a: no ready pod holds the lease home/op, which gone\x0a holds`,
    });
    expect(chooseReplica(replicas, "leader")).toEqual({ problem: expect.stringContaining("--pod a asks one without it") as string });
  });

  it("says how many reconcile without a lease, and which shards a pod holds", () => {
    expect(chooseReplica([{ pod: "a", status: {} }], "leader")).toMatchObject({ told: "asking pod a, the only one that is ready" });
    expect(
      chooseReplica(
        ["a", "b"].map((pod) => ({ pod, status: {} })),
        "leader",
      ),
    ).toMatchObject({
      told: "asking pod a, one of 2 that reconcile without a lease; --pod asks another one",
    });
    const shards = { held: ["0", "1"], layout: "4", members: ["x"] } as never;
    expect(chooseReplica([{ pod: "a", status: { shards } }], "leader")).toMatchObject({
      told: "asking pod a, which holds 2 shards of 4; --pod asks another one",
    });
  });
});
