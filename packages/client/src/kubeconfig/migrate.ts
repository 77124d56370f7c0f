/**
 * The kubeconfig of long ago: it was `~/.kube/.kubeconfig`, and on Windows stood in the folder HOME names. kubectl 1.36
 * still copies it to where
 * it is looked for today, and so do we.
 */
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { resolvePath } from "./host-path.ts";
import { KubeconfigError, shortPath } from "./kubeconfig-error.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";

/**
 * Copies the old file to `destination` when that is not there; a destination or an old file that may not be read is
 * left alone. Rejects with a
 * `KubeconfigError` when the copy cannot be written.
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

/** Where the file was; undefined for somebody without a home. */
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
      `${shortPath(source, host.homeDir)} is the kubeconfig of an old kubectl and cannot be copied: ${why}; move it by hand, or set KUBECONFIG`,
    ],
    { cause },
  );
}
