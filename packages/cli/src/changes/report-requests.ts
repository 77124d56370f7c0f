/**
 * Reports writes of kubectl and other programs. Requests and answers pass unchanged.
 *
 *     connection(peer) → reportRequests → ChangeLine: "kubectl created Deployment shop/web"
 */
import { readBecause } from "@drover/controller";
import { definedOnly, isJsonObject } from "@drover/machinery";
import type { HttpBody, HttpRequest, JsonObject, JsonValue, Transport } from "@drover/machinery";
import type { Report } from "./change-line.ts";
import type { KindWords } from "./kind-words.ts";
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

/** Receives the changes, and the names of their kinds. */
export interface ReportRequestsOptions {
  readonly report: Report;
  readonly kinds: KindWords;
}

/** Returns a transport that reports successful writes. */
export function reportRequests(transport: Transport, { report, kinds }: ReportRequestsOptions): Transport {
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
        // Bodies may be large; most paths say everything.
        const isKnown = about.name !== "" && (kinds.knows(about) || about.subresource !== "");
        const { kind, name } = isKnown ? { kind: undefined, name: about.name } : written(request, response.body);
        if (about.subresource === "" && kind !== undefined) kinds.learn(about, kind);
        const word = kinds.word(about);
        const { key, why } = readBecause(request) ?? {};
        report({
          who: programOf(request),
          did: didWord(request, about.name !== ""),
          kind: about.subresource === "" ? word : `${about.subresource} of ${word}`,
          name: [about.namespace, about.name === "" ? name : about.name].filter((part) => part !== "").join("/"),
          ...definedOnly({ of: key, why }),
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

/** Returns kind and name in the answer; or the name in the request, which may be the beginning of a generated one. */
function written({ body: sent }: HttpRequest, answer: HttpBody): { readonly kind: string | undefined; readonly name: string } {
  const object = parsed(answer);
  const { name, generateName } = { ...metadataOf(parsed(sent)), ...metadataOf(object) };
  const kind = object?.["kind"];
  return {
    kind: typeof kind === "string" && kind !== "Status" && !kind.endsWith("List") ? kind : undefined,
    name: typeof name === "string" ? name : typeof generateName === "string" ? `${generateName}…` : "",
  };
}

function metadataOf(object: JsonObject | undefined): JsonObject {
  const metadata = object?.["metadata"];
  return object?.["kind"] !== "Status" && isJsonObject(metadata) ? metadata : {};
}

/** Returns the object in a body, if it is JSON. */
function parsed(body: HttpBody | undefined): JsonObject | undefined {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return undefined;
  try {
    const value = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
