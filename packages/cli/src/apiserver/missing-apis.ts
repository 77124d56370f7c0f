/** Which APIs of --runtime-config a server does not have. */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";

/** Names are "batch/v1", "v1", and with a resource "batch/v1/jobs". */
export async function missingApis(send: Transport, names: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of names) {
    const [group = "", version = "", resource] = name.split("/");
    const path = name === "v1" ? "/api/v1" : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
    const response = await send({ method: "GET", path, headers: { accept: "application/json" } });
    const isServed = response.status === 200 && (resource === undefined || resourcesOf(response).includes(resource));
    if (!isServed) missing.push(name);
  }
  return missing;
}

/** A server in the same process answers with complete text. */
function resourcesOf({ body }: HttpResponse): readonly unknown[] {
  const list = typeof body === "string" ? decodeJson(body) : undefined;
  const resources = isJsonObject(list) ? list["resources"] : undefined;
  return Array.isArray(resources) ? resources.map((resource) => (isJsonObject(resource) ? resource["name"] : undefined)) : [];
}
