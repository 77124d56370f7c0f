/**
 * Credentials from a program: the exec plugins of kubeconfigs.
 *
 *     ExecConfig → Host.run → ExecCredential → CredentialSource, with a client certificate if the program prints one
 */
import { Secret, abortable, withTimeout, isTimeoutError } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Host, HostProgramResult } from "../host.ts";
import { isFileError } from "../host.ts";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";
import { bearerHeader } from "./bearer.ts";
import { CredentialError } from "./credential-error.ts";
import type { CredentialSource } from "./credential-source.ts";
import { execInfo, execInfoVariable, parseExecCredential } from "./exec-credential.ts";
import { fileProblem } from "./file-problem.ts";
import { HintLimit } from "./hint-limit.ts";
import type { PairCheck } from "../encoding/pem.ts";
import { Renewal } from "./renewal.ts";
import type { Freshness } from "./renewal.ts";
import { sameSecret } from "./same-secret.ts";

/** Dependencies and limits of a credential plugin. */
export interface ExecSourceOptions {
  readonly host: Pick<Host, "run" | "isInteractive">;
  readonly clock: Clock;
  readonly log: Log;
  readonly isPair: PairCheck;
  /** Timeout after which the program and its child processes are killed. @default 60000, or 300000 if the program may prompt the user */
  readonly timeoutMs?: number;
  /** How long before its expiry a credential is replaced; at most half of its lifetime. @default 10000 */
  readonly expirySkewMs?: number;
  /** Which programs may run: all, none, or those whose `command` is exactly in the list. @default "all" */
  readonly allow?: "all" | "none" | readonly string[];
}

interface Issued {
  readonly header: Secret | undefined;
  readonly pair: { readonly certificate: string; readonly key: Secret } | undefined;
  readonly generation: number;
  /** Monotonic clock. */
  readonly issuedAt: number;
  /** Wall clock; only with an expiry. */
  readonly replaceAt: number;
  readonly expiresAt: number;
}

/** Minimum interval between runs, even if the printed credential has already expired. */
const lifeMinMs = 1000;

/**
 * Gets credentials from a program.
 *
 * Guarantees: one run at a time, shared by all callers. A credential is used until shortly before its expiry or until the
 * server rejects it. After a program fails, times out, or prints a credential that was just rejected, the next run waits one
 * second, then two, up to thirty. No log line or message contains the program's output or arguments. Throws a
 * `CredentialError` if the program is not allowed to run.
 */
export function execSource(
  config: ExecConfig,
  options: ExecSourceOptions,
): CredentialSource & Required<Pick<CredentialSource, "certificate">> {
  const { clock, log, allow = "all" } = options;
  checkConfig(config, allow);
  const turn: ProgramTurn = { hints: new HintLimit(clock), lastRun: Promise.resolve() };
  const issued = new Renewal<Issued>({
    clock,
    log,
    subject: `the credential plugin ${config.command}`,
    renew: (previous, signal) => issue(config, options, { turn, previous, signal }),
    freshness: (value) => freshness(value, clock),
    isSame: (a, b) => sameSecret(a.header, b.header) && a.generation === b.generation,
  });
  const isRefused = (held: Issued, header: Secret | undefined): boolean =>
    // The request does not show which certificate it used, so one younger than a second counts as a replacement.
    sameSecret(held.header, header) && (header !== undefined || clock.monotonic() - held.issuedAt >= lifeMinMs);
  return {
    header: async (wait) => (await issued.get(wait)).header,
    refused: (header, wait) => issued.replace((held) => isRefused(held, header), wait),
    certificate: () => {
      const { current } = issued;
      return current?.pair === undefined ? undefined : { generation: current.generation, ...current.pair };
    },
  };
}

function checkConfig({ command, apiVersion, env }: ExecConfig, allow: "all" | "none" | readonly string[]): void {
  const setup = (message: string): CredentialError => new CredentialError("setup", message);
  if (command === "") throw setup("the credential plugin has no command; set exec.command in the kubeconfig");
  if (!["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"].includes(apiVersion)) {
    throw setup(
      `the credential plugin ${command} has an unknown apiVersion; use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1`,
    );
  }
  if (env.some(({ name }) => name === "" || name.includes("=")))
    throw setup(`the credential plugin ${command} has an environment variable with an invalid name`);
  if (allow === "none" || (allow !== "all" && !allow.includes(command))) {
    throw setup(
      `the credential plugin ${command} is not allowed to run: ${allow === "none" ? "credential plugins are disabled" : "it is not on the list of allowed plugins"}`,
    );
  }
}

