/**
 * Reports writes of kubectl and other programs. Requests and answers pass unchanged.
 *
 *     connection(peer) → reportRequests → ChangeLine: "kubectl created Deployment shop/web"
 */
import { isJsonObject } from "@drover/machinery";
import type { HttpRequest, JsonValue, Transport } from "@drover/machinery";
import type { Report } from "./change-line.ts";
import { kindWord } from "./kind-word.ts";
import { requestPath } from "./request-path.ts";
import { writeWord } from "./reporting-tape.ts";

const silentResources: ReadonlySet<string> = new Set([
  "events",
  "leases",
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
  "selfsubjectrulesreviews",
  "tokenreviews",
]);

/** Returns a transport that reports successful writes. */
export function reportRequests(transport: Transport, report: Report): Transport {
  return async (request) => {
    const response = await transport(request);
    if (request.method !== "GET" && response.status >= 200 && response.status < 300) {
      const about = requestPath(request.path);
      if (
        about !== undefined &&
        !silentResources.has(about.resource) &&
        about.subresource !== "status" &&
        !request.path.includes("dryRun=")
      ) {
        const name = about.name === "" ? nameIn(request) : about.name;
        const what = about.subresource === "" ? kindWord(about.resource) : `${about.subresource} of ${kindWord(about.resource)}`;
        report({
          who: programOf(request),
          did: didWord(request, about.name !== ""),
          kind: what,
          name: [about.namespace, name].filter((word) => word !== "").join("/"),
        });
      }
    }
    return response;
  };
}

function didWord({ method, headers }: HttpRequest, isNamed: boolean): string {
  if (method === "POST" && isNamed) return "requested";
  return String(headers["content-type"] ?? "").startsWith("application/apply-patch") ? "applied" : writeWord(method);
}

/** "kubectl/v1.36.3 (linux/amd64) …" → "kubectl" */
function programOf({ headers }: HttpRequest): string {
  return /^[\w.-]+/.exec(String(headers["user-agent"] ?? ""))?.[0] ?? "an unknown client";
}

/** Returns the name in the request body; empty if unknown. */
function nameIn({ body }: HttpRequest): string {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return "";
  try {
    const sent = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as JsonValue;
    const metadata = isJsonObject(sent) ? sent["metadata"] : undefined;
    const { name, generateName } = isJsonObject(metadata) ? metadata : {};
    return typeof name === "string" ? name : typeof generateName === "string" ? `${generateName}…` : "";
  } catch {
    return "";
  }
}
