/**
 * The description as stored in packages/api/openapi: discovery.json, and one file of definitions per package. Each
 * entry has its own line, so that the diff between two versions of Kubernetes is readable.
 *
 *     ApiDescription ⇄ files
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { byText, printJson } from "@drover/machinery";
import type { Printable } from "@drover/machinery";
import { splitDefinition } from "./naming.ts";
import type { ApiDescription, DiscoveredGroupVersion, OpenApiSchema } from "./openapi.ts";

const discoveryFile = "discovery.json";

/** The text of each file, by name. */
export function describeInFiles({ discovery, definitions }: ApiDescription): ReadonlyMap<string, string> {
  const packages = new Map<string, Record<string, OpenApiSchema>>();
  for (const [fullName, schema] of Object.entries(definitions)) {
    const { packageName, name } = splitDefinition(fullName);
    const entries = packages.get(packageName) ?? {};
    entries[name] = schema;
    packages.set(packageName, entries);
  }
  const files = [...packages].map(([name, entries]) => [`${name}.json`, printJson(entries as unknown as Printable)] as const);
  return new Map([[discoveryFile, printJson(discovery as unknown as Printable)], ...files]);
}

/** Reads the files back. */
export async function readDescription(folder: string): Promise<ApiDescription> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(folder, file), "utf8"));
  const definitions: [string, OpenApiSchema][] = [];
  for (const file of (await readdir(folder)).toSorted(byText)) {
    if (file === discoveryFile) continue;
    const entries = (await read(file)) as Record<string, OpenApiSchema>;
    for (const [name, schema] of Object.entries(entries)) definitions.push([`${file.slice(0, -".json".length)}.${name}`, schema]);
  }
  return { discovery: (await read(discoveryFile)) as DiscoveredGroupVersion[], definitions: Object.fromEntries(definitions) };
}
