/**
 * What goes wrong between the operator and the server, because a test wants to see what comes of it.
 *
 *     t.fault({ answer: 409, verb: "update", times: 2 }) → FaultPlan → the next two updates
 */
import { TransportError } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import { newConflict, newInternalError, newServerTimeout, newServiceUnavailable, newTooManyRequests, sleep } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Kind, RequestInfo, Status, Transport } from "@drover/machinery";

export interface HarnessFault {
  /**
   * A code: the server answers with it and does nothing. `"lost"`: it does what was asked, and the answer never
   * arrives. `"refused"`: no connection.
   * `"timeout"`: nothing comes for thirty seconds.
   */
  readonly answer: 409 | 429 | 500 | 503 | 504 | "lost" | "refused" | "timeout";
  /** How many requests it hits. @default 1 */
  readonly times?: number;
  /** @default any but a watch */
  readonly verb?: "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";
  /** Only requests for this kind, subresources included. @default any */
  readonly kind?: Pick<Kind, "group" | "plural">;
}

const timeoutMs = 30_000;

/** Guarantees: each fault hits as many requests as it says, the first that fit, in the order in which faults were asked for. */
export class FaultPlan {
  readonly #faults: { readonly fault: HarnessFault; left: number }[] = [];

  add(fault: HarnessFault): void {
    const { times = 1 } = fault;
    if (!Number.isSafeInteger(times) || times < 1) throw new RangeError(`fault: times must be a whole number above 0, not ${times}`);
    this.#faults.push({ fault, left: times });
  }

  /** What happens to this request; undefined when all goes well. */
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

/** The request with the fault in its way. */
export async function sendFaulty(
  { answer }: HarnessFault,
  info: RequestInfo,
  request: HttpRequest,
  { clock, next }: { readonly clock: Clock; readonly next: Transport },
): Promise<HttpResponse> {
  const attempt = `${request.method} ${info.path}`;
  if (answer === "refused")
    throw new TransportError(`${attempt}: the harness refused the connection, as the test asked`, {
      reason: "refused",
      sent: "no",
      code: "ECONNREFUSED",
    });
  if (answer === "lost") {
    await next(request);
    throw new TransportError(`${attempt}: the harness lost the answer, as the test asked`, {
      reason: "reset",
      sent: "maybe",
      code: "ECONNRESET",
    });
  }
  if (answer === "timeout") {
    await sleep(clock, timeoutMs, request.signal === undefined ? {} : { signal: request.signal });
    throw new TransportError(`${attempt}: no answer after ${timeoutMs} ms, as the test asked of the harness`, {
      reason: "timeout",
      timeout: "headers",
      sent: "maybe",
    });
  }
  return statusResponse(statusOf(answer, info), answer === 429 ? { headers: { "retry-after": "1" } } : {});
}

function statusOf(code: 409 | 429 | 500 | 503 | 504, { apiGroup: group, resource, name, verb }: RequestInfo): Status {
  const why = "the harness answers so, as the test asked";
  if (code === 409) return newConflict({ group, resource }, name, `the object has been modified; ${why}`);
  if (code === 429) return newTooManyRequests(why, 1);
  if (code === 500) return newInternalError(why);
  return code === 503 ? newServiceUnavailable(why) : newServerTimeout({ group, resource }, verb, 0);
}
