/**
 * The same situation for kube-scheduler and for ours: the pod must get the same node or the same message, and the same
 * pods must be preempted.
 */
import { Namespace, Node, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { allNamespaces, createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { startCluster } from "@drover/dev-cluster";
import { isAlreadyExists, isNotFound, sleep } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { priorities, schedulingStories, storyNamespace, storyNode, storyPod } from "./scheduler-stories.ts";
import type { SchedulingStory } from "./scheduler-stories.ts";
import { RealProgram, programsMissing, temporaryFolder } from "../servers/real-program.ts";
import { startRealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";

/** A server with a scheduler and nothing else. */
interface Stage {
  readonly client: Client;
  readonly pass: (ms: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

interface Outcome {
  readonly node: string | undefined;
  readonly message: string | undefined;
  readonly nominated: string | undefined;
  /** Names of the preempted pods. */
  readonly victims: readonly string[];
}

async function oursStage(): Promise<Stage> {
  const runtime = testRuntime();
  const cluster = await startCluster({ runtime, nodes: 0, controllers: [] });
  const end = async (): Promise<void> => {
    const stopped = cluster.stop();
    await runtime.clock.advance(60_000);
    await stopped;
  };
  return { client: cluster.client, pass: (ms) => runtime.clock.advance(ms), end };
}

async function realStage(): Promise<Stage> {
  const server = await startRealServer();
  const { path, remove } = temporaryFolder("scheduler");
  const scheduler = new RealProgram(
    "kube-scheduler",
    [
      `--kubeconfig=${server.kubeconfig}`,
      "--leader-elect=false",
      "--authentication-skip-lookup",
      "--secure-port=0",
      "--kube-api-qps=1000",
      "--kube-api-burst=2000",
    ],
    path,
  );
  const runtime = nodeRuntime({ write: () => undefined });
  const transport = realTransport(server, runtime);
  const end = async (): Promise<void> => {
    transport.close();
    await scheduler.end();
    await server.stop();
    remove();
  };
  return {
    client: createClient({ transport, clock: runtime.clock, log: runtime.log, namespace: "default" }),
    pass: (ms) => sleep(runtime.clock, Math.min(ms, 50)),
    end,
  };
}

async function addPriorities(client: Client): Promise<void> {
  for (const [value, name] of Object.entries(priorities)) {
    await client.create(PriorityClass, { metadata: { name }, value: Number(value) });
    await client.create(PriorityClass, { metadata: { name: `${name}-peaceful` }, value: Number(value), preemptionPolicy: "Never" });
  }
}

/** On an empty stage, which it leaves empty. */
async function play(stage: Stage, story: SchedulingStory): Promise<Outcome> {
  try {
    await furnish(stage, story);
    const {
      metadata: { name = "" },
    } = await stage.client.create(Pod, storyPod(story.pod));
    return await outcomeOf(stage, story, name);
  } finally {
    await clear(stage);
  }
}

async function furnish(
  { client, pass }: Stage,
  { nodes, placed = [], namespaces = {}, claims = [], budgets = [] }: SchedulingStory,
): Promise<void> {
  for (const [name, labels] of Object.entries(namespaces))
    await client.create(Namespace, storyNamespace(name, labels)).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  for (const node of nodes) {
    await client.create(Node, storyNode(node));
    await client.patch(Node, node.name, { type: "merge", body: { spec: { taints: node.spec?.taints ?? null } } });
    const allocatable = { cpu: "2", memory: "4Gi", pods: "10", ...node.allocatable };
    await client.resource(Node).status.patch(node.name, {
      type: "merge",
      body: {
        status: {
          allocatable,
          capacity: allocatable,
          conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }],
        },
      },
    });
  }
  for (const each of placed) {
    const {
      metadata: { name = "", namespace = "" },
    } = await client.create(Pod, storyPod(each));
    await client.resource(Pod).status.patch(name, { type: "merge", body: { status: { phase: "Running", ...each.status } } }, { namespace });
  }
  for (const claim of claims) await client.create(PersistentVolumeClaim, claim);
  for (const budget of budgets) await client.create(PodDisruptionBudget, budget);
  await pass(500);
}

async function outcomeOf({ client, pass }: Stage, { placed = [] }: SchedulingStory, name: string): Promise<Outcome> {
  for (let tries = 0; tries < 200; tries++) {
    await pass(50);
    const { status } = await client.get(Pod, name);
    if (status?.conditions?.every(({ type }) => type !== "PodScheduled") ?? true) continue;
    // Preempted pods are deleted after that.
    for (let more = 0; more < 6; more++) await pass(50);
    const found = await client.get(Pod, name);
    const staying = (await client.list(Pod)).items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name);
    const victims = placed
      .filter(({ namespace = "default" }) => namespace === "default")
      .map((each) => each.name)
      .filter((each) => !staying.includes(each));
    return {
      node: found.spec?.nodeName,
      message: found.status?.conditions?.find(({ type }) => type === "PodScheduled")?.message,
      nominated: found.status?.nominatedNodeName,
      victims,
    };
  }
  throw new Error(`nobody has said anything about ${name}`);
}

async function clear({ client, pass }: Stage): Promise<void> {
  const unlessGone = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  for (const {
    metadata: { name = "", namespace = "" },
  } of (await client.list(Pod, { namespace: allNamespaces })).items)
    await client.delete(Pod, name, { namespace, gracePeriodSeconds: 0 }).catch(unlessGone);
  for (const {
    metadata: { name = "" },
  } of (await client.list(Node)).items)
    await client.delete(Node, name);
  for (const {
    metadata: { name = "" },
  } of (await client.list(PodDisruptionBudget)).items)
    await client.delete(PodDisruptionBudget, name);
  for (const {
    metadata: { name = "" },
  } of (await client.list(PersistentVolumeClaim)).items) {
    await client.delete(PersistentVolumeClaim, name);
    await client.patch(PersistentVolumeClaim, name, { type: "merge", body: { metadata: { finalizers: null } } }).catch(unlessGone);
  }
  await pass(500);
}

describe("a pod to schedule", () => {
  const missing = programsMissing("etcd", "kube-apiserver", "kube-scheduler");
  const stages: Stage[] = [];
  beforeAll(async () => {
    if (missing !== undefined) return;
    stages.push(...(await Promise.all([realStage(), oursStage()])));
    for (const { client } of stages) await addPriorities(client);
  }, 120_000);
  afterAll(async () => {
    for (const stage of stages) await stage.end();
  }, 60_000);
  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(missing);
  });

  it.each(Object.keys(schedulingStories))("gets the same result from both schedulers: %s", { timeout: 60_000 }, async (name) => {
    const [real, ours] = stages;
    const story = schedulingStories[name];
    if (real === undefined || ours === undefined || story === undefined) throw new Error("no stage");
    const [theirs, own] = await Promise.all([play(real, story), play(ours, story)]);
    expect(own).toEqual(theirs);
  });
});
