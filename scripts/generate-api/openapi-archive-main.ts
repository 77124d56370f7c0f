/**
 * `npm run generate-openapi -- --from <URL>` writes packages/apiserver/data from a live server without custom
 * resources: its OpenAPI documents without their prose (see without-prose.ts). The same server gives the same file.
 *
 *     --from <URL>             the server
 *     --token <bearer token>   for it
 *     --insecure               accept any certificate of it
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { byText } from "@drover/machinery";
import { archiveFile, packArchive, v2DocumentName } from "../../packages/apiserver/src/openapi/openapi-archive.ts";
import type { ArchivedDocument } from "../../packages/apiserver/src/openapi/openapi-archive.ts";
import { documentWithoutProse } from "./without-prose.ts";

const {
  values: { from, token, insecure },
} = parseArgs({ options: { from: { type: "string" }, token: { type: "string" }, insecure: { type: "boolean", default: false } } });
if (from === undefined) throw new Error("name the server: npm run generate-openapi -- --from https://127.0.0.1:6443");
if (insecure) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";

const index = JSON.parse(await get("/openapi/v3")) as { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> };
const documents: ArchivedDocument[] = [];
for (const [name, { serverRelativeURL }] of Object.entries(index.paths).toSorted(([a], [b]) => byText(a, b)))
  documents.push(document(name, await get(serverRelativeURL)));
documents.push(document(v2DocumentName, await get("/openapi/v2")));

const packed = packArchive(documents);
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_WINDOW_BITS } = constants;
const compressed = brotliCompressSync(packed, {
  params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: packed.length },
});
const folder = join(import.meta.dirname, "..", "..", "packages", "apiserver", "data");
await mkdir(folder, { recursive: true });
await writeFile(join(folder, archiveFile), compressed);
process.stdout.write(
  `Wrote ${documents.length} documents to packages/apiserver/data/${archiveFile}: ${compressed.length} bytes for ${packed.length}.\n`,
);

async function get(path: string): Promise<string> {
  const answer = await fetch(new URL(path, from), {
    headers: { accept: "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });
  if (!answer.ok) throw new Error(`GET ${path}: the server answered ${answer.status} ${answer.statusText}`);
  return answer.text();
}

function document(name: string, text: string): ArchivedDocument {
  if (text.slice(0, 200).includes("CRD Swagger")) throw new Error(`${name}: the server has custom resources; take one without`);
  const bytes = new TextEncoder().encode(documentWithoutProse(text, { escapeHtml: name !== v2DocumentName }));
  return { name, bytes, hash: createHash("sha512").update(bytes).digest("hex").toUpperCase() };
}
