/**
 * An API server and an operator in processes of their own, with a fault proxy between them, under load.
 *
 *     server-process ← FaultProxy (here) ← operator-process
 */
import { setTimeout as delay } from "node:timers/promises";
import { startChild } from "./child.ts";
import type { Child } from "./child.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { namespaces } from "./scene.ts";
import type { LoadReport, Revisions } from "./scene.ts";

export interface LoadSceneOptions {
  /** Of each of the three namespaces. */
  readonly objects: number;
  readonly bytes: number;
  readonly seed: number;
}

export interface LoadOutcome extends LoadReport {
  readonly faults: number;
  readonly watchFaults: number;
}

/** Share of the faults that break a watch, at most this many per second: one that is broken at once again stays in its backoff. */
const watchFaultsMax = 2;
/** How long after the last fault every change must have been reconciled. */
const settleMs = 120_000;

export class LoadScene {
  readonly server: Child;
  readonly operator: Child;
  readonly proxy: FaultProxy;
  readonly #seed: number;

  private constructor(server: Child, operator: Child, proxy: FaultProxy, seed: number) {
    this.server = server;
    this.operator = operator;
    this.proxy = proxy;
    this.#seed = seed;
  }

  /** Resolves when every object has been reconciled once. */
  static async open({ objects, bytes, seed }: LoadSceneOptions): Promise<LoadScene> {
    const server = startChild("server-process.ts", { heapMegabytes: 6144 });
    const operator = startChild("operator-process.ts", { heapMegabytes: 4096 });
    const port = await server.call<number>("open", { objects, bytes });
    const proxy = await FaultProxy.open(port, seed);
    await operator.call("open", { url: proxy.url, objects });
    return new LoadScene(server, operator, proxy, seed);
  }

  /** Writes and breaks at these rates, as far as the machine can. */
  async load(eventsPerSecond: number, faultsPerSecond: number, forMs: number): Promise<LoadOutcome> {
    const watchFaults = Math.min(watchFaultsMax, faultsPerSecond / 4);
    const before = this.proxy.faults;
    this.proxy.breakWatches(watchFaults);
    await this.server.call("setFaults", { perSecond: faultsPerSecond, seed: this.#seed });
    const report = await this.server.call<LoadReport>("load", { eventsPerSecond, forMs, seed: this.#seed });
    this.proxy.breakWatches(0);
    const requestFaults = await this.server.call<number>("setFaults", { perSecond: 0, seed: this.#seed });
    const broken = this.proxy.faults - before;
    return { ...report, faults: requestFaults + broken, watchFaults: broken };
  }

  /** Objects whose newest state no reconcile has started with: "namespace/number". Waits until there are none, or for two minutes. */
  async lost(): Promise<{ readonly keys: readonly string[]; readonly afterMs: number }> {
    const beganMs = performance.now();
    for (;;) {
      const keys = lostKeys(await this.server.call<Revisions>("revisions"), await this.operator.call<Revisions>("seen"));
      const afterMs = performance.now() - beganMs;
      if (keys.length === 0 || afterMs > settleMs) return { keys, afterMs };
      await delay(200);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.operator.end(), this.server.end()]);
    await this.proxy.close();
  }
}

/** An object that does not exist must have been seen as such: 0. */
export function lostKeys(written: Revisions, seen: Revisions): readonly string[] {
  return namespaces.flatMap((namespace) =>
    [...(written[namespace] ?? [])].flatMap((revision, number) => {
      const found = seen[namespace]?.[number] ?? -1;
      return revision === 0 ? (found === 0 ? [] : [`${namespace}/n${number}`]) : found >= revision ? [] : [`${namespace}/n${number}`];
    }),
  );
}
