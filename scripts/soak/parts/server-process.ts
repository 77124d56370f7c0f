/**
 * The API server of a soak: the embedded one on a real socket, with a writer, faults of requests, and restarts.
 *
 * The writer puts changes into the store of the server, not through its API: validation would limit the rate, and the figures are about
 * what follows a commit.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createApiServer, MemoryStore } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { listen, nodeHost } from "@drover/apiserver/node";
import { createRandom, pick } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { serveCalls } from "./child.ts";
import { marksCount, marksNamespace, namespaces } from "./scene.ts";
import type { LoadOrder, LoadReport, OpenServer, RequestReport, Revisions } from "./scene.ts";

const runtime = nodeRuntime({ write: () => undefined });
const store = new MemoryStore({ clock: runtime.clock, quotaBytes: 4 * 2 ** 30 });
const json = { "content-type": "application/json" };
const nowMs = (): number => performance.timeOrigin + performance.now();

/** Parts of a stored ConfigMap between its name, namespace, uid and text. */
let template: readonly string[] = [];
let padding = "";
let revisions: Record<string, Float64Array> = {};
let server: ApiServer;
let address = { host: "127.0.0.1", port: 0 };
let closing = new AbortController();
let serving: Promise<void> = Promise.resolve();
let isStopped = false;
/** When each request arrived, since the last `requests`. */
let arrivals: number[] = [];
let lists = 0;
let faults = { perSecond: 0, credit: 0, atMs: 0, count: 0, random: createRandom(1) };

async function open({ objects, bytes, host = "127.0.0.1" }: OpenServer): Promise<number> {
  server = await createApiServer({ runtime, host: nodeHost, store, anonymous: true, authorizationModes: ["AlwaysAllow"] });
  for (const name of [...namespaces, marksNamespace]) await post("/api/v1/namespaces", { metadata: { name } });
  await learnTemplate();
  padding = "x".repeat(Math.max(0, bytes - template.join("").length - 120));
  revisions = Object.fromEntries(namespaces.map((name) => [name, new Float64Array(objects)]));
  for (const namespace of namespaces) for (let number = 0; number < objects; number++) await write(namespace, number);
  for (let number = 0; number < marksCount; number++) {
    const name = `m${number}`;
    await store.put(`/registry/configmaps/${marksNamespace}/${name}`, stored(marksNamespace, name), { expected: 0 });
  }
  address = { host, port: 0 };
  return await serve();
}

async function post(path: string, body: object): Promise<void> {
  const { status } = await server.handle({ method: "POST", path, headers: json, body: JSON.stringify(body) });
  if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
}

