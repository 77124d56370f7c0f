/** What may come back from a hostile request: a response with a Status, or a closed connection. */
import type { Ending } from "./hostile-client.ts";
import type { HostileRequest } from "./hostile-request.ts";
import type { Response } from "./response-reader.ts";

/** Returns what is wrong with the ending of a request; undefined when it is as it should be. */
export function endingProblem({ sent }: HostileRequest, ending: Ending): string | undefined {
  switch (ending.kind) {
    case "answered":
      return responseProblem(ending.response, sent.wire === "framed" ? sent.method : "");
    case "malformed":
      return ending.problem;
    case "silent":
      return "no answer";
    case "closed":
    case "streaming":
      return undefined;
    default:
      return ending satisfies never;
  }
}

/** Text that only a stack trace of the server has. */
const trace = /\n\s+at \S+ \(|node:internal|\/dist\/bin\/|TypeError|RangeError|Maximum call stack|Cannot read propert/;

function responseProblem({ status, headers, body }: Response, method: string): string | undefined {
  const type = headers.get("content-type") ?? "";
  const isZipped = headers.has("content-encoding");
  const text = isZipped ? "" : body.subarray(0, 20_000).toString("utf8");
  if (trace.test(text)) return `a stack trace in a ${status}: ${text.slice(0, 300)}`;
  if (isZipped || method === "HEAD" || body.length === 0) return undefined;
  if (type === "") return `a ${status} without a content type: ${text.slice(0, 200)}`;
  if (status < 400)
    return type.startsWith("application/json") && !isJson(body) ? `a ${status} that is no JSON: ${text.slice(0, 200)}` : undefined;
  if (status === 500 && !isExpected(text)) return `a 500: ${text.slice(0, 300)}`;
  return type.startsWith("application/json") ? statusProblem(status, body) : undefined;
}

/**
 * Answers of kube-apiserver with 500 that are no failure of the server: plain errors of patches, which have no reason, and internal
 * errors of webhooks and of patches of policies. Ours answers with the reason InternalError when something was thrown.
 */
const isExpected = (text: string): boolean =>
  !text.includes('"InternalError"') || /failed calling webhook|json: cannot unmarshal/.test(text);

const isJson = (body: Buffer): boolean => {
  try {
    JSON.parse(body.toString("utf8"));
    return true;
  } catch {
    return body.length >= 4 * 2 ** 20;
  }
};

function statusProblem(status: number, body: Buffer): string | undefined {
  const shown = body.subarray(0, 300).toString("utf8");
  if (!isJson(body)) return `a ${status} that is no JSON: ${shown}`;
  const value = JSON.parse(body.toString("utf8")) as Readonly<Record<string, unknown>>;
  if (value["kind"] !== "Status" || value["status"] !== "Failure") return `a ${status} without a Status: ${shown}`;
  return value["code"] === status ? undefined : `a ${status} with a Status of code ${String(value["code"])}: ${shown}`;
}
