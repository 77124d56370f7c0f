/**
 * The log of a container, line by line, over the HTTP transport.
 *
 *     GET …/pods/web-0/log → LogLines → (LogReplay when resumed) → AsyncIterable<string>
 */
import {
  ApiError,
  LineError,
  definedOnly,
  encodeQuery,
  errorText,
  formatResourcePath,
  isApiError,
  isInstanceOf,
  retryAfterSeconds,
  sleep,
  statusFromResponse,
  stepBackoff,
} from "@drover/machinery";
import type { Backoff, Clock, HttpBody, HttpResponse, ObjectName, QueryEntry, Random, Transport } from "@drover/machinery";
import { LogLines } from "./log-lines.ts";
import { LogReplay, parseTimestampedLine } from "./log-replay.ts";
import { StreamError, isStreamError } from "./stream-error.ts";

export interface PodLogOptions {
  /** The container. @default the only one; required if the pod has several */
  readonly container?: string;
  /** Whether to wait for new lines until the container exits. @default false */
  readonly follow?: boolean;
  /** Whether to read the log of the container's previous run. @default false */
  readonly previous?: boolean;
  /** Only lines of the last seconds; not together with `sinceTime`. @default from the beginning */
  readonly sinceSeconds?: number;
  /** Only lines since this time, RFC 3339, with a resolution of one second. @default from the beginning */
  readonly sinceTime?: string;
  /** Whether every line starts with its timestamp. @default false */
  readonly timestamps?: boolean;
  /** Number of lines from the end. @default all */
  readonly tailLines?: number;
  /** The server stops after this many bytes, possibly within a line. @default all */
  readonly limitBytes?: number;
  /** Which stream to read. @default "All" */
  readonly stream?: "All" | "Stdout" | "Stderr";
  /** Whether the API server skips the verification of the node's certificate. @default false */
  readonly insecureSkipTlsVerifyBackend?: boolean;
  /** Maximum length of a line; a longer one is a `LineError`. @default 16 MiB */
  readonly lineBytesMax?: number;
  /** Resumes after a broken connection; not together with `limitBytes`. @default a broken connection throws */
  readonly resume?: LogResume;
  /** Ends the stream; the loop then throws the signal's reason. @default none */
  readonly signal?: AbortSignal;
}

/** Dependencies and backoff for resuming. */
export interface LogResume {
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Delays between attempts, reset by a new line. The last delay repeats until the signal aborts. @default 0.5 s, doubled up
   * to 30 s, with jitter
   */
  readonly backoff?: Backoff;
}

const defaultResumeBackoff: Backoff = { duration: 500, factor: 2, jitter: 0.5, steps: 100, cap: 30_000 };
const lineBytesMaxDefault = 16 * 1024 * 1024;
const errorBytesMax = 64 * 1024;

/**
 * Yields the lines of a container's log, without their "\n". Leaving the loop closes the connection; a slow reader slows the
 * server down.
 *
 * Guarantees: chunk boundaries never lose or split a line, and the last line is yielded also without "\n". With `resume`,
 * every line that the node still has is yielded exactly once, and a truncated line only when it is complete. A cleanly ended
 * response ends the log. Throws an `ApiError` if the server refuses, a `StreamError` of reason "lost" if the connection
 * breaks.
 */
export function logs(transport: Transport, pod: ObjectName, options: PodLogOptions = {}): AsyncGenerator<string, void, undefined> {
  check(options);
  return options.resume === undefined ? plainLogs(transport, pod, options) : resumedLogs(transport, pod, options, options.resume);
}

async function* plainLogs(transport: Transport, pod: ObjectName, options: PodLogOptions): AsyncGenerator<string, void, undefined> {
  const { signal, lineBytesMax = lineBytesMaxDefault } = options;
  const lines = new LogLines(lineBytesMax);
  const { body } = await request(transport, pod, options, options);
  try {
    for await (const chunk of chunksOf(body, pod, signal)) yield* lines.push(chunk);
  } catch (error) {
    // Yield the start of a truncated line.
    if (isLost(error)) yield* rest(lines);
    throw error;
  }
  yield* rest(lines);
}

