/**
 * `npm run bench -- cluster [replicas] [rounds]`: our whole cluster (`drover up --instant`, started as `npm start` does
 * it) and the real parts (etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok; their request limits
 * lifted), in the same run, one after the other, with the same client over TLS. Measures a Deployment until all its
 * pods are ready, its rolling update, the deletion of its namespace, memory of all processes, and CPU when idle.
 *
 * Needs the programs of `npm run assets`. Exits with 1 when a bound does not hold.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "drover";
import type { Client } from "drover";
import { Deployment, Namespace } from "drover/kinds";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { engineFlags } from "./processes/engine-flags.ts";
import { processUsage } from "./processes/process-usage.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const replicas = Number(process.argv[3] ?? 1000);
const rounds = Number(process.argv[4] ?? 3);
const nodes = Math.ceil((replicas * 1.25) / 110) + 1;
const idleSeconds = 10;
const root = join(import.meta.dirname, "..");

Object.assign(process.env, assetEnvironment());
const { realClusterMissing, startRealCluster } = await import("../conformance/servers/real-cluster.ts");
const missing = realClusterMissing({ scheduler: true, kwok: { count: nodes } });
if (missing !== undefined) {
  process.stderr.write(`bench cluster: cannot compare with Kubernetes: ${missing}.\n`);
  process.exit(2);
}

interface Results {
  readonly readyMs: number;
  readonly rolledMs: number;
  readonly goneMs: number;
  readonly idleMegabytes: number;
  readonly fullMegabytes: number;
  /** Share of one core when idle. */
  readonly idleCpuShare: number;
}

interface StartedCluster {
  readonly kubeconfig: string;
  /** Text that occurs in the command lines of its processes and in no others. */
  readonly mark: string;
  readonly stop: () => Promise<void>;
}

async function startOurs(): Promise<StartedCluster> {
  const folder = mkdtempSync(join(tmpdir(), "drover-bench-cluster-"));
  const kubeconfig = join(folder, "kubeconfig");
  const child = spawn(
    process.execPath,
    [
      ...engineFlags,
      join(root, "packages", "cli", "dist", "bin", "drover.js"),
      "up",
      "--kubeconfig",
      kubeconfig,
      "--nodes",
      String(nodes),
      "--instant",
      "--quiet",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null) throw new Error(`drover up ended with ${child.exitCode}`);
    await delay(20);
  }
  return {
    kubeconfig,
    mark: folder,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startTheirs(): Promise<StartedCluster> {
  const { kubeconfig, stop } = await startRealCluster({ scheduler: true, kwok: { count: nodes } });
  return { kubeconfig, mark: "drover-real-", stop };
}

async function measure(start: () => Promise<StartedCluster>): Promise<Results> {
  const { kubeconfig, mark, stop } = await start();
  const cluster = await connect({ kubeconfig });
  try {
    const { client } = cluster;
    await delay(3000);
    const before = processUsage(mark);
    await delay(idleSeconds * 1000);
    const after = processUsage(mark);
    await client.create(Namespace, { metadata: { name: "bench" } });
    const readyMs = await timed(async () => {
      await client.create(Deployment, {
        metadata: { name: "web", namespace: "bench" },
        spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template("web:1") },
      });
      await untilComplete(client);
    });
    const { megabytes: fullMegabytes } = processUsage(mark);
    const rolledMs = await timed(async () => {
      await client.patch(Deployment, "web", { type: "merge", body: { spec: { template: template("web:2") } } }, { namespace: "bench" });
      await untilComplete(client);
    });
    const goneMs = await timed(async () => {
      await client.delete(Namespace, "bench");
      while (
        await client.get(Namespace, "bench").then(
          () => true,
          () => false,
        )
      )
        await delay(20);
    });
    return {
      readyMs,
      rolledMs,
      goneMs,
      idleMegabytes: after.megabytes,
      fullMegabytes,
      idleCpuShare: (after.cpuSeconds - before.cpuSeconds) / idleSeconds,
    };
  } finally {
    await cluster.close();
    await stop();
  }
}

const template = (image: string) => ({ metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } });

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** All replicas are of the newest template and available, and no other is left. */
async function untilComplete(client: Client): Promise<void> {
  for (;;) {
    const { metadata, status } = await client.get(Deployment, "web", { namespace: "bench" });
    if (
      status?.observedGeneration === metadata.generation &&
      [status?.updatedReplicas, status?.availableReplicas, status?.replicas].every((count) => count === replicas)
    )
      return;
    await delay(20);
  }
}

const measured: { readonly ours: Results; readonly theirs: Results }[] = [];
for (let round = 1; round <= rounds; round++) {
  process.stdout.write(`round ${round} of ${rounds}: our cluster, then the real parts …\n`);
  measured.push({ ours: await measure(startOurs), theirs: await measure(startTheirs) });
}

const [ours, theirs] = [measured.map((pair) => pair.ours), measured.map((pair) => pair.theirs)];
const rows: readonly (readonly [string, (results: Results) => number, string, number | undefined])[] = [
  [`${replicas} replicas until all are ready`, ({ readyMs }) => readyMs / 1000, "s", 0.35],
  ["rolling update", ({ rolledMs }) => rolledMs / 1000, "s", 0.45],
  ["namespace with all of it gone", ({ goneMs }) => goneMs / 1000, "s", 0.2],
  ["memory, idle", ({ idleMegabytes }) => idleMegabytes, "MB", 0.3],
  [`memory with ${replicas} pods`, ({ fullMegabytes }) => fullMegabytes, "MB", 0.3],
  ["CPU when idle, share of a core", ({ idleCpuShare }) => idleCpuShare * 100, "%", undefined],
];
printTable([
  ["", "ours", "real parts", "ratio"],
  ...rows.map(([what, pick, unit]) => [
    what,
    `${median(ours.map(pick)).toFixed(1)} ${unit}`,
    `${median(theirs.map(pick)).toFixed(1)} ${unit}`,
    medianRatio(ours.map(pick), theirs.map(pick)).toFixed(2),
  ]),
]);
for (const [what, pick, , atMost] of rows)
  if (atMost !== undefined) judge(what, medianRatio(ours.map(pick), theirs.map(pick)), "× the real parts", { atMost });
