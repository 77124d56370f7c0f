/**
 * The last word of `exec` and `attach`: a Status on the error channel that says how the command ended.
 *
 *     bytes of the error channel → ExitStatusReader → exit code, or an ApiError
 */
import { ApiError, parseStatus } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { StreamError } from "./stream-error.ts";

const statusBytesMax = 1024 * 1024;

/** Collects the Status, however it is cut into messages. */
export class ExitStatusReader {
  readonly #attempt: string;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(attempt: string) {
    this.#attempt = attempt;
  }

  /** The exit code once the Status is whole, else undefined. Throws an `ApiError` when the command could not be run. */
  push(bytes: Uint8Array): number | undefined {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > statusBytesMax) throw this.unreadable();
    const status = parseWhole(this.#text);
    return status === undefined ? undefined : exitCode(status, this.#attempt);
  }

  /** Whether anything has come at all. */
  get begun(): boolean {
    return this.#text !== "";
  }

  /** The error for a connection that ended with something on this channel that is no Status. */
  unreadable(): StreamError {
    return new StreamError(
      "protocol",
      `${this.#attempt}: the server told the end of the command in words that are no Status: ${this.#text.slice(0, 200)}`,
    );
  }
}

function parseWhole(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The stream translator of the API server leaves out kind and apiVersion.
    return typeof value === "object" && value !== null ? parseStatus({ kind: "Status", apiVersion: "v1", ...value }) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function exitCode(status: Status, attempt: string): number {
  if (status.status === "Success") return 0;
  if (status.reason !== "NonZeroExitCode") throw new ApiError(status, { attempt });
  const text = status.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message ?? "";
  if (!/^-?[0-9]{1,10}$/.test(text))
    throw new StreamError("protocol", `${attempt}: the server reports a failed command without its exit code: ${status.message ?? ""}`);
  return Number(text);
}
