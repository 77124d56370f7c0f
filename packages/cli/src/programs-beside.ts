/**
 * Programs that run beside the cluster, with its kubeconfig: `--run "node my-controller.js"`. Their lines are part of the story.
 *
 *     command → runBeside → lines, until the signal; then SIGTERM, and SIGKILL for those that do not listen
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, extname } from "node:path";
import { createInterface } from "node:readline";
import type { Tell } from "./story/happening.ts";

export interface BesidePlace {
  readonly kubeconfig: string;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/** How long a program may take to end after it was asked to. */
const graceMs = 3000;

/** Resolves when the program has ended; that it did, and how, is told. Never rejects. */
export async function runBeside(command: string, { kubeconfig, tell, signal }: BesidePlace): Promise<void> {
  if (signal.aborted) return;
  const who = programName(command);
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => tell({ who, did: line, kind: "", name: "" }));
  const kill = (name: "SIGTERM" | "SIGKILL"): void => {
    if (child.pid === undefined) return;
    try {
      // With all that a shell has started for it.
      process.kill(process.platform === "win32" ? child.pid : -child.pid, name);
    } catch {
      // It has ended by itself.
    }
  };
  const onAbort = (): void => {
    kill("SIGTERM");
    setTimeout(() => kill("SIGKILL"), graceMs).unref();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const [code, name] = (await once(child, "close").catch((error: unknown) => [
    error instanceof Error ? error.message : String(error),
    null,
  ])) as [number | string | null, string | null];
  signal.removeEventListener("abort", onAbort);
  if (!signal.aborted)
    tell({
      who,
      did: `has ended${name === null ? ` with ${String(code)}` : `, killed by ${name}`}; to start it again: KUBECONFIG=${kubeconfig} ${command}`,
      kind: "",
      name: "",
    });
}

/** "node build/pod-node-logger.js operator" → "pod-node-logger" */
export function programName(command: string): string {
  const words = command.split(/\s+/).filter((word) => word !== "");
  const script = words.find((word) => /\.(?:[cm]?[jt]s|py|sh)$/.test(word)) ?? words[0] ?? "program";
  return basename(script, extname(script));
}
