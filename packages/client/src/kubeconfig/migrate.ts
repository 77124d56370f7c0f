/**
 * The legacy kubeconfig: `~/.kube/.kubeconfig`, and on Windows in the directory of HOME. kubectl 1.36 still copies it to the
 * current location, and so does this package.
 */
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { resolvePath } from "./host-path.ts";
import { KubeconfigError, shortPath } from "./kubeconfig-error.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";

/**
 * Copies the legacy file to `destination` if that does not exist. Does nothing if either file is not readable. Rejects with
 * a `KubeconfigError` if the copy cannot be written.
 */
export async function migrateKubeconfig(host: Host, destination: string): Promise<void> {
  const source = legacyKubeconfig(host);
  if (source === undefined || source === destination || (await problemWith(host, destination)) !== "missing") return;
  const bytes = await host.readFile(source).catch((error: unknown) => {
    if (isFileError(error) && (error.reason === "missing" || error.reason === "denied")) return undefined;
    throw cannot(host, source, "it could not be read", error);
  });
  if (bytes === undefined) return;
  const text = kubeconfigText(bytes, shortPath(source, host.homeDir));
  try {
    await host.writeFile(destination, text);
  } catch (error) {
    throw cannot(host, source, `${shortPath(destination, host.homeDir)} could not be written`, error);
  }
}

/** Returns the legacy path; undefined without a home directory. */
export function legacyKubeconfig(host: Pick<Host, "platform" | "homeDir" | "env">): string | undefined {
  const home = host.platform === "win32" ? host.env["HOME"] || undefined : host.homeDir;
  return home === undefined ? undefined : resolvePath(host, home, host.platform === "win32" ? ".kube/config" : ".kube/.kubeconfig");
}

async function problemWith(host: Host, path: string): Promise<string | undefined> {
  try {
    await host.readFile(path);
    return undefined;
  } catch (error) {
    if (!isFileError(error)) throw error;
    return error.reason;
  }
}

function cannot(host: Host, source: string, why: string, cause: unknown): unknown {
  if (!isFileError(cause)) return cause;
  return new KubeconfigError(
    "unreadable",
    [
      `${shortPath(source, host.homeDir)} is the kubeconfig of an old kubectl and cannot be copied: ${why}; move it yourself, or set KUBECONFIG`,
    ],
    { cause },
  );
}