function freshness({ issuedAt, replaceAt, expiresAt }: Issued, clock: Clock): Freshness {
  const now = clock.now();
  if (now < replaceAt || clock.monotonic() - issuedAt < lifeMinMs) return "fresh";
  return now < expiresAt ? "usable" : "expired";
}

/** State shared by successive runs. */
interface ProgramTurn {
  readonly hints: HintLimit;
  /** Settles when the last program has exited; never rejects. */
  lastRun: Promise<unknown>;
}

interface Attempt {
  readonly turn: ProgramTurn;
  readonly previous: Issued | undefined;
  readonly signal: AbortSignal;
}

async function issue(config: ExecConfig, options: ExecSourceOptions, { turn, previous, signal }: Attempt): Promise<Issued> {
  const { clock, isPair, expirySkewMs = 10_000 } = options;
  const { command } = config;
  const { exitCode, stdout, stderr } = await run(config, options, { turn, signal });
  if (exitCode !== 0) {
    throw new CredentialError(
      "unavailable",
      `the credential plugin ${command} failed with exit code ${exitCode}; run it by hand to see why`,
      { output: new Secret(stderr) },
    );
  }
  const { token, pair, expiresAt = Infinity } = parseExecCredential(stdout, config);
  if (pair !== undefined && !(await isPair(pair.certificate, pair.key))) {
    throw new CredentialError(
      "malformed",
      `the credential plugin ${command} printed a certificate and a key that cannot be read or do not match`,
    );
  }
  const now = clock.now();
  const samePair = previous?.pair?.certificate === pair?.certificate && sameSecret(previous?.pair?.key, pair?.key);
  return {
    header: token === undefined ? undefined : bearerHeader(token, `the token of the credential plugin ${command}`),
    pair,
    generation: (previous?.generation ?? 0) + (previous === undefined || samePair ? 0 : 1),
    issuedAt: clock.monotonic(),
    replaceAt: expiresAt - Math.min(expirySkewMs, Math.max(0, expiresAt - now) / 2),
    expiresAt,
  };
}

async function run(
  config: ExecConfig,
  options: ExecSourceOptions,
  { turn, signal }: Omit<Attempt, "previous">,
): Promise<HostProgramResult> {
  const { host, clock } = options;
  const { command, args, env } = config;
  const interactive = isInteractive(config, host);
  const { timeoutMs = interactive ? 300_000 : 60_000 } = options;
  const program = {
    command,
    args: args.reveal(),
    env: Object.fromEntries([
      ...env.map(({ name, value }) => [name, value.reveal()] as const),
      [execInfoVariable, execInfo(config, { interactive })],
    ]),
    stdin: interactive ? "inherit" : "none",
  } as const;
  const start = async (limited: AbortSignal): Promise<HostProgramResult> => {
    // A canceled program may take a moment to exit, and only one may run at a time.
    await turn.lastRun;
    limited.throwIfAborted();
    const result = host.run(program, { signal: limited });
    turn.lastRun = result.catch(() => undefined);
    return result;
  };
  try {
    // The timeout also holds for a host that ignores the signal.
    return await withTimeout(clock, timeoutMs, (limited) => abortable(start(limited), limited), { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (isTimeoutError(cause)) {
      throw new CredentialError(
        "unavailable",
        `the credential plugin ${command} did not answer within ${timeoutMs / 1000} s and was stopped`,
        { cause },
      );
    }
    // Not set as the cause: Node's error contains the arguments, which often contain secrets.
    const hint = isFileError(cause) && cause.reason === "missing" ? turn.hints.text(config) : "";
    throw new CredentialError("unavailable", `the credential plugin ${command} could not be started: ${fileProblem(cause)}${hint}`);
  }
}

function isInteractive({ command, interactiveMode }: ExecConfig, { isInteractive: isPersonThere }: Pick<Host, "isInteractive">): boolean {
  if (interactiveMode === "Always" && !isPersonThere) {
    throw new CredentialError(
      "unavailable",
      `the credential plugin ${command} must prompt the user (interactiveMode: Always), but standard input is not a terminal`,
    );
  }
  return interactiveMode !== "Never" && isPersonThere;
}
