/** The measurements of a server. */
import type { Target } from "./target.ts";

/** Milliseconds, sorted. */
export type Times = readonly number[];

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export const percentile = (times: Times, share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

async function timed(count: number, work: (index: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

const pods = "/api/v1/namespaces/bench/pods";

/** A typical Pod. */
export function podText(name: string): string {
  const container = (own: string): object => ({
    name: own,
    image: `registry.example.com/team/${own}:1.2.3`,
    ports: [{ containerPort: 8080, name: "http" }],
    env: Array.from({ length: 8 }, (_, index) => ({ name: `SETTING_${index}`, value: `value-${index}` })),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
    readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5 },
    livenessProbe: { httpGet: { path: "/live", port: "http" } },
  });
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "bench", tier: "web" }, annotations: { "example.com/note": "a pod of the benchmark" } },
    spec: { containers: [container("app"), container("proxy")] },
  });
}

async function expectStatus(answer: Promise<{ readonly status: number; readonly text: string }>, status: number): Promise<void> {
  const { status: found, text } = await answer;
  if (found !== status) throw new Error(`answered with ${found} instead of ${status}: ${text.slice(0, 300)}`);
}

export interface RequestTimes {
  readonly create: Times;
  readonly get: Times;
  readonly list: Times;
  readonly patch: Times;
  readonly seen: Times;
}

export interface RequestCounts {
  /** Number of measured requests of each kind. */
  readonly samples: number;
  /** Number of warm-up requests of each kind: servers run for days, so they are measured warm. */
  readonly warmUps: number;
}

/** Requests one after the other, and the time until a watcher has seen a new object. */
export async function measureRequests(target: Target, { samples, warmUps }: RequestCounts): Promise<RequestTimes> {
  await target.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: "bench" } }));
  await requestRound(target, "warm", warmUps);
  const times = await requestRound(target, "pod", samples);
  for (const resource of ["pods", "configmaps"]) await expectStatus(target.send("DELETE", `/api/v1/namespaces/bench/${resource}`), 200);
  return times;
}

async function requestRound(target: Target, prefix: string, count: number): Promise<RequestTimes> {
  const create = await timed(count, (index) => expectStatus(target.send("POST", pods, podText(`${prefix}-${index}`)), 201));
  const get = await timed(count, (index) => expectStatus(target.send("GET", `${pods}/${prefix}-${index}`), 200));
  const patch = await timed(count, (index) =>
    expectStatus(
      target.send(
        "PATCH",
        `${pods}/${prefix}-${index}`,
        `{"metadata":{"labels":{"round":"r${index}"}}}`,
        "application/strategic-merge-patch+json",
      ),
      200,
    ),
  );
  const list = await timed(count, () => expectStatus(target.send("GET", `${pods}?limit=100`), 200));
  return { create, get, list, patch, seen: await measureSeen(target, prefix, count) };
}

async function measureSeen(target: Target, prefix: string, count: number): Promise<Times> {
  const waiting = new Map<string, () => void>();
  const stop = await target.watch("/api/v1/namespaces/bench/configmaps?watch=true", (line) => {
    const name = /"name":"([a-z]+-\d+)"/.exec(line)?.[1] ?? "";
    waiting.get(name)?.();
    waiting.delete(name);
  });
  const times = await timed(count, async (index) => {
    const name = `${prefix}-${index}`;
    const seen = new Promise<void>((resolve) => waiting.set(name, resolve));
    await Promise.all([
      seen,
      expectStatus(
        target.send("POST", "/api/v1/namespaces/bench/configmaps", JSON.stringify({ metadata: { name }, data: { key: "value" } })),
        201,
      ),
    ]);
  });
  stop();
  return times;
}

export interface LargeTimes {
  /** Until all objects are created. */
  readonly fillMs: number;
  readonly listMs: Times;
  readonly listBytes: number;
}

/** A list of many Pods. */
export async function measureLargeList(target: Target, count: number): Promise<LargeTimes> {
  await target.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: "many" } }));
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let index = next++; index < count; index = next++)
        await expectStatus(target.send("POST", "/api/v1/namespaces/many/pods", podText(`pod-${index}`)), 201);
    }),
  );
  const fillMs = performance.now() - start;
  let listBytes = 0;
  const listMs = await timed(5, async () => {
    const { status, bytes } = await target.send("GET", "/api/v1/namespaces/many/pods?resourceVersion=0");
    if (status !== 200) throw new Error(`the list was answered with ${status}`);
    listBytes = bytes;
  });
  return { fillMs, listMs, listBytes };
}
