/**
 * `npm run generate-api` writes packages/api and the entry point drover/kinds from the description in
 * packages/api/openapi, with comments from packages/api/descriptions.
 *
 *     --from <folder or URL>   first refresh that description from saved documents or from a live server
 *     --token <bearer token>   for a live server
 *     --insecure               accept any certificate of a live server
 */
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { describeInFiles, readDescription } from "./description-files.ts";
import { generate, generateApiGroups, generateKindsDoor, generatedMark } from "./generate.ts";
import { readProse } from "./own-prose.ts";
import { readFolder, readServer } from "./read-server.ts";
import { trimDescription } from "./trim-description.ts";

const folder = join(import.meta.dirname, "..", "..", "packages", "api");
const { values } = parseArgs({
  options: { from: { type: "string" }, token: { type: "string" }, insecure: { type: "boolean", default: false } },
});

if (values.from !== undefined) await refresh(values.from);
const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
const description = await readDescription(join(folder, "openapi"));
const files = generate(description, manifest, await readProse(join(folder, "descriptions")));
await removeGenerated(join(folder, "src"));
for (const [path, text] of files) await write(join(folder, path), text);
await write(join(folder, "..", "drover", "src", "kinds.ts"), generateKindsDoor(description));
await write(join(folder, "..", "client-go", "src", "kubernetes", "api-groups.ts"), generateApiGroups(description));
process.stdout.write(`Wrote ${files.size} files to packages/api and the door drover/kinds.\n`);

async function refresh(from: string): Promise<void> {
  if (values.insecure) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  const documents = /^https?:/.test(from) ? await readServer(from, { token: values.token }) : await readFolder(from);
  const copies = describeInFiles(trimDescription(documents));
  await rm(join(folder, "openapi"), { recursive: true, force: true });
  for (const [name, text] of copies) await write(join(folder, "openapi", name), text);
}

/** Files of an earlier run that this run may not write. */
async function removeGenerated(parent: string): Promise<void> {
  for (const entry of await readdir(parent, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(file, "utf8")).startsWith(generatedMark)) await rm(file);
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
