/**
 * One replica of a sharded controller of ConfigMaps, as a separate process and from the built package.
 *
 *     node replica.mjs <settings as JSON>
 *
 * It writes its identity, shard and term into every object of its shards: once for each round and term, and whenever the
 * object was touched.
 */
const { kubeconfig, identity, name, namespace, round, count, timing } = JSON.parse(process.argv[2]);
const [{ connect, done, kindSource, nodeManager, nodeRuntime, splitObjectKey }, { ConfigMap }] = await Promise.all([
  import("drover"),
  import("drover/kinds"),
]);

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const runtime = nodeRuntime({ logLevel: "error" });
const { cluster } = await connect({ kubeconfig: { text: kubeconfig }, runtime, userAgent: identity });
const leases = await connect({ kubeconfig: { text: kubeconfig }, runtime, userAgent: identity });
const manager = await nodeManager({
  runtime,
  cluster,
  permissions: "off",
  graceMs: 5000,
  shards: { name, namespace, identity, count, client: leases.client, ...timing },
});
const configMaps = kindSource(ConfigMap, { cluster, request: { namespace } });
const prefix = "bench.drover.dev/";
const controller = manager.controller({
  name: "bench",
  workers: 8,
  reconcile: async ({ key, client }) => {
    const annotations = configMaps.informer.get(key)?.metadata.annotations ?? {};
    const shard = manager.shards.shardOf(key);
    const { token } = manager.shards.fenceOf(shard);
    const term = `${identity}/${token?.transitions}`;
    const touched = annotations[`${prefix}touched`] ?? "";
    if (annotations[`${prefix}round`] === round && annotations[`${prefix}term`] === term && annotations[`${prefix}seen`] === touched)
      return done;
    const written = { round, term, shard: String(shard), by: identity, seen: touched };
    const body = {
      metadata: { annotations: Object.fromEntries(Object.entries(written).map(([field, value]) => [prefix + field, value])) },
    };
    await client.patch(ConfigMap, splitObjectKey(key).name, { type: "merge", body }, { namespace });
    return done;
  },
});
controller.watch(configMaps);
try {
  await manager.run(stop.signal);
} catch (error) {
  process.stderr.write(`${identity}: ${error.stack}\n`);
  process.exitCode = 1;
}
process.exit();
