/**
 * `drover doctor`: checks what an operator needs before it starts. Changes nothing.
 *
 *     DoctorOptions → kubeconfig → connection → identity, rights, definitions, webhooks, leases → lines, exit code
 */
import type { Host } from "@drover/client";
import { errorText, isTimeoutError } from "@drover/machinery";
import { nodeHost, nodeRuntime } from "drover/client";
import { CommandError } from "../command-error.ts";
import { readManifest } from "../manifest-file.ts";
import { jsonLine } from "../terminal-text.ts";
import { checkConnection } from "./check-connection.ts";
import { checkDefinitions } from "./check-definitions.ts";
import { checkIdentity } from "./check-identity.ts";
import { brokenKubeconfig, describeAccess } from "./check-kubeconfig.ts";
import { checkLeases } from "./check-leases.ts";
import { checkRights } from "./check-rights.ts";
import { nodeFinding, serverFinding } from "./check-versions.ts";
import { checkWebhooks } from "./check-webhooks.ts";
import { examine } from "./examined-cluster.ts";
import type { ClusterPlace, ExaminedCluster } from "./examined-cluster.ts";
import type { Finding } from "./finding.ts";
import { findingText, verdictText } from "./finding-text.ts";
import { neededRights } from "./rules-file.ts";
import type { NeededRight } from "./rules-file.ts";

/** Options of `drover doctor`. */
export interface DoctorOptions extends ClusterPlace {
  /** File with roles whose rights are checked. */
  readonly rules: string | undefined;
  readonly json: boolean;
}

/** Output and surroundings of the command. */
export interface DoctorPlace {
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  /** Environment and files. @default those of the process */
  readonly host?: Host;
  /** Timeout of one request. @default 5 s */
  readonly requestMs?: number;
  /** Timeout of all checks. @default 30 s */
  readonly totalMs?: number;
}

/**
 * Resolves with the exit code: 0 if no check failed, 1 if one did. Warnings and checks that could not be made do not count. Rejects with a
 * `CommandError` if the file of `rules` cannot be used.
 */
export async function doctor(options: DoctorOptions, place: DoctorPlace): Promise<number> {
  const { json } = options;
  const { write, signal, totalMs = 30_000 } = place;
  const rights = options.rules === undefined ? undefined : neededRights(readManifest(options.rules), options.rules);
  const found: Finding[] = [];
  const report = (finding: Finding): void => {
    found.push(finding);
    if (!json)
      write(
        findingText(finding)
          .map((line) => `${line}\n`)
          .join(""),
      );
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
  try {
    for await (const finding of findings(options, rights, { ...place, signal: limit })) report(finding);
  } catch (error) {
    if (signal.aborted) throw new CommandError("interrupted", { cause: error });
    if (!limit.aborted || !isTimeout(error)) throw error;
    report({
      check: "time",
      verdict: "fail",
      says: `the checks took longer than ${totalMs / 1000} s`,
      fix: "the server is slow: look at its load",
    });
  }
  const isHealthy = found.every(({ verdict }) => verdict !== "fail");
  write(json ? `${jsonLine({ healthy: isHealthy, findings: found })}\n` : `\n${verdictText(found)}\n`);
  return isHealthy ? 0 : 1;
}

const isTimeout = (error: unknown): boolean => isTimeoutError(error) || errorText(error).includes("timeout");

/** Every check as soon as it is made. */
async function* findings(
  options: DoctorOptions,
  rights: readonly NeededRight[] | undefined,
  { signal, host = nodeHost(), requestMs = 5000 }: DoctorPlace,
): AsyncGenerator<Finding, void, undefined> {
  yield nodeFinding(process.version);
  let cluster: ExaminedCluster;
  try {
    cluster = await examine(options, host, requestMs);
    yield await describeAccess(cluster.access, options, { host, log: nodeRuntime({ write: () => undefined }).log });
  } catch (error) {
    yield brokenKubeconfig(error);
    return;
  }
  try {
    yield* findingsOf(cluster, rights, { signal, requestMs });
  } finally {
    await cluster.close();
  }
}

async function* findingsOf(
  cluster: ExaminedCluster,
  rights: readonly NeededRight[] | undefined,
  { signal, requestMs }: { readonly signal: AbortSignal; readonly requestMs: number },
): AsyncGenerator<Finding, void, undefined> {
  const { findings: connection, isReached, version } = await checkConnection(cluster, requestMs, signal);
  yield* connection;
  if (!isReached) return;
  if (version !== undefined) yield serverFinding(version);
  const identity = await checkIdentity(cluster, signal);
  yield identity;
  if (identity.verdict === "fail") return;
  if (rights !== undefined) yield* await checkRights(cluster, rights, signal);
  const { findings: defined, definitions } = await checkDefinitions(cluster, signal);
  yield* defined;
  yield* await checkWebhooks(cluster, definitions, signal);
  yield* await checkLeases(cluster, signal);
}
