/**
 * `npm run bench -- shards [--objects 50000] [--for 60s] [--seed 1]`: a sharded controller of ConfigMaps as several processes on
 * our API server. First 1, 2 and 4 replicas write into every object once, from their start to the last object. Then replicas
 * are killed, paused beyond the lease, stopped and added at random; `--for 10m` is the long form.
 *
 * The server's commits judge: no write of an object by a replica that does not hold its shard, and no shard without a holder
 * for longer than the lease after the last one's lease has expired. Exits with 1 otherwise. Server and replicas share the
 * machine, so figures for several replicas mean little on two cores.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { Lease } from "@drover/api/coordination/v1";
import { createRandom, parseDuration, pick } from "@drover/machinery";
import type { KubeObject, Kind } from "@drover/machinery";
import { connect, nodeRuntime } from "drover";
import { startOurServer } from "./processes/our-server.ts";
import { judge } from "./report/judge.ts";
import { printTable } from "./report/table.ts";
import { Ownership } from "../conformance/replicas/ownership.ts";

const options = readOptions(process.argv.slice(3));
const [namespace, name, shardCount] = ["shop", "bench", 16];
/** Short, so that many failovers fit; in the proportions of the defaults. */
const timing = { leaseDurationMs: 5000, renewDeadlineMs: 3500, retryPeriodMs: 1000 };
const prefix = "bench.drover.dev/";
const random = createRandom(options.seed);
const runtime = nodeRuntime({ write: () => undefined });
const { child, started } = await startOurServer();
const kubeconfig = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name, cluster: { server: started.url, "certificate-authority-data": Buffer.from(started.ca).toString("base64") } }],
  users: [{ name, user: { token: started.token } }],
  contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  "current-context": name,
});
const { client } = await connect({ kubeconfig: { text: kubeconfig }, runtime });
const stop = new AbortController();
let ownership = new Ownership();
/** Objects that carry the current round. */
let done = new Set<string>();
let round = "";
const replicas = new Set<Replica>();
let startedReplicas = 0;

interface Replica {
  readonly identity: string;
  readonly child: ChildProcess;
  isPaused: boolean;
}

try {
  await client.create(Namespace, { metadata: { name: namespace } });
  const following = [follow(ConfigMap, sawObject), follow(Lease, sawLease)];
  await fill();
  const rows: string[][] = [["replicas", "s for all objects", "objects/s"]];
  for (const count of [1, 2, 4]) rows.push(await measure(count));
  printTable(rows);
  await chaos();
  stop.abort();
  await Promise.all(following);
} finally {
  for (const replica of replicas) replica.child.kill("SIGKILL");
  child.kill();
}
process.exit();

function readOptions(args: readonly string[]): { readonly objects: number; readonly forMs: number; readonly seed: number } {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) given.set(args[at] ?? "", args[at + 1] ?? "");
  for (const option of given.keys()) {
    if (["--objects", "--for", "--seed"].includes(option)) continue;
    process.stderr.write(`bench shards: unknown option "${option}"; there are --objects 50000, --for 60s and --seed 1.\n`);
    process.exit(2);
  }
  return {
    objects: Number(given.get("--objects") ?? 50_000),
    forMs: parseDuration(given.get("--for") ?? "60s"),
    seed: Number(given.get("--seed") ?? 1),
  };
}

async function fill(): Promise<void> {
  const left = Array.from({ length: options.objects }, (_, n) => `map-${n}`).values();
  const data = { "listen-address": "0.0.0.0:8080", "log-level": "info", upstream: "http://web.shop.svc:8080" };
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const map of left) await client.create(ConfigMap, { metadata: { name: map }, data });
    }),
  );
}

