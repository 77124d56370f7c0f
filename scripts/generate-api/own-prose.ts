/**
 * Adds our own descriptions to OpenAPI documents, in which Kubernetes' are removed.
 *
 *     packages/api/descriptions/<package>.json → readProse → documentWithProse → data/openapi.br
 *                                                          → descriptionWithProse → comments of packages/api/src
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { encodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ApiDescription } from "./openapi.ts";

/** Descriptions of a type: of its fields by name, and of itself by "". */
export type TypeProse = Readonly<Record<string, string>>;

/** By the full name of the type: "io.k8s.api.apps.v1.Deployment". */
export type Prose = ReadonlyMap<string, TypeProse>;

export async function readProse(folder: string): Promise<Prose> {
  const prose = new Map<string, TypeProse>();
  for (const file of await readdir(folder)) {
    const types = JSON.parse(await readFile(join(folder, file), "utf8")) as Readonly<Record<string, TypeProse>>;
    for (const [name, texts] of Object.entries(types)) prose.set(`${file.slice(0, -".json".length)}.${name}`, texts);
  }
  return prose;
}

/** The document with descriptions of its types, v2 or v3. `escapeHtml`: whether the server escapes HTML in this document. */
export function documentWithProse(text: string, prose: Prose, { escapeHtml }: { readonly escapeHtml: boolean }): string {
  const document = JSON.parse(text) as JsonObject;
  const end = text.endsWith("\n") ? "\n" : "";
  const { components, definitions } = document;
  if (isJsonObject(definitions)) return encodeJson({ ...document, definitions: typesWithProse(definitions, prose) }, { escapeHtml }) + end;
  if (!isJsonObject(components) || !isJsonObject(components["schemas"])) return text;
  const described = { ...components, schemas: typesWithProse(components["schemas"], prose) };
  return encodeJson({ ...document, components: described }, { escapeHtml }) + end;
}

/** The description with the texts, for the comments of generated types. */
export const descriptionWithProse = ({ discovery, definitions }: ApiDescription, prose: Prose): ApiDescription => ({
  discovery,
  definitions: typesWithProse(definitions as unknown as JsonObject, prose) as unknown as ApiDescription["definitions"],
});

function typesWithProse(types: JsonObject, prose: Prose): JsonObject {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const texts = prose.get(name);
      return [name, texts === undefined || !isJsonObject(type) ? type : typeWithProse(type, texts)];
    }),
  );
}

function typeWithProse(type: JsonObject, texts: TypeProse): JsonObject {
  const { properties } = type;
  if (!isJsonObject(properties)) return describedAs(type, texts[""]);
  const described = Object.entries(properties).map(([name, property]): [string, JsonValue] => [
    name,
    isJsonObject(property) && Object.hasOwn(texts, name) ? describedAs(property, texts[name]) : property,
  ]);
  return describedAs({ ...type, properties: Object.fromEntries(described) }, texts[""]);
}

/** The description stands where kube-apiserver writes it: members are sorted in v3, and it is the first in v2. */
function describedAs(part: JsonObject, description: string | undefined): JsonObject {
  if (description === undefined) return part;
  const entries = Object.entries(part);
  const place = entries.findIndex(([name]) => name > "description");
  entries.splice(place < 0 ? entries.length : place, 0, ["description", description]);
  return Object.fromEntries(entries);
}
