/**
 * `drover up`: an API server on this machine until somebody ends it.
 *
 *     options → kubeconfig file taken → server ready → kubeconfig written, greeting → signal → server ended, kubeconfig removed
 */
import { nodeRuntime } from "drover";
import type { UpOptions } from "./command-line.ts";
import { findProgram } from "./find-program.ts";
import { greeting } from "./greeting.ts";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";

export interface UpPlace {
  /** Takes what is for people. */
  readonly write: (text: string) => void;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/** Resolves when the server has ended because of the signal. Rejects with a `CommandError` when it cannot be started. */
export async function up({ host, port, anonymous, kubeconfig }: UpOptions, { write, signal }: UpPlace): Promise<void> {
  const file = takeKubeconfigFile(kubeconfig);
  const server = await startLocalServer({ host, port, anonymous, runtime: nodeRuntime() });
  const ending = new AbortController();
  const running = server.run(AbortSignal.any([signal, ending.signal]));
  try {
    await file.write(localKubeconfig(server, process.pid));
    const hasKubectl = findProgram("kubectl", process) !== undefined;
    write(greeting({ url: server.url, kubeconfig: file.path, startedInMs: performance.now(), hasKubectl, platform: process.platform }));
    await running;
    write("\nEnded.\n");
  } finally {
    ending.abort();
    await running;
    file.remove();
  }
}
