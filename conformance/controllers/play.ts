/**
 * Plays scenes on a stage and returns what happened.
 *
 *     Scene, Stage → play → Recording → trajectory.ts
 *
 * A step is over when its condition holds and nothing but Events has changed for a while, so that the compared end
 * state is stable.
 */
import { Namespace, Node, Pod } from "@drover/api/core/v1";
import { isNotFound, sleep } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { History, Version } from "./history.ts";
import { nodeOf, sceneLabel, sceneTaint } from "./scene.ts";
import type { Action, Patch, Scene, SceneView, Step, Target } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** What happened in one step. */
export interface RecordedStep {
  readonly name: string;
  /** Versions before `end` of the recording belong to it, or to an earlier step. */
  readonly end: number;
  /** Why it failed: its condition did not come true, or an action failed. Later steps were not played. */
  readonly problem?: string;
}

export interface Recording {
  readonly namespace: string;
  readonly versions: readonly Version[];
  readonly steps: readonly RecordedStep[];
}

export interface PlayOptions {
  /** Prefix of namespaces, so that a scene can be played again on the same cluster. @default "scene" */
  readonly prefix?: string;
  /** Milliseconds without a change after which a step is over. @default 1500 */
  readonly quietMs?: number;
  /** Milliseconds to wait for a condition. @default 90_000 */
  readonly patienceMs?: number;
}

const lookMs = 25;

/** The namespace of a scene: its name, shortened if necessary. */
export const namespaceOf = ({ name }: Scene, prefix: string): string =>
  `${prefix}-${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/-$/, "")}`;

/** Plays one scene in its own namespace; the cluster cleans up. */
export async function play(
  scene: Scene,
  stage: Stage,
  { prefix = "scene", quietMs = 1500, patienceMs = 90_000 }: PlayOptions = {},
): Promise<Recording> {
  const namespace = namespaceOf(scene, prefix);
  const history = stage.recorder.open(namespace);
  const recorded: RecordedStep[] = [];
  const nodes = new Set<string>();
  try {
    await stage.client.create(Namespace, { metadata: { name: namespace } });
    for (const step of scene.steps) {
      const problem = await playStep(step, { stage, history, nodes, quietMs, patienceMs });
      recorded.push({ name: step.name, end: history.versions.length, ...(problem === undefined ? {} : { problem }) });
      if (problem !== undefined) break;
    }
    return { namespace, versions: history.versions.slice(), steps: recorded };
  } finally {
    stage.recorder.close(history);
    await leave(stage, namespace, nodes);
  }
}

interface Playing {
  readonly stage: Stage;
  readonly history: History;
  /** Of this scene. */
  readonly nodes: Set<string>;
  readonly quietMs: number;
  readonly patienceMs: number;
}

async function playStep({ actions, until }: Step, playing: Playing): Promise<string | undefined> {
  const { stage, history, quietMs, patienceMs } = playing;
  const { clock } = stage.client;
  for (const action of actions) {
    try {
      await act(action, playing);
    } catch (error) {
      return `${action.do} failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const deadline = clock.now() + patienceMs;
  // The recorder has not seen the last action yet, so the action counts as a change.
  const since = clock.now();
  while (clock.now() < deadline) {
    stage.check();
    if (until.holds(history) && clock.now() - Math.max(since, history.changedAt) >= quietMs) {
      await stage.told();
      await sleep(clock, lookMs);
      return undefined;
    }
    await sleep(clock, lookMs);
  }
  return until.holds(history) ? `it never came to rest after "${until.what}"` : `"${until.what}" did not come about`;
}

async function act(action: Action, { stage, history, nodes }: Playing): Promise<void> {
  const { client } = stage;
  const { namespace } = history;
  const each = async (target: Target, work: (name: string) => Promise<unknown>): Promise<void> => {
    const names = typeof target === "string" ? [target] : target(history);
    if (names.length === 0) throw new Error("there is nothing of that kind");
    for (const name of names) await work(name);
  };
  switch (action.do) {
    case "create":
      return void (await client
        .dynamic(action.kind)
        .create(
          filled(typeof action.object === "function" ? action.object(history) : action.object, history),
          placeIn(action.kind, namespace),
        ));
    case "patch": {
      const body = bodyOf(action.body, history);
      const place = {
        ...placeIn(action.kind, namespace),
        ...(action.subresource === undefined ? {} : { subresource: action.subresource }),
      };
      return await each(action.target, (name) => client.dynamic(action.kind).patch(name, { type: "strategic", body }, place));
    }
    case "delete":
      return await each(action.target, (name) =>
        client.dynamic(action.kind).delete(name, {
          ...placeIn(action.kind, namespace),
          ...(action.propagation === undefined ? {} : { propagationPolicy: action.propagation }),
        }),
      );
    case "evict":
      return await each(action.target, (name) =>
        client.resource(Pod).eviction.create(name, { metadata: { name, namespace } }, { namespace }),
      );
    case "add-node":
      return await addNode(action.name, action.labels, { stage, namespace, nodes });
    case "stop-node":
      return await stage.stopNode(nodeOf(namespace, action.name));
  }
}

/** Enough for every scene until the first status report, which replaces it. */
const nodeResources = { cpu: "64", memory: "256Gi", pods: "10000" } as const;

async function addNode(
  name: string,
  labels: Readonly<Record<string, string>>,
  { stage, namespace, nodes }: { readonly stage: Stage; readonly namespace: string; readonly nodes: Set<string> },
): Promise<void> {
  const node = nodeOf(namespace, name);
  if (!nodes.has(node)) {
    nodes.add(node);
    await stage.client.create(Node, {
      metadata: { name: node, labels: { "kubernetes.io/hostname": node, [sceneLabel]: namespace, ...labels } },
      spec: { taints: [sceneTaint(namespace)] },
      // As a kubelet registers: without resources, a pod that comes before the first status report is unschedulable.
      status: { capacity: nodeResources, allocatable: nodeResources },
    });
  }
  await stage.wakeNode(node);
}

function bodyOf(body: Patch, view: History): object {
  return typeof body === "function" ? (body as (view: SceneView) => object)(view) : body;
}

/** Replaces "$namespace" in an object by the name of the namespace. */
function filled(object: KubeObject, { namespace }: History): DeepReadonly<KubeObject & Record<string, unknown>> {
  return JSON.parse(JSON.stringify(object).replaceAll("$namespace", namespace)) as KubeObject & Record<string, unknown>;
}

const placeIn = (kind: Kind, namespace: string): { readonly namespace?: string } => (kind.scope === "Namespaced" ? { namespace } : {});

async function leave({ client, stopNode }: Stage, namespace: string, nodes: ReadonlySet<string>): Promise<void> {
  const unlessGone = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  for (const node of nodes) {
    await stopNode(node).catch(() => undefined);
    await client.delete(Node, node).catch(unlessGone);
  }
  await client.delete(Namespace, namespace).catch(unlessGone);
}
