/**
 * The result of `exec` and `attach`: a Status on the error channel.
 *
 *     bytes of the error channel → ExitStatusReader → exit code, or an ApiError
 */
import { ApiError, isInstanceOf, parseStatus } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { StreamError } from "./stream-error.ts";

const statusBytesMax = 1024 * 1024;

/** Collects the Status from one or more messages. */
export class ExitStatusReader {
  readonly #attempt: string;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(attempt: string) {
    this.#attempt = attempt;
  }

  /** Returns the exit code once the Status is complete, else undefined. Throws an `ApiError` if the command could not be run. */
  push(bytes: Uint8Array): number | undefined {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > statusBytesMax) throw this.unreadable();
    const status = parseWhole(this.#text);
    return status === undefined ? undefined : exitCode(status, this.#attempt);
  }

  /** Whether anything has arrived. */
  get begun(): boolean {
    return this.#text !== "";
  }

  /** Returns the error for a connection that ended with something other than a Status on this channel. */
  unreadable(): StreamError {
    return new StreamError(
      "protocol",
      `${this.#attempt}: the server reported the end of the command with something that is not a Status: ${this.#text.slice(0, 200)}`,
    );
  }
}

function parseWhole(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The API server's stream translator omits kind and apiVersion.
    return typeof value === "object" && value !== null ? parseStatus({ kind: "Status", apiVersion: "v1", ...value }) : undefined;
  } catch (error) {
    if (isInstanceOf(error, SyntaxError)) return undefined;
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
