/** One measurement of a cache of Pods in a process of its own, against the replay server; what the modes are: bench/cache.ts. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";

export type CacheMode = "sync" | "keep" | "key" | "read" | "fields" | "latency";

export interface CacheStep {
  readonly mode: CacheMode;
  readonly pods: number;
  readonly events: number;
  /** Events per second; 0 for full speed. */
  readonly rate: number;
}

export interface CacheMeasured {
  readonly syncMs: number;
  readonly importMs?: number;
  readonly objects: number;
  readonly peakRssBytes: number;
  readonly loopDelayP99Ms?: number;
  readonly keptBytes?: number;
  readonly lookedBytes?: number;
  readonly eventsPerSecond?: number;
  readonly cpuSeconds?: number;
  /** p50 and p99 in microseconds. */
  readonly latencies?: readonly [number, number];
}

const root = join(import.meta.dirname, "..", "..");

/** The command of our side on the given Node. */
export function ourCache(node: string): readonly string[] {
  return [node, "--expose-gc", join(import.meta.dirname, "drover.mjs")];
}

/** Throws unless the cache has all Pods after its sync. @param url - of the replay server */
export async function measureCache(
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  step: CacheStep,
  url: string,
): Promise<CacheMeasured> {
  const [program = "", ...args] = command;
  const { mode, pods, events, rate } = step;
  const settings = {
    url: `${url}/s/${randomUUID()}/${pods}/${events}/${rate}`,
    pods,
    events,
    mode,
    startedMs: performance.timeOrigin + performance.now(),
  };
  const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(settings)], {
    timeout: 300_000,
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
  const result = JSON.parse(stdout) as CacheMeasured;
  if (result.objects !== pods) throw new Error(`${name} has ${result.objects} objects after its sync instead of ${pods}`);
  return result;
}
