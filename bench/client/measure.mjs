/**
 * One client of the benchmark, as a separate process. Copied beside the packages it measures, because modules are
 * resolved from the location of a file.
 *
 *     node measure.mjs <drover | client-node> <settings as JSON>  →  { microseconds, cpuMicroseconds } per request, as JSON
 */
const [name, settingsText] = process.argv.slice(2);
const { url, ca, warmUp, requests, concurrency } = JSON.parse(settingsText);
const namespace = "shop";
const pod = "web-1";

const droverClient = async () => {
  const { clusterTransport, createClient, nodeHost, nodeRuntime, nodeTransport } = await import("drover/client");
  const { Secret } = await import("drover/machinery");
  const { Pod } = await import("drover/kinds");
  const runtime = nodeRuntime();
  const transport = clusterTransport(
    { server: url, trust: { ca: { kind: "inline", pem: ca } }, credentials: { token: new Secret("bench") }, namespace },
    { ...runtime, host: nodeHost(), isPair: () => true, connect: nodeTransport, userAgent: "bench" },
  );
  const client = createClient({ ...runtime, transport, namespace });
  return () => client.get(Pod, pod);
};

const clientNode = async () => {
  const { CoreV1Api, KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "bench", server: url, caData: Buffer.from(ca).toString("base64") }],
    users: [{ name: "bench", token: "bench" }],
    contexts: [{ name: "bench", cluster: "bench", user: "bench" }],
    currentContext: "bench",
  });
  const api = config.makeApiClient(CoreV1Api);
  return () => api.readNamespacedPod({ name: pod, namespace });
};

const get = await (name === "drover" ? droverClient() : clientNode());
const run = async (count) => {
  let left = count;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) {
        const object = await get();
        if (object.kind !== "Pod") throw new Error(`got a ${object.kind}`);
      }
    }),
  );
};
if (warmUp > 0) await run(warmUp);
const cpu = process.cpuUsage();
const start = performance.now();
await run(requests);
const tookMs = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ microseconds: (tookMs * 1000) / requests, cpuMicroseconds: (user + system) / requests }));
process.exit();
