/**
 * Single controllers on our server, with a clock that the test moves.
 *
 *     openManualScene → SceneServer → runControllers(server, …) → until(…), end()
 */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { Client, TransportWrapper } from "@drover/client";
import { createEventBroadcaster, createManager } from "@drover/controller";
import { createCluster } from "@drover/cache";
import type { ManagerRuntime } from "@drover/controller";
import { isNotFound, isTooManyRequests } from "@drover/machinery";
import type { Kind, KubeObject, Scope, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";

/** A server and its clock. */
export interface SceneServer {
  readonly runtime: ManagerRuntime;
  readonly transport: Transport;
  readonly client: Client;
  /** Lets everything happen that is due within `ms`; in real time it waits much shorter. */
  readonly calm: (ms?: number) => Promise<void>;
  /** Lets time pass until it holds; rejects after a minute. */
  readonly until: (what: string, holds: () => boolean | Promise<boolean>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long a scene waits for a condition. */
export const waitMaxMs = 60_000;

/** Our server on a manual clock. */
export async function openManualScene(seed = 1): Promise<SceneServer> {
  const clock = new ManualClock({ quietTurns: 128 });
  const runtime = testRuntime({ clock, seed });
  const server = await createApiServer({ runtime, host: nodeHost });
  return {
    runtime,
    transport: server.handle,
    client: createClient({ transport: server.handle, clock, log: runtime.log, namespace: "default" }),
    calm: (ms = 0) => clock.advance(ms),
    until: async (what, holds) => {
      for (let waitedMs = 0; waitedMs <= waitMaxMs; waitedMs += 50) {
        if (await holds()) return;
        await clock.advance(50);
      }
      throw new Error(`after ${waitMaxMs} ms it is still not so: ${what}`);
    },
    close: () => Promise.resolve(server.close()),
  };
}

export interface RunningControllers {
  /** Ends like a crashed process: nothing under way is awaited. */
  readonly end: () => Promise<void>;
}

export interface RunControllersOptions {
  readonly controllers: readonly ControllerDescriptor[];
  /** Wraps every request of the controllers. @default none */
  readonly wrap?: TransportWrapper;
  /** @default "drover" */
  readonly preset?: ControllerContext["preset"];
}

/** Runs controllers on a server, like one process. */
export function runControllers(
  { runtime, transport, calm }: SceneServer,
  { controllers, wrap = (next) => next, preset = "drover" }: RunControllersOptions,
): RunningControllers {
  const cluster = createCluster({ runtime, transport: wrap(transport), namespace: "default", informers: { audit: false } });
  const manager = createManager({ runtime, cluster, permissions: "off", graceMs: 0 });
  const events = createEventBroadcaster({ ...runtime, client: cluster.client });
  manager.add({ name: "events", group: "server", run: (signal) => events.run(signal) });
  for (const { add } of controllers) add({ manager, events, preset });
  const stop = new AbortController();
  // Work that has not ended at once is what a crashed process leaves behind.
  const ended = manager.run(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    end: async () => {
      stop.abort();
      await Promise.all([ended, calm(10)]);
    },
  };
}

/** The names of all existing objects of a kind. */
export async function namesOf<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  namespace?: string,
): Promise<readonly string[]> {
  const { items } = await client.dynamic(kind).list(namespace === undefined ? {} : { namespace });
  return items.map(({ metadata: { name = "" } }) => name).toSorted();
}

/** Whether a kind was just defined: it is not served everywhere yet, or its storage is being initialized. */
export const isNotServedYet = (error: unknown): boolean => isNotFound(error) || isTooManyRequests(error);

/** Whether the object is gone. */
export async function isGone<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  name: string,
  namespace?: string,
): Promise<boolean> {
  try {
    await client.dynamic(kind).get(name, namespace === undefined ? {} : { namespace });
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}
