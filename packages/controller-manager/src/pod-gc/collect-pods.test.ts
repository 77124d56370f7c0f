import type { Node, Pod } from "@drover/api/core/v1";
import { newForbidden } from "@drover/machinery";
import type { DeepReadonly, Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { node } from "../testing/node-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import { collectPods } from "./collect-pods.ts";
import { NodeQuarantine } from "./node-quarantine.ts";

interface Ground {
  readonly pods: readonly PodView[];
  readonly nodes?: readonly DeepReadonly<Node>[];
  /** Objects that the server has and the cache lacks. */
  readonly live?: readonly string[];
  readonly terminatedMax?: number;
  readonly refuse?: (what: string) => Status | undefined;
  readonly rounds?: number;
}

/** Requests of so many rounds, twenty seconds apart. */
async function collected({
  pods,
  nodes = [],
  live = [],
  terminatedMax = 0,
  refuse,
  rounds = 1,
}: Ground): Promise<{ readonly requests: readonly string[]; readonly complaints: number }> {
  const server = echoServer(refuse);
  const { clock } = server;
  const { log } = testRuntime({ clock });
  for (const name of live) server.objects.set(`/api/v1/nodes/${name}`, node({ name }));
  const options = {
    pods: await syncedInformer<Pod>(...pods),
    nodes: await syncedInformer<Node>(...nodes),
    quarantine: new NodeQuarantine({ clock, quarantineMs: 40_000 }),
    clock,
    terminatedMax,
  };
  for (let round = 0; round < rounds; round++) {
    await collectPods({ client: server.client, log, signal: new AbortController().signal }, options);
    await clock.advance(20_000);
  }
  return { requests: server.requests(), complaints: log.entries.filter(({ level }) => level === "error").length };
}

const orphan = pod({ name: "orphan", node: "gone" });
const goneForGood = ["GET /api/v1/nodes/gone", "PATCH pods/orphan/status", "DELETE pods/orphan"];

describe("collectPods", () => {
  it("keeps pods of a missing node until its quarantine is over", async () => {
    expect((await collected({ pods: [orphan], rounds: 2 })).requests).toEqual([]);
    expect((await collected({ pods: [orphan], rounds: 3 })).requests).toEqual(goneForGood);
  });

  it("asks the server before it treats a node as gone", async () => {
    expect((await collected({ pods: [orphan], live: ["gone"], rounds: 3 })).requests).toEqual(["GET /api/v1/nodes/gone"]);
  });

  it("keeps them and logs when the server does not answer", async () => {
    const refuse = (what: string): Status | undefined =>
      what.startsWith("GET") ? newForbidden({ group: "", resource: "nodes" }, "gone", "no") : undefined;
    expect(await collected({ pods: [orphan], rounds: 3, refuse })).toEqual({ requests: ["GET /api/v1/nodes/gone"], complaints: 1 });
  });

  it("keeps pods of an existing node", async () => {
    expect(
      (await collected({ pods: [pod({ node: "n1" }), pod({ name: "b", node: "n1", phase: "Failed" })], nodes: [node()], rounds: 5 }))
        .requests,
    ).toEqual([]);
  });

  it("keeps all finished pods without a limit", async () => {
    const pods = [pod({ name: "a", phase: "Failed", createdAgo: 2 }), pod({ name: "b", phase: "Failed", createdAgo: 1 })];
    expect((await collected({ pods, terminatedMax: 0 })).requests).toEqual([]);
    expect((await collected({ pods, terminatedMax: 1 })).requests).toEqual(["DELETE pods/a"]);
  });

  it("removes a pod once, for however many reasons", async () => {
    const both = pod({ name: "both", phase: "Failed", createdAgo: 9, isDeleting: true });
    expect((await collected({ pods: [both, pod({ name: "b", phase: "Failed", createdAgo: 1 })], terminatedMax: 1 })).requests).toEqual([
      "DELETE pods/both",
    ]);
  });

  it("continues when a pod cannot be removed, and logs it", async () => {
    const refuse = (what: string): Status | undefined =>
      what === "DELETE pods/a" ? newForbidden({ group: "", resource: "pods" }, "a", "no") : undefined;
    const pods = ["a", "b", "c"].map((name) => pod({ name, phase: "Failed", isDeleting: true }));
    expect(await collected({ pods, refuse })).toEqual({ requests: ["DELETE pods/a", "DELETE pods/b", "DELETE pods/c"], complaints: 1 });
  });

  it("removes many pods in batches", async () => {
    const pods = Array.from({ length: 120 }, (_, index) => pod({ name: `p${index}`, phase: "Failed", isDeleting: true }));
    expect((await collected({ pods })).requests).toHaveLength(120);
  });
});
