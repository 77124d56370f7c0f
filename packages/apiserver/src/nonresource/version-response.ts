/** /version: the Kubernetes version the server reports. */
import type { HttpResponse, JsonObject } from "@drover/machinery";
import { indentJson } from "../negotiation/indent-json.ts";
import { refusedByRoute, uncached } from "../negotiation/object-response.ts";
import { splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";

/** The reported version. Clients compare the numbers; fields without a true value are empty. */
export const versionInfo: Readonly<JsonObject> = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.3+drover",
  gitCommit: "",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "",
};

/** Undefined for other paths. */
export function versionResponse(request: PlainRequest): HttpResponse | undefined {
  const [path] = splitPath(request.path);
  if (path !== "/version" && path !== "/version/") return undefined;
  const answer: HttpResponse = {
    status: 200,
    headers: { ...uncached, "content-type": "application/json" },
    body: indentJson(JSON.stringify(versionInfo)),
  };
  return refusedByRoute(request, ["application/json"]) ?? answer;
}
