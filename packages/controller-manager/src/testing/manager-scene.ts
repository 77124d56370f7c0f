/**
 * Controllers on an API server, in their own namespace; the test plays the kubelets.
 *
 *     manualScene → sceneOn, on our server in this process, with a clock that the test moves
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Namespace, Pod } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { Client, TransportWrapper } from "@drover/client";
import { createControllerManager } from "../index.ts";
import type { ControllerManager, ControllerManagerOptions } from "../index.ts";
import { formatTime, getOwn } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";

export interface SceneOptions extends Partial<Pick<ControllerManagerOptions, "controllers" | "known" | "preset">> {
  /** Wraps the requests of the controllers; the number is 0 for the first process, 1 for the one after a restart. @default none */
  readonly wrapper?: (generation: number) => TransportWrapper;
  /** Start of a manual clock, in milliseconds since 1970; ignored for a real one. @default that of `ManualClock` */
  readonly nowMs?: number;
}

export interface Scene {
  readonly client: Client;
  readonly controllerManager: ControllerManager;
  /** Lets this much time pass; on a real server at most half a second. */
  readonly settle: (ms?: number) => Promise<void>;
  /** Lets time pass until it holds; throws after a minute with a description. */
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
  readonly list: <T extends KubeObject>(kind: Kind<T, "Namespaced">) => Promise<readonly T[]>;
  /** Pods that are neither finished nor being deleted. */
  readonly activePods: () => Promise<readonly Pod[]>;
  /** The size of each ReplicaSet by its revision: { 1: 0, 2: 3 }. */
  readonly sizes: () => Promise<Readonly<Record<string, number>>>;
  /** The Events so far: "SuccessfulCreate Created pod: web-x". */
  readonly events: () => Promise<readonly string[]>;
  /** Makes pods run and become ready, as kubelets would, and ends terminating ones. Returns the number of pods that became ready. */
  readonly runPods: (which?: (pod: Pod) => boolean) => Promise<number>;
  readonly createReplicaSet: (name: string, spec?: Partial<NonNullable<ReplicaSet["spec"]>>) => Promise<ReplicaSet>;
  readonly createDeployment: (name: string, spec?: Partial<NonNullable<Deployment["spec"]>>) => Promise<Deployment>;
  /** Changes an object as a user would. */
  readonly change: <T extends KubeObject>(kind: Kind<T, "Namespaced">, name: string, patch: object) => Promise<T>;
  /** Ends the controllers and starts new ones without memory. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A pod template with one container. */
export const template = (
  image = "web:1",
  labels: Readonly<Record<string, string>> = { app: "web" },
): NonNullable<Deployment["spec"]>["template"] => ({ metadata: { labels: { ...labels } }, spec: { containers: [{ name: "web", image }] } });

/** The server and clock of a scene. */
export interface Stage {
  readonly transport: Transport;
  readonly clock: ControllerManagerOptions["runtime"]["clock"];
  /** A new one for each manager, because each has its own metrics. */
  readonly runtime: () => ControllerManagerOptions["runtime"];
  readonly namespace: string;
  readonly pass: (ms: number) => Promise<void>;
  readonly end: () => void;
}

/** A scene on our server with a manual clock. */
export interface ManualScene extends Scene {
  readonly clock: ManualClock;
  /** The warnings and errors in the log of the controllers. */
  readonly complaints: () => readonly string[];
}

export async function manualScene({ nowMs, ...options }: SceneOptions = {}): Promise<ManualScene> {
  const clock = new ManualClock(nowMs === undefined ? {} : { nowMs });
  const runtimes: TestRuntime[] = [];
  const runtime = (): TestRuntime => {
    const made = testRuntime({ clock });
    runtimes.push(made);
    return made;
  };
  const server = await createApiServer({ runtime: testRuntime({ clock }), host: nodeHost });
  const scene = await sceneOn(
    { transport: server.handle, clock, runtime, namespace: "shop", pass: (ms) => clock.advance(ms), end: () => server.close() },
    options,
  );
  return Object.assign(scene, {
    clock,
    complaints: () =>
      runtimes.flatMap(({ log }) =>
        log.entries
          .filter(({ level }) => level === "error" || level === "warn")
          .map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`),
      ),
  });
}

/** Plays a scene on any stage. */
export async function sceneOn(
  { transport, clock, runtime, namespace, pass, end }: Stage,
  { wrapper = () => (next) => next, ...options }: SceneOptions,
): Promise<Scene> {
  const client = createClient({ transport, clock, log: runtime().log, namespace });
  await client.create(Namespace, { metadata: { name: namespace } });
  let generation = 0;
  const start = (): { readonly controllerManager: ControllerManager; readonly over: () => Promise<void> } => {
    const controllerManager = createControllerManager({
      ...options,
      runtime: runtime(),
      transport: wrapper(generation++)(transport),
      permissions: "off",
      informers: { audit: false },
    });
    const stop = new AbortController();
    const running = controllerManager.run(stop.signal);
    const state = { isOver: false };
    const settled = running.finally(() => (state.isOver = true));
    settled.catch(() => undefined);
    const over = async (): Promise<void> => {
      stop.abort(new Error("the scene is over"));
      while (!state.isOver) await pass(100);
      await settled;
    };
    return { controllerManager, over };
  };
  let current = start();
  const list = async <T extends KubeObject>(kind: Kind<T, "Namespaced">): Promise<readonly T[]> => (await client.list(kind)).items;
  const until: Scene["until"] = async (what, holds) => {
    const deadline = clock.now() + 60_000;
    while (!(await holds())) {
      if (clock.now() > deadline) throw new Error(`${what}: not within a minute`);
      await pass(20);
    }
  };
  const settle = (ms = 100): Promise<void> => pass(ms);
  await until("the controllers run", () =>
    Promise.resolve(
      current.controllerManager.manager.state().phase === "running" &&
        current.controllerManager.manager.state().controllers.every(({ phase }) => phase === "running"),
    ),
  );
  return {
    client,
    settle,
    until,
    list,
    get controllerManager() {
      return current.controllerManager;
    },
    activePods: async () =>
      (await list(Pod)).filter(
        ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase !== "Failed" && status?.phase !== "Succeeded",
      ),
    sizes: async () =>
      Object.fromEntries(
        (await list(ReplicaSet)).map(({ metadata: { annotations = {} }, spec }) => [
          getOwn(annotations, "deployment.kubernetes.io/revision") ?? "",
          spec?.replicas ?? 1,
        ]),
      ),
    events: async () => (await list(Event)).map(({ reason, note }) => `${reason} ${note}`),
    runPods: (which) => runPods(client, which, formatTime(clock.now())),
    createReplicaSet: (name, spec = {}) =>
      client.create(ReplicaSet, {
        metadata: { name, labels: { app: "web" } },
        spec: { selector: { matchLabels: { app: "web" } }, template: template(), ...spec },
      }),
    createDeployment: (name, spec = {}) =>
      client.create(Deployment, { metadata: { name }, spec: { selector: { matchLabels: { app: "web" } }, template: template(), ...spec } }),
    change: (kind, name, patch) => client.patch(kind, name, { type: "merge", body: patch as never }),
    restart: async () => {
      await current.over();
      current = start();
      await pass(20);
    },
    close: async () => {
      await current.over();
      end();
    },
  };
}

async function runPods(client: Client, which: (pod: Pod) => boolean = () => true, now: string): Promise<number> {
  const { items } = await client.list(Pod);
  const pods = items.filter(
    (pod) =>
      which(pod) &&
      pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") !== true &&
      pod.metadata.deletionTimestamp === undefined,
  );
  for (const pod of pods) await setReady(client, pod, now);
  for (const { metadata } of items)
    if (metadata.deletionTimestamp !== undefined)
      await client.delete(Pod, metadata.name ?? "", { gracePeriodSeconds: 0 }).catch(() => undefined);
  return pods.length;
}

async function setReady(client: Client, pod: DeepReadonly<Pod>, now: string): Promise<void> {
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime: now }];
  await client
    .resource(Pod)
    .status.patch(pod.metadata.name ?? "", { type: "strategic", body: { status: { phase: "Running", conditions } } })
    .catch(() => undefined);
}
