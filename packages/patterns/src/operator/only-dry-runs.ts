/** Lets no write through: a second check for `drover plan`, beside the dry runs themselves. */
import type { TransportWrapper } from "@drover/client";
import { isJsonObject } from "@drover/machinery";
import type { HttpRequest, JsonValue } from "@drover/machinery";

/** Wraps a transport that sends reads and dry runs. Rejects every other request. */
export const onlyDryRuns: TransportWrapper = (next) => async (request) => {
  const { method, path } = request;
  if (method !== "GET" && !isDryRun(request))
    throw new Error(`a plan must not write, but would send ${method} ${path.split("?", 1)[0] ?? ""}`);
  return next(request);
};

/** A deletion says it in its options, which are its body. */
function isDryRun({ method, path, body }: HttpRequest): boolean {
  if (new URLSearchParams(path.split("?")[1] ?? "").get("dryRun") === "All") return true;
  if (method !== "DELETE" || typeof body !== "string") return false;
  const options = JSON.parse(body) as JsonValue;
  const dryRun = isJsonObject(options) ? options["dryRun"] : undefined;
  return Array.isArray(dryRun) && dryRun.length === 1 && dryRun[0] === "All";
}
