/**
 * A controller on a manual clock, with a source controlled by the test and a scripted server.
 *
 *     const rig = controllerRig({ reconcile: () => done });
 *     await rig.start();
 *     rig.source.request("shop/web");
 *     await rig.clock.settle();
 */
import { scriptedTransport } from "@drover/client/testing";
import type { Script, ScriptedTransport } from "@drover/client/testing";
import type { Clock, ObjectKey } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import type { ManualClock, TestRuntime } from "@drover/machinery/testing";
import { createCluster } from "@drover/cache";
import type { Cluster, ClusterOptions } from "@drover/cache";
import { createController } from "../controller.ts";
import type { Controller, ControllerOptions } from "../controller.ts";
import { handSource } from "./hand-source.ts";
import type { HandSource } from "./hand-source.ts";

export interface ControllerRigOptions
  extends Partial<Omit<ControllerOptions, "cluster" | "reconcile">>, Pick<ControllerOptions, "reconcile"> {
  /** @default an unreachable server */
  readonly script?: Script;
  /** @default a new runtime */
  readonly runtime?: TestRuntime;
  /** Clock of the controller. @default the manual clock of the runtime */
  readonly clock?: Clock;
  readonly clusterOptions?: Pick<ClusterOptions, "readYourWrites" | "fieldManager">;
}

export interface ControllerRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly server: ScriptedTransport;
  readonly cluster: Cluster;
  readonly controller: Controller;
  readonly source: HandSource;
  /** Ends the controller. */
  readonly end: AbortController;
  /** Runs the controller until everything has settled; `ended` is its result. */
  start(): Promise<void>;
  /** How `run` ended; undefined while it runs. */
  readonly ended: () => { readonly error?: unknown } | undefined;
  /** Values of a metric of this controller by its other label, such as `{ success: 2 }`; a number if it has no other label. */
  metric(name: string): Readonly<Record<string, number>> | number;
  stop(): Promise<void>;
}

/** Returns a controller named "web" with one source; nothing runs yet. */
export function controllerRig({
  script = [],
  runtime = testRuntime(),
  clock: seen = runtime.clock,
  clusterOptions = {},
  ...options
}: ControllerRigOptions): ControllerRig {
  const { clock, metrics } = runtime;
  const server = scriptedTransport(script);
  const cluster = createCluster({ ...clusterOptions, runtime: { ...runtime, clock: seen }, transport: server, namespace: "shop" });
  const controller = createController({ name: "web", cluster, ...options });
  const source = handSource();
  controller.watch(source);
  const end = new AbortController();
  let ended: { readonly error?: unknown } | undefined;
  const start = async (): Promise<void> => {
    controller.run(end.signal).then(
      () => {
        ended = {};
      },
      (error: unknown) => {
        ended = { error };
      },
    );
    await clock.settle();
  };
  return {
    runtime,
    clock,
    server,
    cluster,
    controller,
    source,
    end,
    start,
    ended: () => ended,
    metric: (name) => {
      const values = metricValues(metrics, name);
      const own = Object.entries(values).map(([labels, value]) => [labels.split(",").slice(1).join(","), value] as const);
      return own.every(([labels]) => labels === "") ? (own[0]?.[1] ?? 0) : Object.fromEntries(own);
    },
    stop: async () => {
      end.abort(new Error("the test is over"));
      await clock.advance(60_000);
    },
  };
}

export const keyOf = (key: string): ObjectKey => key as ObjectKey;