/** Passes every commit to `saw`, also after the server has ended a watch. A gap is an error. */
async function follow<T extends KubeObject>(kind: Kind<T>, saw: (object: KubeObject) => void): Promise<void> {
  const list = await client.list(kind, { namespace });
  let since = list.metadata.resourceVersion ?? "";
  while (!stop.signal.aborted) {
    try {
      for await (const { object } of client.watch(kind, { namespace, resourceVersion: since, signal: stop.signal })) {
        since = object.metadata?.resourceVersion ?? since;
        saw(object);
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      throw error;
    }
  }
}

function sawObject({ metadata: { name: key = "", annotations = {}, resourceVersion } }: KubeObject): void {
  const by = annotations[`${prefix}by`];
  const touched = annotations[`${prefix}touched`] ?? "";
  // Our own touches change nothing that a replica wrote.
  if (by === undefined || annotations[`${prefix}seen`] !== touched) return;
  ownership.write({ commit: Number(resourceVersion), key, shard: Number(annotations[`${prefix}shard`]), by });
  if (annotations[`${prefix}round`] === round) done.add(key);
}

function sawLease(object: KubeObject): void {
  const { metadata, spec } = object as Lease;
  const [, shard] = /-shard-(\d+)-of-/.exec(metadata.name ?? "") ?? [];
  if (shard === undefined) return;
  ownership.lease({
    commit: Number(metadata.resourceVersion),
    shard: Number(shard),
    holder: spec?.holderIdentity ?? "",
    renewedMs: Date.parse(spec?.renewTime ?? ""),
  });
}

function startReplica(): void {
  const identity = `replica-${++startedReplicas}`;
  const settings = { kubeconfig, identity, name, namespace, round, count: shardCount, timing };
  const program = spawn(process.execPath, [join(import.meta.dirname, "shards", "replica.mjs"), JSON.stringify(settings)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const replica: Replica = { identity, child: program, isPaused: false };
  replicas.add(replica);
  program.once("exit", () => replicas.delete(replica));
}

async function stopAll(): Promise<void> {
  for (const replica of replicas) replica.child.kill("SIGTERM");
  await until("all replicas have ended", 30_000, () => replicas.size === 0);
}

async function until(what: string, timeoutMs: number, holds: () => boolean): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; !holds(); await delay(20))
    if (performance.now() > endMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
}

function begin(next: string): void {
  round = next;
  done = new Set();
}

async function measure(count: number): Promise<string[]> {
  begin(`${count} replicas`);
  const startMs = performance.now();
  for (let n = 0; n < count; n++) startReplica();
  await until("every object was written", 300_000, () => done.size === options.objects);
  const seconds = (performance.now() - startMs) / 1000;
  await stopAll();
  return [String(count), seconds.toFixed(1), (options.objects / seconds).toFixed(0)];
}

async function chaos(): Promise<void> {
  begin("chaos");
  ownership = new Ownership();
  const counts = { kill: 0, pause: 0, stop: 0, add: 0 };
  for (let n = 0; n < 4; n++) startReplica();
  await until("every object was written", 300_000, () => done.size === options.objects);
  const endMs = performance.now() + options.forMs;
  const touching = touch(endMs);
  while (performance.now() < endMs) {
    const what = trouble();
    if (what !== undefined) counts[what]++;
    await delay(500 + random.int(3000));
  }
  await touching;
  for (const replica of replicas) resume(replica);
  // A last takeover, and the writes that follow from it.
  await delay(3 * timing.leaseDurationMs);
  await stopAll();
  await delay(1000);
  const { writes, terms, strayWrites, movedKeys, takeoverMs, handoverMs } = ownership.findings();
  process.stdout.write(
    `\n${counts.kill} kills, ${counts.pause} pauses, ${counts.stop} stops, ${counts.add} additions; ${terms} terms of ${shardCount} shards, ${writes} writes of ${options.objects} objects, seed ${options.seed}\n`,
  );
  for (const sentence of [...strayWrites, ...movedKeys.map((key) => `${key} was in two shards`)].slice(0, 10))
    process.stdout.write(`  ${sentence}\n`);
  process.stdout.write(
    `longest from the last renewal of a replica that vanished to the next holder: ${takeoverMs} ms; from a release: ${handoverMs} ms; lease ${timing.leaseDurationMs} ms\n\nGoals:\n`,
  );
  judge("writes without the shard", strayWrites.length + movedKeys.length, "", { atMost: 0 });
  judge("ms without a valid lease", Math.max(handoverMs, takeoverMs - timing.leaseDurationMs), "", { atMost: timing.leaseDurationMs });
}

/** Kills, pauses, stops or adds a replica; at least two stay that work. */
function trouble(): "kill" | "pause" | "stop" | "add" | undefined {
  const working = [...replicas].filter(({ isPaused }) => !isPaused);
  const what = pick(random, ["kill", "pause", "stop", "add"] as const);
  if (what === "add" || working.length < 3) {
    if (replicas.size >= 6) return undefined;
    startReplica();
    return "add";
  }
  const replica = pick(random, working);
  if (what === "kill") replica.child.kill("SIGKILL");
  if (what === "stop") replica.child.kill("SIGTERM");
  if (what === "pause") {
    replica.isPaused = true;
    replica.child.kill("SIGSTOP");
    void delay((1 + 2 * random.next()) * timing.leaseDurationMs).then(() => resume(replica));
  }
  return what;
}

function resume(replica: Replica): void {
  replica.isPaused = false;
  replica.child.kill("SIGCONT");
}

/** Touches objects, so that replicas have work at every moment. */
async function touch(endMs: number): Promise<void> {
  for (let step = 1; performance.now() < endMs; step++) {
    const body = { metadata: { annotations: { [`${prefix}touched`]: String(step) } } };
    await client.patch(ConfigMap, `map-${random.int(options.objects)}`, { type: "merge", body });
    await delay(5);
  }
}
