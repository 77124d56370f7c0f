/** A transport on which requests are refused, answers are lost, and the sending process dies; and an observer of every write. */
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";

/** The fate of one request. */
export type Fault = "none" | 409 | 429 | 500 | "lost answer" | "crash";

/** The process has died: it sends no more requests. */
export class CrashError extends Error {
  override readonly name = "CrashError";
}

/** Takes one fault after the other; none when they are used up. Refusals are Status objects, as a server writes them. */
export function faultyTransport(next: Transport, faults: readonly Fault[], onSend: (request: HttpRequest) => Promise<void>): Transport {
  let count = 0;
  let isDead = false;
  return async (request) => {
    const fault = faults[count++] ?? "none";
    if (fault === "crash") isDead = true;
    if (isDead) throw new CrashError("the process has crashed");
    if (typeof fault === "number") return refusal(fault);
    await onSend(request);
    const answer = await next(request);
    return fault === "lost answer" && request.method !== "GET" ? refusal(500) : answer;
  };
}

const reasons: Readonly<Record<number, string>> = { 409: "Conflict", 429: "TooManyRequests", 500: "InternalError" };

function refusal(code: number): HttpResponse {
  const body = JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: reasons[code],
    message: `made up: ${code}`,
    code,
  });
  return { status: code, headers: { "content-type": "application/json" }, body };
}
