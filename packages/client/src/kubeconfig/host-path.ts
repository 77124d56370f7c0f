/**
 * Paths of the host, POSIX or Windows, as text; no file access.
 */
import type { Host } from "../host.ts";

/** The part of a host that paths depend on. */
export type PathHost = Pick<Host, "platform" | "cwd" | "homeDir">;

const isWindows = ({ platform }: Pick<Host, "platform">): boolean => platform === "win32";

/** Reports whether a path is absolute. */
export function isAbsolutePath(host: Pick<Host, "platform">, path: string): boolean {
  return isWindows(host) ? /^(?:[A-Za-z]:[/\\]|[/\\]{2}[^/\\])/.test(path) : path.startsWith("/");
}

/** Reports whether a program's name is a path, rather than a name to look up in PATH. */
export function hasSeparator(host: Pick<Host, "platform">, path: string): boolean {
  return path.includes("/") || (isWindows(host) && path.includes("\\"));
}

/** Resolves the path against the absolute base and normalizes it: `a/./b/../c` is `a/c`. */
export function resolvePath(host: Pick<Host, "platform">, base: string, path: string): string {
  return clean(host, isAbsolutePath(host, path) ? path : `${base}/${path}`);
}

/** Returns the directory of a path, absolute. */
export function folderOf(host: PathHost, path: string): string {
  return resolvePath(host, resolvePath(host, host.cwd, path), "..");
}

/** Splits a list such as KUBECONFIG, in order, without duplicates and empty names. */
export function splitPathList(host: Pick<Host, "platform">, list: string): string[] {
  // On Windows, a separator in quotes is part of the path.
  const parts = isWindows(host) ? (list.match(/(?:"[^"]*"?|[^;"])+/g) ?? []).map((part) => part.replaceAll('"', "")) : list.split(":");
  return [...new Set(parts.filter((part) => part !== ""))];
}

function clean(host: Pick<Host, "platform">, path: string): string {
  const separator = isWindows(host) ? "\\" : "/";
  // The root of a UNC path is its share.
  const root = isWindows(host) ? (/^(?:[A-Za-z]:[/\\]|[/\\]{2}[^/\\]+(?:[/\\]+[^/\\]+)?[/\\]*)/.exec(path)?.[0] ?? "") : "/";
  const kept: string[] = [];
  for (const part of path.slice(root.length).split(isWindows(host) ? /[/\\]/ : "/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const top = root.replaceAll("/", separator);
  return kept.length === 0 || top.endsWith(separator) ? `${top}${kept.join(separator)}` : `${top}${separator}${kept.join(separator)}`;
}
