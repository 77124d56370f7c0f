/** Paths of the host, POSIX or Windows, as text: nothing here looks at a disk. */
import type { Host } from "../host.ts";

/** As much of a host as its paths need. */
export type PathHost = Pick<Host, "platform" | "cwd" | "homeDir">;

const isWindows = ({ platform }: Pick<Host, "platform">): boolean => platform === "win32";

/** Whether a path leads to the same place from everywhere. */
export function isAbsolutePath(host: Pick<Host, "platform">, path: string): boolean {
  return isWindows(host) ? /^(?:[A-Za-z]:[/\\]|[/\\]{2}[^/\\])/.test(path) : path.startsWith("/");
}

/** Whether a program's name is a path, and not one to be looked for in PATH. */
export function hasSeparator(host: Pick<Host, "platform">, path: string): boolean {
  return path.includes("/") || (isWindows(host) && path.includes("\\"));
}

/** The path seen from the base, shortened: `a/./b/../c` is `a/c`. The base is absolute. */
export function resolvePath(host: Pick<Host, "platform">, base: string, path: string): string {
  return clean(host, isAbsolutePath(host, path) ? path : `${base}/${path}`);
}

/** The folder a path is in, absolute. */
export function folderOf(host: PathHost, path: string): string {
  return resolvePath(host, resolvePath(host, host.cwd, path), "..");
}

/** The files of a list such as KUBECONFIG, in order, each once; empty names are left out. */
export function splitPathList(host: Pick<Host, "platform">, list: string): string[] {
  // On Windows a separator in quotes belongs to the path.
  const parts = isWindows(host) ? (list.match(/(?:"[^"]*"?|[^;"])+/g) ?? []).map((part) => part.replaceAll('"', "")) : list.split(":");
  return [...new Set(parts.filter((part) => part !== ""))];
}

function clean(host: Pick<Host, "platform">, path: string): string {
  const separator = isWindows(host) ? "\\" : "/";
  // Of a path on a server, the share is as far up as one gets.
  const root = isWindows(host) ? (/^(?:[A-Za-z]:[/\\]|[/\\]{2}[^/\\]+(?:[/\\]+[^/\\]+)?[/\\]*)/.exec(path)?.[0] ?? "") : "/";
  const kept: string[] = [];
  for (const part of path.slice(root.length).split(isWindows(host) ? /[/\\]/ : "/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const top = root.replaceAll("/", separator);
  return kept.length === 0 || top.endsWith(separator) ? `${top}${kept.join(separator)}` : `${top}${separator}${kept.join(separator)}`;
}