async function* resumedLogs(
  transport: Transport,
  pod: ObjectName,
  options: PodLogOptions,
  resume: LogResume,
): AsyncGenerator<string, void, undefined> {
  const { clock, random, backoff: firstBackoff = defaultResumeBackoff } = resume;
  const { signal, timestamps = false, lineBytesMax = lineBytesMaxDefault } = options;
  const replay = new LogReplay();
  let backoff = firstBackoff;
  for (let attempt = 0; ; attempt++) {
    try {
      const { body } = await request(transport, pod, options, position(options, replay));
      const lines = new LogLines(lineBytesMax);
      replay.resume();
      for await (const line of wholeLines(chunksOf(body, pod, signal), lines)) {
        const { text, secondMs } = parseTimestampedLine(line);
        if (!replay.accept(line, secondMs)) continue;
        backoff = firstBackoff;
        yield timestamps ? line : text;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true || (attempt === 0 && !isLost(error)) || !isWorthAnotherTry(error)) throw error;
      const [delay, next] = stepBackoff(backoff, random);
      backoff = next;
      await sleep(clock, Math.max(delay, askedDelayMs(error)), definedOnly({ signal }));
    }
  }
}

/** Where to start: as the caller requests, or after the last line. */
type Position = Pick<PodLogOptions, "sinceSeconds" | "sinceTime" | "tailLines" | "timestamps">;

function position({ sinceSeconds, sinceTime, tailLines }: PodLogOptions, replay: LogReplay): Position {
  if (replay.sinceTime !== undefined) return { sinceTime: replay.sinceTime, timestamps: true };
  return {
    timestamps: true,
    ...definedOnly({ sinceSeconds, sinceTime, tailLines }),
  };
}

async function request(
  transport: Transport,
  pod: ObjectName,
  options: PodLogOptions,
  { sinceSeconds, sinceTime, tailLines, timestamps }: Position,
): Promise<HttpResponse> {
  const { container, follow, previous, limitBytes, stream, insecureSkipTlsVerifyBackend, signal } = options;
  const whenTrue = (value: boolean | undefined): true | undefined => (value === true ? true : undefined);
  const query: QueryEntry[] = [
    ["container", container],
    ["follow", whenTrue(follow)],
    ["previous", whenTrue(previous)],
    ["sinceSeconds", sinceSeconds],
    ["sinceTime", sinceTime],
    ["timestamps", whenTrue(timestamps)],
    ["tailLines", tailLines],
    ["limitBytes", limitBytes],
    ["stream", stream],
    ["insecureSkipTLSVerifyBackend", whenTrue(insecureSkipTlsVerifyBackend)],
  ];
  const path = formatResourcePath({ group: "", version: "v1", resource: "pods", ...pod, subresource: "log" });
  const text = encodeQuery(query);
  const response = await transport({
    method: "GET",
    path: text === "" ? path : `${path}?${text}`,
    headers: { accept: "text/plain, application/json;q=0.9" },
    ...definedOnly({ signal }),
  });
  if (response.status >= 200 && response.status < 300) return response;
  throw await failure(response, pod);
}

async function failure({ status: code, headers, body }: HttpResponse, pod: ObjectName): Promise<ApiError> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(body, pod, undefined)) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > errorBytesMax) break;
  }
  const status = statusFromResponse({
    code,
    headers,
    body: text,
    method: "GET",
    resource: { group: "", resource: "pods" },
    name: pod.name,
  });
  const seconds = retryAfterSeconds(headers);
  return new ApiError(status, { code, attempt: attemptText(pod), ...definedOnly({ retryAfterSeconds: seconds }) });
}

/** Yields the body in chunks; a broken connection becomes a `StreamError`. */
async function* chunksOf(
  body: HttpBody,
  pod: ObjectName,
  signal: AbortSignal | undefined,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (typeof body === "string" || body instanceof Uint8Array) {
    yield body;
    return;
  }
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    signal?.throwIfAborted();
    throw new StreamError("lost", `${attemptText(pod)}: the connection broke: ${errorText(error)}`, {
      cause: error,
    });
  }
}

async function* wholeLines(chunks: AsyncIterable<string | Uint8Array>, lines: LogLines): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) yield* lines.push(chunk);
  yield* rest(lines);
}

function* rest(lines: LogLines): Generator<string, void, undefined> {
  const line = lines.end();
  if (line !== undefined) yield line;
}

function attemptText({ namespace, name }: ObjectName): string {
  return `read the log of pods/${name} in ${namespace}`;
}

function isLost(error: unknown): boolean {
  return isStreamError(error) && error.reason === "lost";
}

// A transport rejects only without a response. Refusals of the server are final.
function isWorthAnotherTry(error: unknown): boolean {
  return isApiError(error) ? error.code === 429 || error.code >= 500 : !isInstanceOf(error, LineError);
}

function askedDelayMs(error: unknown): number {
  return isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

function check({ sinceSeconds, sinceTime, limitBytes, resume }: PodLogOptions): void {
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    throw new TypeError("logs: at most one of `sinceSeconds` and `sinceTime` may be set");
  if (resume !== undefined && limitBytes !== undefined) throw new TypeError("logs: a log with `limitBytes` cannot be resumed");
}
