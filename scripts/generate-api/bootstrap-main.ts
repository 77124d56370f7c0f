/**
 * `npm run generate-bootstrap -- --from <URL>` writes packages/apiserver/data/bootstrap.br: the objects that a kube-apiserver in mode
 * RBAC creates in a new cluster, as our server stores them. The same source gives the same file.
 *
 *     --from <URL>             the server
 *     --token <bearer token>   for the server
 *     --insecure               accept any certificate of it
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { byText } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { bootstrapFile, packBootstrap, timeMark, uidMark } from "../../packages/apiserver/src/bootstrap/bootstrap-archive.ts";
import type { BootstrapText } from "../../packages/apiserver/src/bootstrap/bootstrap-archive.ts";

interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly subresource?: string;
}

interface Item extends JsonObject {
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    managedFields?: (Manager & JsonObject)[];
  };
}

/** The collections, and which of their objects the server itself has created. */
const collections: readonly (readonly [group: string, resource: string, isOwn: (item: Item) => boolean])[] = [
  ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
    (resource) =>
      [
        "rbac.authorization.k8s.io",
        resource,
        ({ metadata: { labels } }: Item) => labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults",
      ] as const,
  ),
  ["flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", () => true],
  ["flowcontrol.apiserver.k8s.io", "flowschemas", () => true],
  [
    "apiregistration.k8s.io",
    "apiservices",
    ({ metadata: { labels } }) => labels?.["kube-aggregator.kubernetes.io/automanaged"] === "onstart",
  ],
];

const {
  values: { from, token, insecure },
} = parseArgs({ options: { from: { type: "string" }, token: { type: "string" }, insecure: { type: "boolean", default: false } } });
if (from === undefined) throw new Error("name the server: npm run generate-bootstrap -- --from https://127.0.0.1:6443");
if (insecure) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";

const runtime = { ...testRuntime(), clock: new ManualClock({ nowMs: Date.parse(timeMark) }), uid: () => uidMark };
// Our server must not have the objects yet.
const empty = brotliCompressSync("");
const host = { ...nodeHost, readData: (name: string) => (name === bootstrapFile ? empty : nodeHost.readData(name)) };
const server = await createApiServer({ runtime, host, authorizationModes: ["AlwaysAllow"] });
const texts: BootstrapText[] = [];
for (const [group, resource, isOwn] of collections)
  for (const item of await itemsOf(`/apis/${group}/v1/${resource}`, isOwn)) texts.push(await stored(group, resource, item));

const packed = packBootstrap(texts);
const compressed = brotliCompressSync(packed);
await writeFile(join(import.meta.dirname, "..", "..", "packages", "apiserver", "data", bootstrapFile), compressed);
process.stdout.write(
  `Wrote ${texts.length} objects to packages/apiserver/data/${bootstrapFile}: ${compressed.length} bytes for ${packed.length}.\n`,
);

async function itemsOf(path: string, isOwn: (item: Item) => boolean): Promise<readonly Item[]> {
  const answer = await fetch(new URL(path, from), {
    headers: { accept: "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });
  if (!answer.ok) throw new Error(`GET ${path}: the server answered ${answer.status} ${answer.statusText}`);
  const { items } = (await answer.json()) as { readonly items: readonly Item[] };
  return items.filter(isOwn).toSorted((a, b) => byText(placeOf(a), placeOf(b)));
}

/** Writes the object to our server as its managers have, and takes the text from the store. */
async function stored(group: string, resource: string, item: Item): Promise<BootstrapText> {
  const { name, namespace = "", labels = {}, annotations = {}, managedFields = [] } = item.metadata;
  const path = `/apis/${group}/v1/${namespace === "" ? "" : `namespaces/${namespace}/`}${resource}`;
  const creator = managedFields.find(({ subresource }) => subresource === undefined)?.manager ?? "kube-apiserver";
  // An aggregated role has no rules at first, whatever a controller has made of it since.
  const rules = item["aggregationRule"] === undefined ? {} : { rules: null };
  await send("POST", `${path}?fieldManager=${creator}`, { ...item, ...rules, metadata: { name, labels, annotations } });
  for (const { manager, operation, subresource } of managedFields) {
    if (subresource !== "status") continue;
    const status = JSON.parse(JSON.stringify(item["status"]).replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, timeMark)) as JsonObject;
    const { kind, apiVersion } = (await send("GET", `${path}/${name}`)) as { kind: string; apiVersion: string };
    const change = { kind, apiVersion, metadata: { name }, status };
    if (operation === "Apply") await send("PATCH", `${path}/${name}/status?fieldManager=${manager}&force=true`, change);
    else await send("PATCH", `${path}/${name}/status?fieldManager=${manager}`, { status }, "application/merge-patch+json");
  }
  const { items } = await server.store.list("");
  const found = items.find(({ key }) => key.endsWith(`/${resource}/${placeOf(item)}`));
  if (found === undefined) throw new Error(`${path}/${name} is not in the store`);
  return { group, resource, namespace, name, text: found.value };
}

async function send(method: string, path: string, body?: JsonObject, type = "application/apply-patch+yaml"): Promise<unknown> {
  const headers = { "user-agent": "kube-apiserver", ...(method === "PATCH" ? { "content-type": type } : {}) };
  const answer = await server.handle({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: our server answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return JSON.parse(answer.body as string) as unknown;
}

function placeOf({ metadata: { name, namespace } }: Item): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
