/**
 * The etcd of `drover envtest`. The API server needs no etcd, but envtest starts one, waits for its health, and expects that data live as
 * long as its folder. This process answers the health checks and names the folder; the API server keeps the data there.
 *
 *     GET /health · /readyz · /livez · /version · /drover/store
 */
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { join } from "node:path";
import { errorCode, errorText } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { storePath } from "../apiserver/etcd-folder.ts";
import { CommandError, isCommandError } from "../command-error.ts";
import { watchParent } from "../exit-with-parent.ts";
import { etcdVersion } from "../version.ts";
import type { EtcdOptions } from "./etcd-options.ts";

/** Clock, parent and signal of the etcd of `drover envtest`. */
export interface EtcdPlace {
  readonly clock: Pick<Clock, "timer">;
  /** Returns the process id of the parent. */
  readonly parent: () => number;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** Health checks are small and quick; more than that is not from envtest. */
const limits = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 5000, maxHeaderSize: 8192 } as const;
const connectionsMax = 100;

/** Resolves when it has stopped after the signal. Rejects with a `CommandError` if it cannot start. */
export async function etcd({ addresses, folder, syncs, parent: pid }: EtcdOptions, { clock, parent, signal }: EtcdPlace): Promise<void> {
  prepare(folder);
  const answers: Readonly<Record<string, object>> = {
    "/health": { health: "true", reason: "" },
    "/version": { etcdserver: etcdVersion, etcdcluster: "3.6.0", storage: "3.6.0" },
    [storePath]: { folder, syncs },
  };
  const servers: Server[] = [];
  const orphaned = new AbortController();
  const stopWatching = watchParent({ parent: pid, current: parent, clock, gone: () => orphaned.abort() });
  try {
    for (const { host, port } of addresses) servers.push(await listening(answers, host, port));
    await aborted(AbortSignal.any([signal, orphaned.signal]));
  } finally {
    stopWatching();
    await Promise.all(servers.map(closed));
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).includes("member"))
      throw new CommandError(`--data-dir: ${join(folder, "member")} is of another etcd; its data cannot be read here, use another folder`);
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw new CommandError(`--data-dir: ${folder} cannot be used: ${errorText(error)}`, { cause: error });
  }
}

function listening(answers: Readonly<Record<string, object>>, host: string, port: number): Promise<Server> {
  const server = createServer(limits, (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (path === "/readyz" || path === "/livez") response.end("ok\n");
    else if (answer !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    else response.writeHead(404).end("404 page not found\n");
  });
  server.maxConnections = connectionsMax;
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(portProblem(error, host, port)));
    server.listen({ host, port }, () => resolve(server));
  });
}

function portProblem(error: unknown, host: string, port: number): CommandError {
  const why = errorCode(error) === "EADDRINUSE" ? "it is in use by another program" : errorText(error);
  return new CommandError(`--listen-client-urls: cannot listen at port ${port} of ${host}: ${why}`, { cause: error });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
