/**
 * Everything that is wrong with a kubeconfig or with finding one, each problem with file, entry and fix.
 */
import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { ProblemCode } from "@drover/machinery/codes";
import type { EntryOrigin } from "./kubeconfig.ts";

/**
 * - "empty": no configuration for a cluster was found
 * - "context-not-found": the requested or the current context does not exist
 * - "invalid": the configuration has errors
 * - "unreadable": a file could not be read or written
 * - "locked": another program is changing the same file
 * - "not-in-cluster": this is not a pod
 */
export type KubeconfigErrorReason = "empty" | "context-not-found" | "invalid" | "unreadable" | "locked" | "not-in-cluster";

const codes: Readonly<Partial<Record<KubeconfigErrorReason, ProblemCode>>> = {
  empty: "DRV0301",
  "context-not-found": "DRV0302",
  invalid: "DRV0303",
  unreadable: "DRV0304",
  "not-in-cluster": "DRV0306",
};

const brand = errorBrand<KubeconfigError>("KubeconfigError");

/** No access to a cluster was found, or it cannot be used. Contains no credentials. */
export class KubeconfigError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "KubeconfigError";
  readonly reason: KubeconfigErrorReason;
  readonly problemCode: ProblemCode | undefined;
  /** One sentence each; the message contains them all. */
  readonly problems: readonly string[];

  constructor(reason: KubeconfigErrorReason, problems: readonly string[], options: { readonly cause?: unknown } = {}) {
    const [only = ""] = problems;
    const text =
      problems.length === 1
        ? only
        : `the kubeconfig has ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;
    super(withCode(text, codes[reason]), options);
    this.problemCode = codes[reason];
    this.reason = reason;
    this.problems = problems;
  }
}

/** Reports whether the error is a {@link KubeconfigError}, of this reason if one is given. */
export function isKubeconfigError(error: unknown, reason?: KubeconfigErrorReason): error is KubeconfigError {
  return brand.is(error) && (reason === undefined || error.reason === reason);
}

/** `~/.kube/config: users[2] ("dev")`, or `user "dev"` if it came from no file. */
export function describeEntry(
  list: "clusters" | "users" | "contexts",
  { name, origin }: { readonly name: string; readonly origin?: EntryOrigin },
  homeDir: string | undefined,
): string {
  return origin === undefined
    ? `${list.slice(0, -1)} ${quoted(name)}`
    : `${shortPath(origin.file, homeDir)}: ${list}[${origin.index}] (${quoted(name)})`;
}

/** Abbreviates the home directory as `~`. */
export function shortPath(path: string, homeDir: string | undefined): string {
  if (homeDir === undefined || homeDir.length < 2 || !path.startsWith(homeDir)) return path;
  const rest = path.slice(homeDir.length);
  return /^[/\\]/.test(rest) ? `~${rest}` : path;
}

/** Quotes a name and escapes control characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
