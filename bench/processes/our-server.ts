/** Our API server as a separate process, over TLS on loopback, from the built packages. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { engineFlags } from "./engine-flags.ts";

/** Its address and its start time. */
export interface StartedServer {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly readyMs: number;
  readonly importMs: number;
}

export interface OurServerOptions {
  /** The range of Service addresses. @default the server's: 250 addresses */
  readonly serviceCidr?: string;
  /** Data folder. @default in memory */
  readonly data?: string;
  /** Address of an etcd. @default none */
  readonly etcd?: string;
}

export interface OurServerProcess {
  /** The Node that runs it. @default the one of the benchmark */
  readonly node?: string;
}

/** Resolves when it listens; it ends when the child is killed. */
export function startOurServer(
  options: OurServerOptions = {},
  { node = process.execPath }: OurServerProcess = {},
): Promise<{ readonly child: ChildProcess; readonly started: StartedServer }> {
  const child = fork(join(import.meta.dirname, "..", "apiserver", "our-server.mjs"), [JSON.stringify(options)], {
    execPath: node,
    execArgv: [...engineFlags],
  });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve({ child, started: message as StartedServer }));
    child.once("exit", (code) => reject(new Error(`our server ended with ${code ?? "a signal"}`)));
  });
}
