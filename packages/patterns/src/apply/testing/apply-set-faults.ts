/** A transport that rejects requests, loses answers and simulates a crash of the client, with a hook that observes every write. */
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";

/** What happens to one request. */
export type Fault = "none" | 409 | 429 | 500 | "lost answer" | "crash";

/** Thrown after the simulated crash: the process sends no more requests. */
export class CrashError extends Error {
  override readonly name = "CrashError";
}

/** Applies one fault per request, and none when they are used up. Rejections are Status objects, as a server writes them. */
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
