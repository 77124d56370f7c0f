/**
 * The user agent of this program, as shown in the server's audit log and metrics.
 */
import type { TransportWrapper } from "./wrapper.ts";

/** Parts of a user agent. */
export interface ProgramName {
  /** "shop-operator" */
  readonly program: string;
  /** @default "unknown" */
  readonly version?: string;
  /** "linux" */
  readonly os: string;
  /** "amd64" */
  readonly arch: string;
  /** Commit of the source: the first seven characters are shown. @default "unknown" */
  readonly commit?: string;
}

/** Returns `program/version (os/arch) drover/commit`, as Kubernetes programs do. Drops what follows the version number. */
export function formatUserAgent({ program, version = "", os, arch, commit = "" }: ProgramName): string {
  const shortVersion = version.split("-", 1).join("") || "unknown";
  const base = program.split(/[\\/]/).at(-1) ?? "";
  return plain(
    `${base === "" ? "unknown" : base}/${shortVersion} (${os}/${arch}) drover/${commit === "" ? "unknown" : commit.slice(0, 7)}`,
  );
}

/** A line break in a name must not start another header. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?");

/** Adds the `user-agent` header to requests that have none. */
export function userAgent(name: string): TransportWrapper {
  const value = plain(name);
  return (next) => (request) =>
    Object.hasOwn(request.headers, "user-agent")
      ? next(request)
      : next({ ...request, headers: { ...request.headers, "user-agent": value } });
}
