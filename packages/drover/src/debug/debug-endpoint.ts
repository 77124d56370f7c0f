/**
 * The debug endpoint of a running operator: a port on the loopback address, a file by which commands find it, and a signal.
 *
 *     createDebugHandler → serveDebug → 127.0.0.1:4679, operator file, SIGUSR1
 */
import { createServer } from "node:http";
import type { Listening } from "@drover/controller";
import { budget, errorCause, errorCode, errorText } from "@drover/machinery";
import type { HttpResponse, Log, Transport } from "@drover/machinery";
import { standardError } from "../log-lines.ts";
import { listenOn } from "../node-listener.ts";
import type { DebugPort } from "./debug-options.ts";
import { writeOperatorFile } from "./operator-file.ts";
import type { FoundOperator } from "./operator-file.ts";

const connectionsMax = budget({
  name: "drover/debug-connections",
  limit: 32,
  unit: "items",
  atLimit: "further connections to the debug endpoint are closed",
  uncounted: "The endpoint is for people; the one whose connection is closed notices.",
});

/** Timeouts of requests without a body. */
const headersTimeoutMs = 10_000;
const idleTimeoutMs = 10_000;

export interface ServeDebugOptions extends DebugPort {
  readonly operator: Pick<FoundOperator, "pid" | "name" | "startedAt">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Whether SIGUSR1 writes a snapshot to standard error. */
  readonly onSignal: boolean;
  readonly signal: AbortSignal;
}

/**
 * Serves until the signal aborts. Rejects if a chosen port cannot be opened. Without a chosen port nothing that happens here disturbs the
 * operator: a port that is in use is replaced by another one, and every other problem is a line of the log.
 */
export async function serveDebug(handler: Transport, options: ServeDebugOptions): Promise<void> {
  const { log, signal, onSignal, operator, env } = options;
  const listening = await openPort(handler, options);
  if (listening === undefined) return;
  const { address } = listening;
  const stopSnapshots = onSignal ? snapshotsOnSignal(handler) : () => undefined;
  const remove = await writeOperatorFile({ ...operator, address }, env).catch((error: unknown) => {
    log.debug("cannot write the file by which drover status finds this operator", { error: errorText(error), code: "DRV0806" });
    return () => Promise.resolve();
  });
  log.info("debug endpoint", { address, ask: "drover status" });
  try {
    await listening.run(signal);
  } finally {
    stopSnapshots();
    await remove();
  }
}

async function openPort(handler: Transport, { port, isChosen, log }: ServeDebugOptions): Promise<Listening | undefined> {
  try {
    try {
      return await openLoopback(handler, port);
    } catch (error) {
      if (isChosen || port === 0) throw error;
      return await openLoopback(handler, 0);
    }
  } catch (error) {
    if (isChosen) throw error;
    log.warn("the debug endpoint cannot be opened, so drover status cannot ask this operator", { error: errorText(error) });
    return undefined;
  }
}

/** Opens the port on 127.0.0.1, or on ::1 if this machine has no IPv4. */
async function openLoopback(handler: Transport, port: number): Promise<Listening> {
  const open = (host: string): Promise<Listening> => {
    const server = createServer({ headersTimeout: headersTimeoutMs, requestTimeout: headersTimeoutMs, keepAliveTimeout: idleTimeoutMs });
    server.maxConnections = connectionsMax.limit;
    return listenOn(server, handler, { host, port }, { onEnd: "abort" });
  };
  try {
    return await open("127.0.0.1");
  } catch (error) {
    if (!isMissingFamily(error)) throw error;
    return open("::1");
  }
}

/** Whether this machine has no IPv4, or no IPv6. */
const isMissingFamily = (error: unknown): boolean => {
  const code = errorCode(errorCause(error));
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
};

/** Node would start its inspector on SIGUSR1. Returns a function that removes the listener. */
function snapshotsOnSignal(handler: Transport): () => void {
  if (process.platform === "win32") return () => undefined;
  const listener = (): void => void writeSnapshot(handler);
  process.on("SIGUSR1", listener);
  return () => void process.off("SIGUSR1", listener);
}

/** Writes status and queue, one line of JSON each. Never rejects. */
async function writeSnapshot(handler: Transport): Promise<void> {
  try {
    const output = standardError();
    for (const path of ["/debug/drover/status", "/debug/drover/queue?limit=200"]) {
      const { body }: HttpResponse = await handler({ method: "GET", path, headers: { host: "localhost" } });
      if (typeof body === "string") output.write(body, () => undefined);
    }
  } catch {
    // Standard error is closed.
  }
}
