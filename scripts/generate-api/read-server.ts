/**
 * Reads the documents of a server, live or from a folder with its saved answers.
 *
 *     folder: discovery-api.json, discovery-apis.json, openapi-v3/*.json
 *     server: GET /api, /apis (aggregated discovery), /openapi/v3 and what it lists
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { byText } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { expectObject, expectString } from "./expect-json.ts";
import type { ServerDocuments } from "./openapi.ts";

export interface ServerOptions {
  /** A bearer token for the server. @default none */
  readonly token?: string | undefined;
}

/** Reads the documents of the server at a URL. */
export async function readServer(url: string, { token }: ServerOptions = {}): Promise<ServerDocuments> {
  const get = async (path: string, accept = "application/json"): Promise<JsonValue> => {
    const answer = await fetch(new URL(path, url), {
      headers: { accept, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });
    if (!answer.ok) throw new Error(`GET ${path}: the server answered ${answer.status} ${answer.statusText}`);
    return (await answer.json()) as JsonValue;
  };
  const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const index = expectObject(expectObject(await get("/openapi/v3"), "/openapi/v3").paths, "paths of /openapi/v3");
  const openapi: JsonValue[] = [];
  for (const name of Object.keys(index).toSorted(byText)) {
    openapi.push(await get(expectString(expectObject(index[name], name).serverRelativeURL, name)));
  }
  return { discovery: [await get("/api", aggregated), await get("/apis", aggregated)], openapi };
}

/** Reads documents that were saved into a folder. */
export async function readFolder(folder: string): Promise<ServerDocuments> {
  const read = async (...path: string[]): Promise<JsonValue> => JSON.parse(await readFile(join(folder, ...path), "utf8")) as JsonValue;
  const names = (await readdir(join(folder, "openapi-v3"))).filter((name) => name.endsWith(".json")).toSorted(byText);
  return {
    discovery: [await read("discovery-api.json"), await read("discovery-apis.json")],
    openapi: await Promise.all(names.map((name) => read("openapi-v3", name))),
  };
}
