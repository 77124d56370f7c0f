/** /version: what the server claims to be. */
import type { HttpResponse, JsonObject } from "@drover/machinery";
import { indentJson } from "../negotiation/indent-json.ts";
import { refusedByRoute, uncached } from "../negotiation/object-response.ts";
import { splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";

/** Which Kubernetes the server answers as. Clients compare the numbers; what there is no true value for is empty. */
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

/** Undefined when the path is another. */
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
