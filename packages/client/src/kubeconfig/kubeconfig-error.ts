/** What is wrong with a kubeconfig, or with looking for one: all of it at once, each with file, entry and fix. */
import { errorBrand } from "@drover/machinery";
import type { EntryOrigin } from "./kubeconfig.ts";

/**
 * - "empty": nothing says how to reach a cluster
 * - "context-not-found": the context that was asked for, or the current one, is not there
 * - "invalid": something is there and wrong
 * - "unreadable": a file could not be read or written
 * - "locked": another program is changing the same file
 * - "not-in-cluster": this is not a pod
 */
export type KubeconfigErrorReason = "empty" | "context-not-found" | "invalid" | "unreadable" | "locked" | "not-in-cluster";

const brand = errorBrand<KubeconfigError>("KubeconfigError");

/** No way to a cluster was found, or the one that was found cannot be taken. Holds no credentials. */
export class KubeconfigError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "KubeconfigError";
  readonly reason: KubeconfigErrorReason;
  /** One sentence each; the message has them all. */
  readonly problems: readonly string[];

  constructor(reason: KubeconfigErrorReason, problems: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(
      problems.length === 1
        ? problems[0]
        : `the kubeconfig has ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
      options,
    );
    this.reason = reason;
    this.problems = problems;
  }
}

/** Whether the error is a {@link KubeconfigError}, of this reason if one is given. */
export function isKubeconfigError(error: unknown, reason?: KubeconfigErrorReason): error is KubeconfigError {
  return brand.is(error) && (reason === undefined || error.reason === reason);
}

/** `~/.kube/config: users[2] ("dev")`, or `user "dev"` when it came from no file. */
export function describeEntry(
  list: "clusters" | "users" | "contexts",
  { name, origin }: { readonly name: string; readonly origin?: EntryOrigin },
  homeDir: string | undefined,
): string {
  return origin === undefined
    ? `${list.slice(0, -1)} ${quoted(name)}`
    : `${shortPath(origin.file, homeDir)}: ${list}[${origin.index}] (${quoted(name)})`;
}

/** A path as people write it, with `~` for the home folder. */
export function shortPath(path: string, homeDir: string | undefined): string {
  if (homeDir === undefined || homeDir.length < 2 || !path.startsWith(homeDir)) return path;
  const rest = path.slice(homeDir.length);
  return /^[/\\]/.test(rest) ? `~${rest}` : path;
}

/** A name in quotes; what a terminal would obey is escaped. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
