/**
 * How the process of an operator ends on an error that no code handles: with one readable line in the log instead of the stack of a
 * library, and with code 1, as Node would.
 *
 *     unhandled rejection, uncaught error → ownProcess → log: which run, which call, what to do → exit code 1
 */
import { failedCallOf } from "@drover/controller";
import { isError } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";

/** The part of `process` that is used. */
export interface EndingProcess {
  on(event: "uncaughtException", listener: UncaughtListener): unknown;
  off(event: "uncaughtException", listener: UncaughtListener): unknown;
  listenerCount(event: "uncaughtException" | "unhandledRejection"): number;
  /** Exits when what was written before is written. */
  exit(code: number): void;
}

export type UncaughtListener = (error: unknown, origin: "uncaughtException" | "unhandledRejection") => void;

/**
 * Watches over the process while `work` runs. If `work` rejects and the caller does not catch it, logs the reason as one line. A process
 * that has its own listeners for uncaught errors is left alone.
 */
export async function ownProcess(
  work: () => Promise<void>,
  { log, host }: { readonly log: Log; readonly host: EndingProcess },
): Promise<void> {
  if (host.listenerCount("uncaughtException") + host.listenerCount("unhandledRejection") > 0) return work();
  let ended: { readonly error: unknown } | undefined;
  const listener: UncaughtListener = (error, origin) => {
    report(error, { log, origin, isEnd: ended !== undefined && ended.error === error });
    host.exit(1);
  };
  host.on("uncaughtException", listener);
  try {
    await work();
    host.off("uncaughtException", listener);
  } catch (error) {
    ended = { error };
    throw error;
  }
}

function report(
  error: unknown,
  { log, origin, isEnd }: { readonly log: Log; readonly origin: "uncaughtException" | "unhandledRejection"; readonly isEnd: boolean },
): void {
  const call = failedCallOf(error);
  if (isEnd) log.error("operator ended", { error });
  else if (call !== undefined)
    log.error("a call of a reconcile failed, and no code awaited it; the process ends", {
      ...call,
      error,
      code: "DRV0426",
      fix: "write await before each call of client, or return its promise",
    });
  else if (origin === "unhandledRejection")
    log.error("a promise was rejected, and no code awaited it; the process ends", {
      error,
      code: problemCode(error) ?? "DRV0427",
      ...stackOf(error),
    });
  else log.error("uncaught error; the process ends", { error, ...stackOf(error) });
}

/** The stack tells which code of the program it was. */
function stackOf(error: unknown): { readonly stack?: string } {
  if (!isError(error) || typeof error.stack !== "string") return {};
  const places = error.stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node:internal"));
  return places.length === 0
    ? {}
    : {
        stack: places
          .slice(0, 5)
          .map((line) => line.trim())
          .join("; "),
      };
}

/** This process, which exits when the line about the error has been written. */
export function endingProcess(): EndingProcess {
  return {
    on: (event, listener) => process.on(event, listener),
    off: (event, listener) => process.off(event, listener),
    listenerCount: (event) => process.listenerCount(event),
    exit: (code) => {
      process.exitCode = code;
      process.stderr.write("", () => process.exit(code));
    },
  };
}
