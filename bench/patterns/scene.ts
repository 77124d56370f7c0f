/**
 * The environment of an operator: its own API server with the definition of WebApp, objects of it, and the server's
 * count of requests.
 *
 *     openScene(definition, count) → address, requests(), counts(), close()
 */
import { Target } from "../apiserver/target.ts";
import { startOurServer } from "../processes/our-server.ts";
import type { StartedServer } from "../processes/our-server.ts";

/** Requests by verb and resource: "CREATE configmaps", "UPDATE webapps/status". */
export type Requests = ReadonlyMap<string, number>;

export interface Scene {
  readonly address: StartedServer;
  /** All requests that the server has answered so far, except watches and its own metrics. */
  requests(): Promise<Requests>;
  /** Number of objects of each kind that the operators create. */
  counts(): Promise<readonly number[]>;
  close(): void;
}

const webApps = "/apis/bench.drover.dev/v1/namespaces/default/webapps";
const children: readonly string[] = [
  "/api/v1/namespaces/default/configmaps",
  "/api/v1/namespaces/default/services",
  "/apis/apps/v1/namespaces/default/deployments",
];
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** @param definition - a CustomResourceDefinition, as JSON */
export async function openScene(definition: string, count: number): Promise<Scene> {
  const { child, started } = await startOurServer({ serviceCidr: "10.96.0.0/12" });
  const target = new Target({ name: "ours", ...started, processMark: "our-server.mjs" });
  const close = (): void => {
    target.close();
    child.kill();
  };
  try {
    await create(target, definitions, definition);
    await untilServed(target);
    await fill(target, count);
  } catch (error) {
    close();
    throw error;
  }
  const before = await countsOf(target);
  return {
    address: started,
    requests: async () => requestsOf(await read(target, "/metrics")),
    counts: async () => (await countsOf(target)).map((now, index) => now - (before[index] ?? 0)),
    close,
  };
}

/** Runs this many at a time. */
async function fill(target: Target, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const name = `app-${String(index).padStart(5, "0")}`;
      const spec = { image: `registry.example.com/web:1.${index % 10}`, replicas: 1 + (index % 3), host: `${name}.example.com` };
      await create(target, webApps, JSON.stringify({ apiVersion: "bench.drover.dev/v1", kind: "WebApp", metadata: { name }, spec }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function create(target: Target, path: string, body: string): Promise<void> {
  const { status, text } = await target.send("POST", path, body);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
}

async function untilServed(target: Target): Promise<void> {
  for (let tries = 0; (await target.send("GET", webApps)).status !== 200; tries++)
    if (tries === 1000) throw new Error(`${webApps} is not served`);
}

async function read(target: Target, path: string): Promise<string> {
  const { status, text } = await target.send("GET", path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return text;
}

async function countsOf(target: Target): Promise<readonly number[]> {
  const texts = await Promise.all(children.map((path) => read(target, `${path}?limit=1`)));
  return texts.map((text) => {
    const {
      items,
      metadata: { remainingItemCount = 0 },
    } = JSON.parse(text) as { readonly items: readonly unknown[]; readonly metadata: { readonly remainingItemCount?: number } };
    return items.length + remainingItemCount;
  });
}

function requestsOf(metrics: string): Requests {
  const found = new Map<string, number>();
  for (const [, labels = "", value = ""] of metrics.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const of = (name: string): string => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
    if (of("verb") === "WATCH" || of("resource") === "") continue;
    const key = `${of("verb")} ${of("resource")}${of("subresource") === "" ? "" : `/${of("subresource")}`}`;
    found.set(key, (found.get(key) ?? 0) + Number(value));
  }
  return found;
}

/** Requests since then. */
export function requestsSince(before: Requests, now: Requests): Requests {
  return new Map([...now].map(([key, count]) => [key, count - (before.get(key) ?? 0)] as const).filter(([, count]) => count !== 0));
}
