/**
 * Injects faults between the operator and the server.
 *
 *     t.fault({ answer: 409, verb: "update", times: 2 }) → FaultPlan → the next two updates
 */
import { TransportError } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import {
  definedOnly,
  newConflict,
  newInternalError,
  newServerTimeout,
  newServiceUnavailable,
  newTooManyRequests,
  sleep,
} from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Kind, RequestInfo, Status, Transport } from "@drover/machinery";

/** A fault to inject into requests of the operator. */
export interface HarnessFault {
  /**
   * A code: the server answers with it and does nothing. `"lost"`: the server processes the request, but the answer is
   * lost. `"refused"`: no connection. `"timeout"`: no answer for 30 seconds.
   */
  readonly answer: 409 | 429 | 500 | 503 | 504 | "lost" | "refused" | "timeout";
  /** Number of requests it affects. @default 1 */
  readonly times?: number;
  /** @default any except watch */
  readonly verb?: "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";
  /** Only requests for this kind, including subresources. @default any */
  readonly kind?: Pick<Kind, "group" | "plural">;
}

const timeoutMs = 30_000;

/** Guarantees: each fault affects exactly its number of matching requests, in the order in which faults were added. */
export class FaultPlan {
  readonly #faults: { readonly fault: HarnessFault; left: number }[] = [];

  add(fault: HarnessFault): void {
    const { times = 1 } = fault;
    if (!Number.isSafeInteger(times) || times < 1) throw new RangeError(`fault: times must be a positive integer, not ${times}`);
    this.#faults.push({ fault, left: times });
  }

  /** Returns the fault of this request; undefined if none. */
  take(info: RequestInfo): HarnessFault | undefined {
    const found = this.#faults.find(({ fault }) => fits(fault, info));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left === 0) this.#faults.splice(this.#faults.indexOf(found), 1);
    return found.fault;
  }
}

function fits({ verb, kind }: HarnessFault, info: RequestInfo): boolean {
  if (!info.isResourceRequest || (verb === undefined ? info.verb === "watch" : info.verb !== verb)) return false;
  return kind === undefined || (info.apiGroup === kind.group && info.resource === kind.plural);
}

/** Sends the request with the fault. */
export async function sendFaulty(
  { answer }: HarnessFault,
  info: RequestInfo,
  request: HttpRequest,
  { clock, next }: { readonly clock: Clock; readonly next: Transport },
): Promise<HttpResponse> {
  const attempt = `${request.method} ${info.path}`;
  if (answer === "refused")
    throw new TransportError(`${attempt}: connection refused by the harness, as the test requested`, {
      reason: "refused",
      sent: "no",
      code: "ECONNREFUSED",
    });
  if (answer === "lost") {
    await next(request);
    throw new TransportError(`${attempt}: answer lost by the harness, as the test requested`, {
      reason: "reset",
      sent: "maybe",
      code: "ECONNRESET",
    });
  }
  if (answer === "timeout") {
    await sleep(clock, timeoutMs, definedOnly({ signal: request.signal }));
    throw new TransportError(`${attempt}: no answer after ${timeoutMs} ms, injected by the harness`, {
      reason: "timeout",
      timeout: "headers",
      sent: "maybe",
    });
  }
  return statusResponse(statusOf(answer, info), answer === 429 ? { headers: { "retry-after": "1" } } : {});
}

function statusOf(code: 409 | 429 | 500 | 503 | 504, { apiGroup: group, resource, name, verb }: RequestInfo): Status {
  const why = "injected by the harness";
  if (code === 409) return newConflict({ group, resource }, name, `the object has been modified; ${why}`);
  if (code === 429) return newTooManyRequests(why, 1);
  if (code === 500) return newInternalError(why);
  return code === 503 ? newServiceUnavailable(why) : newServerTimeout({ group, resource }, verb, 0);
}
