/**
 * The client of one run: its calls are recorded on the tape, end with the run's signal, and fail after the run has ended.
 *
 *     reconcile → guard (tape, signal, refusal) → read your writes → through → fence → the cluster's transport
 */
import type { Cluster, ConfirmedWrite } from "@drover/cache";
import type { Client, TransportWrapper } from "@drover/client";
import { callSafely } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, ObjectKey, Transport } from "@drover/machinery";
import type { Fence } from "../leader/fence.ts";
import type { RunTape } from "../tape/tape.ts";
import { CallSignals } from "./call-signals.ts";
import { CallTape } from "./call-tape.ts";
import { markFailedCall } from "./failed-call.ts";
import { RunOverError } from "./run-over-error.ts";

export interface RunClientOptions {
  readonly cluster: Cluster;
  readonly fence: Pick<Fence, "wrapper"> | undefined;
  /** Wrappers before the fence, which is last so that it checks the time as late as possible. */
  readonly through: readonly TransportWrapper[];
  readonly controller: string;
  /** The part of a run that its client uses. */
  readonly owner: {
    readonly run: string;
    readonly key: ObjectKey;
    readonly signal: AbortSignal;
    readonly isOver: boolean;
  };
  readonly tape: RunTape | undefined;
  /** Start of the run on the monotonic clock. */
  readonly startedAt: number;
  readonly onWritten: (write: ConfirmedWrite) => void;
}

/** Guarantees: sends nothing for a call made after the end of the run; a call in progress when the run succeeds continues. */
export function runClient(options: RunClientOptions): Client {
  const { cluster, fence, through, controller, owner } = options;
  const calls = new CallSignals(owner);
  const guard =
    (next: Transport): Transport =>
    async (request) => {
      const { run, signal, isOver } = owner;
      if (isOver) throw new RunOverError({ run, controller }, signal.aborted ? signal.reason : undefined);
      signal.throwIfAborted();
      const call = calls.begin(request.signal);
      let isUnderWay = false;
      try {
        const response = await taped(options, next, { ...request, signal: call.signal });
        // A streamed body.
        isUnderWay = typeof response.body !== "string" && !(response.body instanceof Uint8Array);
        return response;
      } finally {
        if (!isUnderWay) call.release();
      }
    };
  const client = cluster.clientThrough(guard, ...through, ...(fence === undefined ? [] : [fence.wrapper]));
  return client.with({ onFailure: (error) => markFailedCall(error, { controller, key: owner.key, run: owner.run }) });
}

async function taped(
  { cluster: { readYourWrites, runtime }, tape, startedAt, onWritten }: RunClientOptions,
  next: Transport,
  request: HttpRequest,
): Promise<HttpResponse> {
  if (tape === undefined) return readYourWrites.transport(next, onWritten)(request);
  const call = new CallTape({
    tape,
    request,
    atMs: sinceStart(runtime.clock, startedAt),
    sinceStart: () => sinceStart(runtime.clock, startedAt),
  });
  const transport = readYourWrites.transport(next, (write) => {
    call.wrote(write);
    onWritten(write);
  });
  try {
    return call.answered(await transport(withHeaders(request, tape)));
  } catch (error) {
    call.failed(error);
    throw error;
  }
}

function withHeaders(request: HttpRequest, tape: RunTape): HttpRequest {
  if (tape.headers === undefined || request.method === "GET") return request;
  let headers = {};
  // A tape that fails costs its headers, not the call.
  callSafely(
    () => (headers = tape.headers?.() ?? {}),
    () => undefined,
  );
  return { ...request, headers: { ...headers, ...request.headers } };
}

const sinceStart = (clock: Clock, startedAt: number): number => clock.monotonic() - startedAt;
