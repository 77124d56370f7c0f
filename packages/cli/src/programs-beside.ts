/**
 * Runs programs beside the cluster with its kubeconfig: `--run "node my-controller.js"`. Their output appears among the
 * printed changes. Operators of Drover log as text, and send the causes of their writes.
 *
 *     command → runBeside → lines, until the signal; then SIGTERM, and SIGKILL after a grace period
 */
import { errorText } from "@drover/machinery";
import { once } from "node:events";
import { basename, extname } from "node:path";
import type { Report } from "./changes/change-line.ts";
import { outputLines } from "./output-lines.ts";
import { startTied } from "./tied-program.ts";

/** Kubeconfig, output and signal of a program. */
export interface BesidePlace {
  readonly kubeconfig: string;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** What operators see of this place: no terminal, but people read their log. */
const askedOf = { DROVER_LOG_FORMAT: "text" } as const;

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 3000;

/** Resolves when the program has exited, which is printed. Never rejects. */
export async function runBeside(command: string, { kubeconfig, report, signal }: BesidePlace): Promise<void> {
  if (signal.aborted) return;
  const who = programName(command);
  const program = startTied(command, { ...askedOf, ...process.env, KUBECONFIG: kubeconfig, DROVER_BECAUSE: "1" });
  const { child } = program;
  const output = [child.stdout, child.stderr].map((stream) =>
    outputLines(stream, (line) => report({ who, did: line, kind: "", name: "", isOutput: true })),
  );
  const onAbort = (): void => {
    program.kill("SIGTERM");
    setTimeout(() => program.kill("SIGKILL"), graceMs).unref();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const [code, name] = (await once(child, "exit").catch((error: unknown) => [errorText(error), null])) as [
    number | string | null,
    string | null,
  ];
  await Promise.all(output);
  signal.removeEventListener("abort", onAbort);
  if (signal.aborted) program.release("guard");
  else signal.addEventListener("abort", () => program.release("leftovers"), { once: true });
  if (!signal.aborted)
    report({
      who,
      did: `has exited${name === null ? ` with code ${String(code)}` : `, killed by ${name}`}; to start it again: KUBECONFIG=${kubeconfig} ${command}`,
      kind: "",
      name: "",
      isOutput: true,
    });
}

/** "node build/pod-node-logger.js operator" → "pod-node-logger" */
export function programName(command: string): string {
  const words = command.split(/\s+/).filter((word) => word !== "");
  const script = words.find((word) => /\.(?:[cm]?[jt]s|py|sh)$/.test(word)) ?? words[0] ?? "program";
  return basename(script, extname(script));
}
