/**
 * A program to debug, for tests: a tape on a manual clock, and controllers whose queues say what a test wants.
 *
 *     const scene = debugScene();
 *     scene.keys.push(report({ state: "parked" }));
 *     await scene.get("queue")
 */
import { objectKey } from "@drover/machinery";
import type { DeepReadonly, HttpHeaders, HttpResponse, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { Cause } from "../../causes/cause.ts";
import type { ManagerState } from "../../manager/manager-options.ts";
import type { Controller, ControllerState, EnqueueOptions } from "../../reconcile/controller.ts";
import type { Obstacle } from "../../tape/obstacle.ts";
import { tapeScene } from "../../tape/testing/tape-scene.ts";
import type { TapeScene } from "../../tape/testing/tape-scene.ts";
import { createDebugHandler } from "../debug-handler.ts";
import type { PlannedRun } from "../planned-run.ts";
import type { OwnedObject } from "../debug-subject.ts";

const kindOf = (group: string, kind: string, shortNames: readonly string[] = []): Kind => ({
  group,
  version: "v1",
  kind,
  listKind: `${kind}List`,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  shortNames,
  categories: [],
  scope: "Namespaced",
  verbs: ["get", "list", "watch"],
  subresources: {},
});

/** Reconciled by the controller "web". */
export const deploymentKind: Kind = kindOf("apps", "Deployment", ["deploy"]);
/** Watched only. */
export const podKind: Kind = kindOf("", "Pod", ["po"]);

export type Report = KeyReport<ObjectKey, Cause>;

/** Returns the report of a key that waits for a retry. */
export const report = (rest: Partial<Report> = {}): Report => ({
  key: objectKey("shop", "web"),
  state: "waiting",
  priority: 0,
  ageMs: 10,
  nextRunInMs: 2500,
  attempts: 2,
  reason: "no quota",
  causes: [],
  causeCount: 0,
  ...rest,
});

export interface DebugScene extends TapeScene {
  /** Keys in the queue of "web". */
  readonly keys: Report[];
  /** Cached objects by kind and key. */
  readonly objects: Map<string, DeepReadonly<KubeObject>>;
  readonly obstacles: Obstacle[];
  readonly children: OwnedObject[];
  /** Replaced by tests. */
  state: Partial<ManagerState>;
  controllerState: Partial<ControllerState>;
  /** Keys that were enqueued, each with its options. */
  readonly enqueued: { readonly key: ObjectKey; readonly options: EnqueueOptions | undefined }[];
  /** Plans of objects; every other one has nothing to write. */
  readonly plans: Map<ObjectKey, PlannedRun>;
  /** Called for each plan. */
  onPlan: () => void | Promise<void>;
  /** Keys of another replica's shard. */
  readonly foreign: Set<ObjectKey>;
  /** Sends GET /debug/drover/<path>, as curl does. */
  readonly ask: (
    path: string,
    rest?: { readonly method?: string; readonly headers?: HttpHeaders; readonly signal?: AbortSignal },
  ) => Promise<HttpResponse>;
  /** The answer as data. */
  readonly get: <T>(path: string) => Promise<T>;
}

/** Returns a program with the controller "web" for Deployments. */
export function debugScene({ hasTape = true }: { readonly hasTape?: boolean } = {}): DebugScene {
  const tape = tapeScene();
  const keys: Report[] = [];
  const objects = new Map<string, DeepReadonly<KubeObject>>();
  const obstacles: Obstacle[] = [];
  const children: OwnedObject[] = [];
  const enqueued: DebugScene["enqueued"] = [];
  const [plans, foreign] = [new Map<ObjectKey, PlannedRun>(), new Set<ObjectKey>()];
  const controller: Pick<Controller, "name" | "inspect" | "inspectAll" | "state" | "enqueue"> = {
    name: "web",
    enqueue: (key, options) => {
      if (foreign.has(key)) return;
      enqueued.push({ key, options });
      keys.push(report({ key, state: "ready", attempts: 0 }));
    },
    inspect: (key) => keys.find((each) => each.key === key),
    inspectAll: () => keys,
    state: () => ({
      name: "web",
      phase: "running",
      workers: 4,
      active: 1,
      ready: 2,
      waiting: 3,
      parked: keys.filter(({ state }) => state === "parked").length,
      runs: { ended: 5, failed: 1, tookMs: 50, waitedMs: 5 },
      watches: [],
      ...scene.controllerState,
    }),
  };
  const plan = async (key: ObjectKey): Promise<PlannedRun> => {
    await scene.onPlan();
    return plans.get(key) ?? { writes: [], unchanged: 1, held: [], errors: [] };
  };
  const handler = createDebugHandler({
    name: "shop-operator",
    version: "0.1.0",
    pid: 4711,
    startedAt: tape.clock.now(),
    clock: tape.clock,
    manager: { state: () => ({ phase: "running", running: [], controllers: [controller.state()], clusters: [], ...scene.state }) },
    controllers: [{ controller: controller as Controller, kind: deploymentKind, owns: [podKind], obstacles: () => obstacles, plan }],
    kinds: [deploymentKind, podKind],
    namespace: "web",
    ...(hasTape ? { tape: tape.tape } : {}),
    cacheOf: ({ kind }) => ({
      get: (key) => objects.get(`${kind} ${key}`),
      keys: () => [...objects.keys()].flatMap((each) => (each.startsWith(`${kind} `) ? [each.slice(kind.length + 1) as ObjectKey] : [])),
    }),
    childrenOf: ({ metadata }) => (metadata.name === "shop" ? children : []),
  });
  const ask: DebugScene["ask"] = (path, { method = "GET", headers = { host: "127.0.0.1:4679" }, signal } = {}) =>
    handler({ method, path: `/debug/drover/${path}`, headers, ...(signal === undefined ? {} : { signal }) });
  const scene: DebugScene = {
    ...tape,
    keys,
    enqueued,
    foreign,
    plans,
    onPlan: () => undefined,
    objects,
    obstacles,
    children,
    state: {},
    controllerState: {},
    ask,
    get: async <T>(path: string) => JSON.parse((await ask(path)).body as string) as T,
  };
  return scene;
}
