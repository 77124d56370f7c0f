/**
 * Drover's side of the patterns benchmark, in its own process and from the built package: an operator that creates
 * three children for each WebApp.
 *
 *     node drover.mjs definition          →  the CustomResourceDefinition of WebApp, as JSON
 *     node drover.mjs <settings as JSON>  →  a line of JSON when the operator is idle; then one more for each input line,
 *                                            after it has enqueued everything again
 */
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { condition, connect, defineResource, nodeRuntime, objectKeyOf, operator } from "drover";
import { Secret } from "drover/machinery";
import { ConfigMap, Deployment, Service } from "drover/kinds";
import { z } from "zod";
import { ownMemory } from "../processes/own-memory.mjs";

const WebApp = defineResource({
  group: "bench.drover.dev",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ image: z.string(), replicas: z.int(), host: z.string() }),
  status: z.object({ ready: z.int() }),
});
if (process.argv[2] === "definition") {
  process.stdout.write(JSON.stringify(WebApp.definition()));
  process.exit(0);
}

const { url, ca, token, startedMs, objects, workers, repeats, quietMs } = JSON.parse(process.argv[2]);
const nowMs = () => performance.timeOrigin + performance.now();
let runs = 0;
let wanted = 0;
let reached = () => undefined;
let requests = {};
let lastMs = nowMs();

const app = operator({ name: "web-apps" });
app.controller(WebApp, {
  owns: { config: ConfigMap, service: Service, deployment: Deployment },
  workers,
  desired: ({ object }) => ({ config: configOf(object), service: serviceOf(object), deployment: deploymentOf(object) }),
  status: ({ object: { spec }, owned, error }) => {
    if (error !== undefined) end(error);
    ran();
    const ready = owned.deployment?.status?.readyReplicas ?? 0;
    return { ready, conditions: [condition("Ready", ready >= spec.replicas, "Replicas", `${ready} of ${spec.replicas} ready`)] };
  },
});

const runtime = nodeRuntime({ write: () => undefined });
const { transport } = await connect({
  access: { server: url, trust: { ca: { kind: "inline", pem: ca } }, credentials: { token: new Secret(token) }, namespace: "default" },
  runtime,
  userAgent: "bench",
});
const run = app.runOn({ runtime, transport: counted });
const all = until(objects);
run.run(new AbortController().signal).catch(end);
await all;
await rest();
tell((lastMs - startedMs) / 1000, process.cpuUsage());

const [controller] = run.controllers;
const keys = run.manager.cluster.informers.acquire(WebApp, { keepManagedFields: true }).informer.list().map(objectKeyOf);
for await (const _ of createInterface({ input: process.stdin })) {
  [runs, requests] = [0, {}];
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let round = 0; round < repeats; round++) {
    const ended = until(objects);
    for (const key of keys) controller.enqueue(key);
    await ended;
  }
  tell((performance.now() - began) / 1000, process.cpuUsage(cpu));
}
process.exit(0);

/** Only bugs fail here; conflicts are handled before. */
function end(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function configOf({ metadata: { name }, spec: { host } }) {
  return {
    metadata: { name, labels: labelsOf(name) },
    data: {
      host,
      "log-level": "info",
      "request-timeout": "30s",
      "features.yaml": "search: true\ncheckout:\n  retries: 3\n  currency: EUR\n",
    },
  };
}

function serviceOf({ metadata: { name } }) {
  return {
    metadata: { name, labels: labelsOf(name) },
    spec: { selector: { "app.kubernetes.io/instance": name }, ports: [{ name: "http", port: 80, targetPort: "http" }] },
  };
}

function deploymentOf({ metadata: { name }, spec: { image, replicas, host } }) {
  const container = {
    name: "web",
    image,
    ports: [
      { name: "http", containerPort: 8080 },
      { name: "metrics", containerPort: 9090 },
    ],
    env: [
      { name: "HOST", value: host },
      { name: "LOG_LEVEL", valueFrom: { configMapKeyRef: { name, key: "log-level" } } },
    ],
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
    readinessProbe: { periodSeconds: 5, httpGet: { path: "/healthz", port: "http" } },
  };
  return {
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas,
      selector: { matchLabels: { "app.kubernetes.io/instance": name } },
      template: { metadata: { labels: labelsOf(name) }, spec: { containers: [container] } },
    },
  };
}

function labelsOf(name) {
  return { "app.kubernetes.io/name": "web-app", "app.kubernetes.io/instance": name, "app.kubernetes.io/managed-by": "web-apps" };
}

/** All requests except the watches of the caches. */
async function counted(request) {
  if (/[?&]watch=/.test(request.path)) return transport(request);
  requests[request.method] = (requests[request.method] ?? 0) + 1;
  try {
    return await transport(request);
  } finally {
    lastMs = nowMs();
  }
}

function ran() {
  runs++;
  lastMs = nowMs();
  if (runs === wanted) reached();
}

function until(more) {
  wanted = runs + more;
  return new Promise((resolve) => {
    reached = resolve;
  });
}

/** Waits until nothing has happened for a while. */
async function rest() {
  while (nowMs() - lastMs < quietMs) await delay(quietMs - (nowMs() - lastMs));
}

function tell(seconds, { user, system }) {
  process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, runs, requests, rssBytes: ownMemory() })}\n`);
}
