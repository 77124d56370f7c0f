/**
 * Runs programs beside the cluster with its kubeconfig: `--run "node my-controller.js"`. Their output appears among the
 * printed changes.
 *
 *     command → runBeside → lines, until the signal; then SIGTERM, and SIGKILL after a grace period
 */
import { errorText } from "@drover/machinery";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, extname } from "node:path";
import { createInterface } from "node:readline";
import type { Report } from "./changes/change-line.ts";

/** Kubeconfig, output and signal of a program. */
export interface BesidePlace {
  readonly kubeconfig: string;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 3000;

/** Resolves when the program has exited, which is printed. Never rejects. */
export async function runBeside(command: string, { kubeconfig, report, signal }: BesidePlace): Promise<void> {
  if (signal.aborted) return;
  const who = programName(command);
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => report({ who, did: line, kind: "", name: "" }));
  const kill = (name: "SIGTERM" | "SIGKILL"): void => {
    if (child.pid === undefined) return;
    try {
      // The process group, with everything that the shell started.
      process.kill(process.platform === "win32" ? child.pid : -child.pid, name);
    } catch {
      // It has already exited.
    }
  };
  const onAbort = (): void => {
    kill("SIGTERM");
    setTimeout(() => kill("SIGKILL"), graceMs).unref();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const [code, name] = (await once(child, "close").catch((error: unknown) => [errorText(error), null])) as [
    number | string | null,
    string | null,
  ];
  signal.removeEventListener("abort", onAbort);
  if (!signal.aborted)
    report({
      who,
      did: `has exited${name === null ? ` with code ${String(code)}` : `, killed by ${name}`}; to start it again: KUBECONFIG=${kubeconfig} ${command}`,
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
