/**
 * client-go's `clientcmd`: from kubeconfig files, flags and environment to a `RestConfig`.
 *
 *     newNonInteractiveDeferredLoadingClientConfig(rules, overrides) → clientConfig() → RestConfig
 */
import { accessFromKubeconfig, findAccess, loadKubeconfig, parseKubeconfig, resolveKubeconfigPaths } from "@drover/client";
import type { Kubeconfig, KubeconfigOverrides } from "@drover/client";
import type { ClientGoPlace } from "../rest/place.ts";
import { inClusterConfig, restConfigOf } from "../rest/rest-client-for.ts";
import type { RestConfig } from "../rest/rest-config.ts";

/** Access to environment, files and log, for reading a kubeconfig. */
export type ConfigPlace = Pick<ClientGoPlace, "host" | "runtime">;

/** Which files make up the kubeconfig: client-go's `ClientConfigLoadingRules`. */
export interface ClientConfigLoadingRules {
  /** The only file to use; it must exist. @default the files of KUBECONFIG, or else ~/.kube/config */
  readonly explicitPath?: string;
}

/** client-go's `ClientConfig`: reads files on demand. */
export interface ClientConfig {
  /** Returns the config. Rejects with a `KubeconfigError` that names file, entry and fix. */
  clientConfig(): Promise<RestConfig>;
  /** Returns the default namespace of requests. */
  namespace(): Promise<string>;
  /** Returns the merged kubeconfig. */
  rawConfig(): Promise<Kubeconfig>;
}

/** Returns kubectl's rules: `--kubeconfig`, then KUBECONFIG, then ~/.kube/config. */
export function newDefaultClientConfigLoadingRules(): ClientConfigLoadingRules {
  return {};
}

/** Returns a config that reads the files on the first call and falls back to the pod's service account if there are none. */
export function newNonInteractiveDeferredLoadingClientConfig(
  { explicitPath = "" }: ClientConfigLoadingRules,
  overrides: KubeconfigOverrides,
  { host, runtime: { log } }: ConfigPlace,
): ClientConfig {
  const source = explicitPath === "" ? {} : { path: explicitPath };
  let found: ReturnType<typeof findAccess> | undefined;
  const access = (): ReturnType<typeof findAccess> => (found ??= findAccess({ host, log, overrides, ...source }));
  return {
    clientConfig: async () => restConfigOf(await access()),
    namespace: async () => (await access()).namespace,
    rawConfig: () => loadKubeconfig({ host, log, ...source }),
  };
}

/** Returns a config from a parsed kubeconfig. */
export function newDefaultClientConfig(
  config: Kubeconfig,
  overrides: KubeconfigOverrides,
  { host, runtime: { log } }: ConfigPlace,
): ClientConfig {
  const access = (): ReturnType<typeof accessFromKubeconfig> => accessFromKubeconfig(config, { host, log, overrides });
  return {
    clientConfig: async () => restConfigOf(await access()),
    namespace: async () => (await access()).namespace,
    rawConfig: () => Promise.resolve(config),
  };
}

/** Returns a config from the text of a kubeconfig; paths in it are relative to the working directory. */
export function newClientConfigFromBytes(text: string | Uint8Array, place: ConfigPlace): ClientConfig {
  const written = typeof text === "string" ? text : new TextDecoder().decode(text);
  const parsed = parseKubeconfig(written, { file: `${place.host.cwd}/kubeconfig`, label: "the kubeconfig given as text" });
  return newDefaultClientConfig(resolveKubeconfigPaths(place.host, parsed), {}, place);
}

/** client-go's `RESTConfigFromKubeConfig`. */
export function restConfigFromKubeConfig(text: string | Uint8Array, place: ConfigPlace): Promise<RestConfig> {
  return newClientConfigFromBytes(text, place).clientConfig();
}

/**
 * client-go's `BuildConfigFromFlags`: the kubeconfig at this path with this server, or, when both are empty, the pod's
 * service account and else the default files.
 */
export async function buildConfigFromFlags(masterUrl: string, kubeconfigPath: string, place: ConfigPlace): Promise<RestConfig> {
  if (masterUrl === "" && kubeconfigPath === "") {
    try {
      return await inClusterConfig(place);
    } catch {
      place.runtime.log.debug("no service account found, using the default kubeconfig");
    }
  }
  const overrides = masterUrl === "" ? {} : { clusterFields: { server: masterUrl } };
  return newNonInteractiveDeferredLoadingClientConfig({ explicitPath: kubeconfigPath }, overrides, place).clientConfig();
}

/** client-go's `LoadFromFile`. */
export function loadFromFile(path: string, { host, runtime: { log } }: ConfigPlace): Promise<Kubeconfig> {
  return loadKubeconfig({ host, log, path });
}
