/**
 * What a pod knows about itself: two variables and the files of its service account.
 *
 *     Host → isInCluster, inClusterNamespace
 */
import type { Host } from "../host.ts";

/** Folder of a pod's service account. */
export const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Path of a pod's service account token. */
export const serviceAccountTokenFile: string = `${serviceAccountFolder}/token`;

/** Reports whether this looks like a pod with a service account. */
export async function isInCluster(host: Host): Promise<boolean> {
  return serviceAddress(host) !== undefined && (await readText(host, serviceAccountTokenFile)) !== undefined;
}

/** Returns POD_NAMESPACE, the namespace of the service account, or "default". */
export async function inClusterNamespace(host: Host): Promise<string> {
  return host.env["POD_NAMESPACE"] || (await readText(host, `${serviceAccountFolder}/namespace`))?.trim() || "default";
}

/** Address of the API server as pods see it; undefined outside of pods. */
export function serviceAddress({ env }: Host): string | undefined {
  const name = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  if (name === "" || port === "") return undefined;
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
}

/** Returns undefined if the file cannot be read. */
export async function readText(host: Host, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await host.readFile(path));
  } catch {
    return undefined;
  }
}
