/**
 * A cluster in one process, from the built packages, that rolls a Deployment again and again. The history of its store, which is bounded
 * by time and bytes, is compacted before each measurement, so that the figures are about everything else.
 *
 *     node cluster.mjs <pods> <rounds>  →  a line of JSON per round, and one after the Deployment is gone
 */
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Until the informers have seen the last writes. */
const settleMs = 500;
const [pods, rounds] = process.argv.slice(2).map(Number);
const [{ MemoryStore }, { startCluster }, { nodeRuntime }, { Deployment, Event, Pod, ReplicaSet }] = await Promise.all([
  import("@drover/apiserver"),
  import("@drover/dev-cluster"),
  import("drover"),
  import("drover/kinds"),
]);
setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc");
const runtime = nodeRuntime({ logLevel: "error" });
const store = new MemoryStore({ clock: runtime.clock });
const cluster = await startCluster({ runtime, nodes: Math.ceil((pods * 1.5) / 110) + 1, server: { store } });
const { client } = cluster;
const here = { namespace: "default" };
const template = (image) => ({ metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } });
const spec = { replicas: pods, revisionHistoryLimit: 2, selector: { matchLabels: { app: "web" } } };

await client.create(Deployment, { metadata: { name: "web", ...here }, spec: { ...spec, template: template("web:0") } });
await report("created");
for (let round = 1; round <= rounds; round++) {
  await client.patch(Deployment, "web", { type: "merge", body: { spec: { template: template(`web:${round}`) } } }, here);
  await report(`rollout ${round}`);
}
await client.delete(Deployment, "web", here);
while ((await client.list(Pod, here)).items.length > 0) await delay(50);
await report("deleted");
await cluster.stop();
process.exit();

async function report(what) {
  if (what !== "deleted") await complete();
  await cluster.events.flush();
  // Events live for an hour, and their number grows with the rollouts.
  await client.deleteCollection(Event, here);
  await delay(settleMs);
  const revision = await store.revision();
  if (revision > (await store.compacted())) await store.compact(revision);
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => void setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  const objects = (await client.list(Pod)).items.length + (await client.list(ReplicaSet)).items.length;
  process.stdout.write(`${JSON.stringify({ what, heapBytes: heapUsed, externalBytes: external, objects })}\n`);
}

async function complete() {
  for (;;) {
    const { metadata, spec: wanted, status = {} } = await client.get(Deployment, "web", here);
    const isSeen = status.observedGeneration === metadata.generation;
    if (isSeen && [status.updatedReplicas, status.readyReplicas, status.replicas].every((count) => count === wanted.replicas)) return;
    await delay(50);
  }
}
