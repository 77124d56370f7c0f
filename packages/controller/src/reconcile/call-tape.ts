/**
 * Records one call to the API server on the tape, after its response was read to the end or has failed.
 *
 *     request → CallTape: wrote, answered, failed → RunTape.call
 */
import type { ConfirmedWrite } from "@drover/cache";
import { definedOnly, getOwn } from "@drover/machinery";
import type { HttpBody, HttpRequest, HttpResponse } from "@drover/machinery";
import type { CallRecord } from "../tape/run-record.ts";
import type { RunTape } from "../tape/tape.ts";
import { errorMessage } from "./error-message.ts";

export interface CallTapeOptions {
  readonly tape: RunTape;
  readonly request: Pick<HttpRequest, "method" | "path">;
  /** Milliseconds from the start of the run to the start of the call. */
  readonly atMs: number;
  /** Returns the milliseconds since the start of the run. */
  readonly sinceStart: () => number;
}

/** How much of an error response is read for the tape. */
const refusalLengthMax = 16 * 1024;

/** Guarantees: one record per call. */
export class CallTape {
  readonly #options: CallTapeOptions;
  #wrote: CallRecord["wrote"];

  constructor(options: CallTapeOptions) {
    this.#options = options;
  }

  wrote({ uid, resourceVersion, key }: Pick<ConfirmedWrite, "uid" | "resourceVersion"> & Partial<Pick<ConfirmedWrite, "key">>): void {
    const { method, path } = this.#options.request;
    const manager = new URLSearchParams(path.slice(pathEnd(path))).get("fieldManager");
    this.#wrote = { uid, resourceVersion, ...(manager === null ? {} : { manager }), ...(method === "POST" ? definedOnly({ key }) : {}) };
  }

  failed(error: unknown): void {
    this.#record({ error: errorMessage(error) });
  }

  /** Returns the response. If its body is a stream, the record is written when the stream ends. */
  answered(response: HttpResponse): HttpResponse {
    const { status, body } = response;
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return { ...response, body: this.#followed(status, body) };
    this.#record({ status, ...(status < 400 ? {} : refusal(typeof body === "string" ? body : new TextDecoder().decode(body))) });
    return response;
  }

  async *#followed(status: number, body: Exclude<HttpBody, string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    const decoder = new TextDecoder();
    let text = "";
    let broken: { readonly error: string } | undefined;
    try {
      for await (const chunk of body) {
        if (status >= 400 && text.length < refusalLengthMax)
          text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
        yield chunk;
      }
    } catch (error) {
      broken = { error: errorMessage(error) };
      throw error;
    } finally {
      this.#record({ status, ...(broken ?? (status < 400 ? {} : refusal(text))) });
    }
  }

  #record(outcome: Pick<CallRecord, "status" | "error">): void {
    const {
      tape,
      request: { method, path },
      atMs,
      sinceStart,
    } = this.#options;
    try {
      tape.call({
        method,
        path: path.slice(0, pathEnd(path)),
        atMs,
        tookMs: sinceStart() - atMs,
        ...outcome,
        ...definedOnly({ wrote: this.#wrote }),
      });
    } catch {
      // A tape that fails costs the record, not the call; its failure at the end of the run is logged.
    }
  }
}

/** Returns the index of the query. */
function pathEnd(path: string): number {
  const query = path.indexOf("?");
  return query === -1 ? path.length : query;
}

/** Returns the message of a Status response. */
function refusal(text: string): { readonly error?: string } {
  try {
    const status: unknown = JSON.parse(text);
    const message =
      typeof status === "object" && status !== null ? getOwn(status as Readonly<Record<string, unknown>>, "message") : undefined;
    return typeof message === "string" ? { error: message } : {};
  } catch {
    return text === "" ? {} : { error: text.slice(0, 200) };
  }
}
