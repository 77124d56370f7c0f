/**
 * Credentials from a program: the exec plugins of kubeconfigs.
 *
 *     ExecConfig → Host.run → ExecCredential → CredentialSource, with a client certificate if the program hands one out
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

/** What running a credential plugin needs, and its limits. */
export interface ExecSourceOptions {
  readonly host: Pick<Host, "run" | "isInteractive">;
  readonly clock: Clock;
  readonly log: Log;
  readonly isPair: PairCheck;
  /**
   * How long the program may take before it is stopped, with everything it started.
   * @default 60000, or 300000 when a person may be asked
   */
  readonly timeoutMs?: number;
  /** How long before its expiry a credential is replaced, at most half of its life. @default 10000 */
  readonly expirySkewMs?: number;
  /** Which programs may be run: every one, none, or those whose `command` is on the list, letter by letter. @default "all" */
  readonly allow?: "all" | "none" | readonly string[];
}

interface Issued {
  readonly header: Secret | undefined;
  readonly pair: { readonly certificate: string; readonly key: Secret } | undefined;
  readonly generation: number;
  /** Monotonic. */
  readonly issuedAt: number;
  /** Wall time; with an expiry only. */
  readonly replaceAt: number;
  readonly expiresAt: number;
}

/** A program is not run more often than this, even if what it hands out has expired already. */
const lifeMinMs = 1000;

/**
 * Asks a program for credentials.
 *
 * Guarantees: one run at a time, whoever waits; a credential is kept until shortly before its expiry or until the server refuses it; a
 * program that fails, hangs, or hands out again what was just refused is run again after a pause of one second, then two, up to thirty.
 * The program's output and its arguments appear in no log line and no message.
 * Throws a `CredentialError` when the program may not be run.
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
    // A certificate leaves no trace in the request: one that is a moment old is taken for another than the one refused.
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
    throw setup(`the credential plugin ${command} has an environment variable without a proper name`);
  if (allow === "none" || (allow !== "all" && !allow.includes(command))) {
    throw setup(
      `the credential plugin ${command} may not be run: ${allow === "none" ? "credential plugins are switched off" : "it is not on the list of allowed ones"}`,
    );
  }
}

function freshness({ issuedAt, replaceAt, expiresAt }: Issued, clock: Clock): Freshness {
  const now = clock.now();
  if (now < replaceAt || clock.monotonic() - issuedAt < lifeMinMs) return "fresh";
  return now < expiresAt ? "usable" : "expired";
}

/** What attempts leave for the next one. */
interface ProgramTurn {
  readonly hints: HintLimit;
  /** Settles when the last program is gone; never rejects. */
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
      `the credential plugin ${command} printed a certificate and a key that cannot be read or do not belong together`,
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
    // A program that was called off may take a moment to end, and there is never more than one.
    await turn.lastRun;
    limited.throwIfAborted();
    const result = host.run(program, { signal: limited });
    turn.lastRun = result.catch(() => undefined);
    return result;
  };
  try {
    // A host that does not obey the signal must not keep anybody waiting either.
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
    // Not as the cause: what Node throws here carries the arguments, and in those stands many a secret.
    const hint = isFileError(cause) && cause.reason === "missing" ? turn.hints.text(config) : "";
    throw new CredentialError("unavailable", `the credential plugin ${command} could not be started: ${fileProblem(cause)}${hint}`);
  }
}

function isInteractive({ command, interactiveMode }: ExecConfig, { isInteractive: isPersonThere }: Pick<Host, "isInteractive">): boolean {
  if (interactiveMode === "Always" && !isPersonThere) {
    throw new CredentialError(
      "unavailable",
      `the credential plugin ${command} must ask a person (interactiveMode: Always), and the standard input is not a terminal`,
    );
  }
  return interactiveMode !== "Never" && isPersonThere;
}