/** Creates one object through the API, so that the others are stored as the server stores them. */
async function learnTemplate(): Promise<void> {
  const [namespace] = namespaces;
  await post(`/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: "template-name" },
    data: { at: "template-at", text: "template-text" },
  });
  const key = `/registry/configmaps/${namespace}/template-name`;
  const { stored: found } = await store.get(key);
  if (found === undefined) throw new Error("the store has other keys than expected");
  const uid = (JSON.parse(found.value) as { metadata: { uid: string } }).metadata.uid;
  template = found.value
    .replace(uid, "\0uid\0")
    .replace("template-name", "\0name\0")
    .replace(`"namespace":"${namespace}"`, '"namespace":"\0namespace\0"')
    .replace("template-at", "\0at\0")
    .replace("template-text", "\0text\0")
    .split("\0");
  await store.delete(key, found.modRevision);
}

function stored(namespace: string, name: string): string {
  const values: Readonly<Record<string, string>> = { uid: runtime.uid(), name, namespace, at: String(nowMs()), text: padding };
  return template.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? ""))).join("");
}

/** Returns the new revision. */
async function write(namespace: string, number: number): Promise<number> {
  const of = revisions[namespace];
  if (of === undefined) throw new Error(`no namespace ${namespace}`);
  const name = `n${number}`;
  const outcome = await store.put(`/registry/configmaps/${namespace}/${name}`, stored(namespace, name), { expected: of[number] ?? 0 });
  if (!outcome.written) throw new Error(`${namespace}/${name} was written by another`);
  of[number] = outcome.revision;
  return outcome.revision;
}

async function remove(namespace: string, number: number): Promise<void> {
  const of = revisions[namespace];
  if (of === undefined) return;
  await store.delete(`/registry/configmaps/${namespace}/n${number}`, of[number] ?? 0);
  of[number] = 0;
}

/** Listens, on the same port as before. */
async function serve(): Promise<number> {
  closing = new AbortController();
  const { clock, log } = runtime;
  const listener = await listen({
    ...address,
    names: [address.host],
    connection: (peer) => observed(server.connection(peer)),
    tls: "none",
    clock,
    log,
    limits: { graceMs: 1 },
  });
  address = { ...address, port: listener.port };
  serving = listener.run(closing.signal);
  return listener.port;
}

/** Counts requests, and fails some of those that are not watches. */
function observed(next: Transport): Transport {
  return async (request) => {
    arrivals.push(nowMs());
    const isWatch = request.path.includes("watch=");
    if (
      request.method === "GET" &&
      /\/configmaps(?:\?|$)/.test(request.path) &&
      (!isWatch || request.path.includes("sendInitialEvents=true"))
    )
      lists++;
    return isWatch || !isFaultDue() ? next(request) : faulty(request, next);
  };
}

function isFaultDue(): boolean {
  const at = nowMs();
  faults.credit = Math.min(faults.perSecond, faults.credit + ((at - faults.atMs) * faults.perSecond) / 1000);
  faults.atMs = at;
  if (faults.credit < 1) return false;
  faults.credit--;
  faults.count++;
  return true;
}

/** Every one of these changes the outcome: an error instead of an answer, before or after the server has done its work. */
async function faulty(request: HttpRequest, next: Transport): Promise<HttpResponse> {
  const kind = pick(faults.random, [409, 500, 503, 504, "lost answer", "lost request"] as const);
  if (typeof kind === "number") {
    const body = { kind: "Status", apiVersion: "v1", status: "Failure", message: "injected", code: kind, reason: reasons[kind] };
    return { status: kind, headers: json, body: JSON.stringify(body) };
  }
  if (kind === "lost answer") await next(request);
  return { status: 200, headers: json, body: broken() };
}

const reasons: Readonly<Record<number, string>> = { 409: "Conflict", 500: "InternalError", 503: "ServiceUnavailable", 504: "Timeout" };

/** A body that makes the listener drop the connection. */
async function* broken(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield new TextEncoder().encode('{"kind":');
  throw new Error("injected");
}

/** Writes at this rate, if the machine can: it reports how many it wrote. */
async function load({ eventsPerSecond, forMs, seed }: LoadOrder): Promise<LoadReport> {
  const random = createRandom(seed);
  const beganMs = performance.now();
  let [events, deletions] = [0, 0];
  isStopped = false;
  for (;;) {
    const elapsedMs = Math.min(forMs, performance.now() - beganMs);
    const due = Math.min(Math.floor((elapsedMs * eventsPerSecond) / 1000) - events, 200);
    for (let index = 0; index < due; index++) if (await change(random)) deletions++;
    events += Math.max(0, due);
    if (
      isStopped ||
      (elapsedMs >= forMs && events >= Math.floor((forMs * eventsPerSecond) / 1000)) ||
      performance.now() - beganMs > forMs * 1.02 + 50
    )
      return { events, deletions, elapsedMs: performance.now() - beganMs };
    await (due >= 200 ? new Promise<void>((resolve) => void setImmediate(resolve)) : delay(4));
  }
}

/** Writes an object, or deletes one of a hundred; returns whether it deleted one. */
async function change(random: Random): Promise<boolean> {
  const namespace = pick(random, namespaces);
  const of = revisions[namespace];
  const number = random.int(of?.length ?? 1);
  const deletes = of?.[number] !== 0 && random.int(100) === 0;
  if (deletes) await remove(namespace, number);
  else await write(namespace, number);
  return deletes;
}

/**
 * Drops all connections and the history, refuses connections for a while, and returns when it listens again. Something has changed
 * meanwhile: without a change, a cache that knew the last one could resume its watch.
 */
async function restart({ downMs }: { readonly downMs: number }): Promise<{ readonly readyMs: number }> {
  closing.abort();
  await serving;
  await post("/api/v1/namespaces", { metadata: { generateName: "restarted-" } });
  await server.compact();
  await delay(downMs);
  await serve();
  return { readyMs: nowMs() };
}

function requests(): RequestReport {
  const sorted = arrivals;
  let [peakPerSecond, from] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while ((sorted[from] ?? at) <= at - 1000) from++;
    peakPerSecond = Math.max(peakPerSecond, index - from + 1);
  }
  const report = { total: sorted.length, lists, peakPerSecond };
  arrivals = [];
  lists = 0;
  return report;
}

serveCalls({
  open,
  write: ({ namespace, number }: { readonly namespace: string; readonly number: number }) => write(namespace, number),
  load,
  stopLoad: () => {
    isStopped = true;
  },
  restart,
  compact: () => server.compact(),
  requests,
  revisions: (): Revisions => revisions,
  setFaults: ({ perSecond, seed }: { readonly perSecond: number; readonly seed: number }) => {
    const { count } = faults;
    faults = { perSecond, credit: 0, atMs: nowMs(), count: 0, random: createRandom(seed) };
    return count;
  },
});
