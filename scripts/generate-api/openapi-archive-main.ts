/**
 * `npm run generate-openapi` writes packages/apiserver/data: the OpenAPI documents of a server with our descriptions instead of its own
 * (see without-prose.ts, own-prose.ts). The same server and the same descriptions give the same file.
 *
 *     --from <URL>             a live server without custom resources; otherwise the file is described again
 *     --token <bearer token>   for it
 *     --insecure               accept any certificate of it
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { byText } from "@drover/machinery";
import { archiveFile, packArchive, readArchive, v2DocumentName } from "../../packages/apiserver/src/openapi/openapi-archive.ts";
import type { ArchivedDocument } from "../../packages/apiserver/src/openapi/openapi-archive.ts";
import { documentWithProse, readProse } from "./own-prose.ts";
import { documentWithoutProse } from "./without-prose.ts";

const {
  values: { from, token, insecure },
} = parseArgs({ options: { from: { type: "string" }, token: { type: "string" }, insecure: { type: "boolean", default: false } } });
if (insecure) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";

const packages = join(import.meta.dirname, "..", "..", "packages");
const folder = join(packages, "apiserver", "data");
const prose = await readProse(join(packages, "api", "descriptions"));
const texts = from === undefined ? await archivedTexts() : await servedTexts(from);
const documents = [...texts].map(([name, text]) => document(name, text));

const packed = packArchive(documents);
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_WINDOW_BITS } = constants;
const compressed = brotliCompressSync(packed, {
  params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: packed.length },
});
await mkdir(folder, { recursive: true });
await writeFile(join(folder, archiveFile), compressed);
process.stdout.write(
  `Wrote ${documents.length} documents to packages/apiserver/data/${archiveFile}: ${compressed.length} bytes for ${packed.length}.\n`,
);

/** By the name of the document. */
async function servedTexts(server: string): Promise<ReadonlyMap<string, string>> {
  const index = JSON.parse(await get(server, "/openapi/v3")) as {
    readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  };
  const served = new Map<string, string>();
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths).toSorted(([a], [b]) => byText(a, b)))
    served.set(name, await get(server, serverRelativeURL));
  return served.set(v2DocumentName, await get(server, "/openapi/v2"));
}

async function archivedTexts(): Promise<ReadonlyMap<string, string>> {
  const archive = readArchive(brotliDecompressSync(await readFile(join(folder, archiveFile))));
  return new Map([...archive].map(([name, { bytes }]) => [name, new TextDecoder().decode(bytes)]));
}

async function get(server: string, path: string): Promise<string> {
  const answer = await fetch(new URL(path, server), {
    headers: { accept: "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });
  if (!answer.ok) throw new Error(`GET ${path}: the server answered ${answer.status} ${answer.statusText}`);
  return answer.text();
}

function document(name: string, text: string): ArchivedDocument {
  if (text.slice(0, 200).includes("CRD Swagger")) throw new Error(`${name}: the server has custom resources; take one without`);
  const escapeHtml = name !== v2DocumentName;
  const bytes = new TextEncoder().encode(documentWithProse(documentWithoutProse(text, { escapeHtml }), prose, { escapeHtml }));
  return { name, bytes, hash: createHash("sha512").update(bytes).digest("hex").toUpperCase() };
}
