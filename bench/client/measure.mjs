/**
 * One client of the benchmark, in a process of its own. Copied beside the packages it measures, because modules are looked for from
 * where a file lies.
 *
 *     node measure.mjs <drover | client-node> <settings as JSON>  →  { microseconds, cpuMicroseconds } per request, as JSON
 */
const [name, settingsText] = process.argv.slice(2);
const { url, ca, warmUp, requests, concurrency } = JSON.parse(settingsText);
const namespace = "shop";
const pod = "web-1";

const droverClient = async () => {
  const { clusterTransport, nodeTransport } = await import("@drover/client");
  const { Secret, createClock, createLog, createMetrics, createRandom, decodeJson } = await import("@drover/machinery");
  const clock = createClock({ now: () => Date.now(), monotonic: () => performance.now(), setTimeout: (callback, ms) => setTimeout(callback, ms), clearTimeout: (handle) => clearTimeout(handle) });
  const host = { env: {}, platform: process.platform, isInteractive: false, cwd: "/", readFile: () => Promise.reject(new Error("no files here")) };
  const transport = clusterTransport(
    { server: url, trust: { ca: { kind: "inline", pem: ca } }, credentials: { token: new Secret("bench") }, namespace },
    { clock, random: createRandom(1), log: createLog({ clock, write: () => undefined }), metrics: createMetrics(), host, isPair: () => true, connect: nodeTransport, userAgent: "bench" },
  );
  return async () => {
    const { body } = await transport({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${pod}`, headers: { accept: "application/json" } });
    const chunks = [];
    for await (const chunk of body) chunks.push(chunk);
    return decodeJson(Buffer.concat(chunks).toString("utf8"));
  };
};

const clientNode = async () => {
  const { CoreV1Api, KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "bench", server: url, caData: Buffer.from(ca).toString("base64") }], users: [{ name: "bench", token: "bench" }],
    contexts: [{ name: "bench", cluster: "bench", user: "bench" }], currentContext: "bench",
  });
  const api = config.makeApiClient(CoreV1Api);
  return () => api.readNamespacedPod({ name: pod, namespace });
};

const get = await (name === "drover" ? droverClient() : clientNode());
const run = async (count) => {
  let left = count;
  await Promise.all(Array.from({ length: concurrency }, async () => {
    while (left-- > 0) {
      const object = await get();
      if (object.kind !== "Pod") throw new Error(`got a ${object.kind}`);
    }
  }));
};
if (warmUp > 0) await run(warmUp);
const cpu = process.cpuUsage();
const start = performance.now();
await run(requests);
const tookMs = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ microseconds: (tookMs * 1000) / requests, cpuMicroseconds: (user + system) / requests }));
process.exit();
