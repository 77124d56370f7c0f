/**
 * Drover's side of the HTTP/2 benchmark, as a separate process and from the built package; the same work as in go/main.go.
 *
 *     node drover.mjs URL CA-FILE TOKEN SERVER-PID http/1.1|h2 REQUESTS  →  one line of JSON for each measurement
 */
import { readFileSync } from "node:fs";
import { connect, isAlreadyExists } from "drover";
import { ConfigMap, DaemonSet, Deployment, Namespace, Node, Pod, ReplicaSet, Secret, Service, StatefulSet } from "drover/kinds";
import { nodeRuntime } from "drover/client";

const [url, caFile, token, serverPid, protocol, count] = process.argv.slice(2);
const requests = Number(count);
const [objects, watchers, starts] = [20, 20, 20];
const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  "current-context": "bench",
  clusters: [{ name: "bench", cluster: { server: url, "certificate-authority-data": readFileSync(caFile).toString("base64") } }],
  users: [{ name: "bench", user: { token } }],
  contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
};
const open = () =>
  connect({
    kubeconfig: { text: JSON.stringify(kubeconfig) },
    userAgent: "bench",
    runtime: nodeRuntime({ logLevel: "error" }),
    transport: { http2: protocol === "h2" },
  });

/** Seconds of processor time of the server: fields 14 and 15 of its stat, in hundredths. */
function serverSeconds() {
  const fields = readFileSync(`/proc/${serverPid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measure(name, times, work) {
  const before = { server: serverSeconds(), own: process.cpuUsage(), ms: performance.now() };
  await work();
  const seconds = (performance.now() - before.ms) / 1000;
  const { user, system } = process.cpuUsage(before.own);
  process.stdout.write(
    `${JSON.stringify({
      name,
      perSecond: times / seconds,
      serverCpuMicroseconds: ((serverSeconds() - before.server) * 1e6) / times,
      clientCpuMicroseconds: (user + system) / times,
      microseconds: (seconds * 1e6) / times,
    })}\n`,
  );
}

async function inParallel(times, workers, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < times) await work(next++ % objects);
    }),
  );
}

const connection = await open();
const { client } = connection;
const nameOf = (index) => `bench-${index}`;
const inDefault = { namespace: "default" };
for (let index = 0; index < objects; index++) {
  try {
    await client.create(ConfigMap, { metadata: { name: nameOf(index) }, data: { a: "x".repeat(500) } }, inDefault);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
let value = 0;
const get = (index) => client.get(ConfigMap, nameOf(index), inDefault);
const patch = (index) =>
  client.patch(ConfigMap, nameOf(index), { type: "merge", body: { data: { b: `${process.pid}-${value++}` } } }, inDefault);

await inParallel(requests / 4, 32, get);
await measure("GET, 32 at once", requests, () => inParallel(requests, 32, get));
await measure("GET, one after the other", requests / 4, () => inParallel(requests / 4, 1, get));
await inParallel(requests / 4, 32, patch);
await measure("PATCH, 32 at once", requests / 2, () => inParallel(requests / 2, 32, patch));

const stop = new AbortController();
let events = 0;
for (let index = 0; index < watchers; index++) {
  const watch = client.watch(ConfigMap, { ...inDefault, signal: stop.signal });
  void (async () => {
    for await (const { type } of watch) if (type === "MODIFIED") events++;
  })().catch(() => undefined);
}
const writes = requests / 4;
await measure(`events to ${watchers} watches`, writes * watchers, async () => {
  await inParallel(writes, 8, patch);
  for (const end = performance.now() + 60_000; events < writes * watchers; await new Promise((resolve) => setTimeout(resolve, 1)))
    if (performance.now() > end) throw new Error(`${events} of ${writes * watchers} events arrived`);
});
stop.abort();

await measure("ten informers of a new client", starts, async () => {
  for (let start = 0; start < starts; start++) {
    const other = await open();
    const kinds = [ConfigMap, Pod, Service, Node, Secret, Namespace, Deployment, ReplicaSet, DaemonSet, StatefulSet];
    for (const kind of kinds) other.cluster.informers.acquire(kind);
    const over = new AbortController();
    const running = other.cluster.run(over.signal);
    await other.cluster.informers.waitForSync(over.signal);
    over.abort();
    await running;
    await other.close();
  }
});
await connection.close();
