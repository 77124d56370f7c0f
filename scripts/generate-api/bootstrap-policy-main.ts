/**
 * `npm run generate-policy -- --from <URL or file>` writes packages/apiserver/data/bootstrap-policy.br: the roles and bindings of a
 * new cluster in mode RBAC, as our server stores them. The same source gives the same file.
 *
 *     --from <URL or file>     the server, or a JSON file with the items of the four collections by their path
 *     --token <bearer token>   for the server
 *     --insecure               accept any certificate of it
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { byText } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { packPolicy, policyFile, timeMark, uidMark } from "../../packages/apiserver/src/bootstrap/policy-archive.ts";
import type { PolicyText } from "../../packages/apiserver/src/bootstrap/policy-archive.ts";

interface Item extends JsonObject {
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

const {
  values: { from, token, insecure },
} = parseArgs({ options: { from: { type: "string" }, token: { type: "string" }, insecure: { type: "boolean", default: false } } });
if (from === undefined) throw new Error("name the server: npm run generate-policy -- --from https://127.0.0.1:6443");
if (insecure) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";

const group = "/apis/rbac.authorization.k8s.io/v1";
const isLive = /^https?:/.test(from);
const file = isLive ? {} : (JSON.parse(await readFile(from, "utf8")) as Readonly<Record<string, readonly Item[]>>);
const runtime = { ...testRuntime(), clock: new ManualClock({ nowMs: Date.parse(timeMark) }), uid: () => uidMark };
const server = await createApiServer({ runtime, host: nodeHost });
const policy: PolicyText[] = [];
for (const resource of ["clusterroles", "clusterrolebindings", "roles", "rolebindings"])
  for (const item of await itemsOf(`${group}/${resource}`)) policy.push(await stored(resource, item));

const packed = packPolicy(policy);
const compressed = brotliCompressSync(packed);
await writeFile(join(import.meta.dirname, "..", "..", "packages", "apiserver", "data", policyFile), compressed);
process.stdout.write(
  `Wrote ${policy.length} objects to packages/apiserver/data/${policyFile}: ${compressed.length} bytes for ${packed.length}.\n`,
);

async function itemsOf(path: string): Promise<readonly Item[]> {
  const items = isLive ? await fetched(path) : file[path];
  if (items === undefined) throw new Error(`${from}: ${path} is missing`);
  return items
    .filter(({ metadata: { labels } }) => labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults")
    .toSorted((a, b) => byText(placeOf(a), placeOf(b)));
}

async function fetched(path: string): Promise<readonly Item[]> {
  const answer = await fetch(new URL(path, from), {
    headers: { accept: "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });
  if (!answer.ok) throw new Error(`GET ${path}: the server answered ${answer.status} ${answer.statusText}`);
  return ((await answer.json()) as { readonly items: readonly Item[] }).items;
}

/** Creates the object on our server and takes the text from its store. */
async function stored(resource: string, item: Item): Promise<PolicyText> {
  const { name, namespace = "", labels = {}, annotations = {} } = item.metadata;
  const path = `${group}/${namespace === "" ? "" : `namespaces/${namespace}/`}${resource}`;
  // An aggregated role has no rules at first, whatever a controller has made of it since.
  const rules = item["aggregationRule"] === undefined ? {} : { rules: null };
  const body = JSON.stringify({ ...item, ...rules, metadata: { name, labels, annotations } });
  const { status, body: answer } = await server.handle({ method: "POST", path, headers: { "user-agent": "kube-apiserver" }, body });
  if (status !== 201) throw new Error(`POST ${path}: our server answered ${status}: ${JSON.stringify(answer)}`);
  const { items } = await server.store.list("");
  const found = items.find(({ key }) => key.endsWith(`/${resource}/${placeOf(item)}`));
  if (found === undefined) throw new Error(`${path}/${name} is not in the store`);
  return { resource, namespace, name, text: found.value };
}

function placeOf({ metadata: { name, namespace } }: Item): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
