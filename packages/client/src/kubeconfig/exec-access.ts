/**
 * Turns the `exec` field of a user into the configuration of a credential plugin, with the cluster information it may see.
 */
import { Secret } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { Host } from "../host.ts";
import { encodeBase64 } from "../encoding/base64.ts";
import type { ExecConfig } from "./cluster-access.ts";
import { KubeconfigError, describeEntry, quoted } from "./kubeconfig-error.ts";
import { findEntry } from "./kubeconfig.ts";
import type { KubeconfigCluster } from "./kubeconfig.ts";
import { isGiven } from "./overrides.ts";
import type { ContextSelection } from "./overrides.ts";
import { serverUrl } from "./server-url.ts";

/** Extension of a cluster that the program receives as `spec.cluster.config`. */
const clusterExtension = "client.authentication.k8s.io/exec";

/** Assumes a validated selection. Rejects if the plugin uses a protocol version that is no longer supported. */
export async function execAccess(host: Host, { user: entry, cluster: { cluster } }: ContextSelection): Promise<ExecConfig> {
  const {
    command = "",
    args = new Secret([]),
    env = [],
    apiVersion = "",
    installHint,
    provideClusterInfo,
    interactiveMode,
  } = entry.user.exec ?? {};
  if (apiVersion !== "client.authentication.k8s.io/v1" && apiVersion !== "client.authentication.k8s.io/v1beta1") {
    throw new KubeconfigError("invalid", [
      `${describeEntry("users", entry, host.homeDir)}: exec.apiVersion is ${quoted(apiVersion)}; it must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1: update the program and the kubeconfig it wrote`,
    ]);
  }
  return {
    apiVersion,
    command,
    args,
    env: env.map(({ name = "", value }) => ({ name, value: value ?? new Secret("") })),
    interactiveMode: interactiveMode === "Never" || interactiveMode === "Always" ? interactiveMode : "IfAvailable",
    ...(installHint && { installHint: visible(installHint) }),
    ...(provideClusterInfo === true && { clusterInfo: new Secret(await clusterInfo(host, cluster)) }),
  };
}

async function clusterInfo(host: Host, cluster: KubeconfigCluster): Promise<Readonly<Record<string, JsonValue>>> {
  const ca =
    cluster["certificate-authority-data"]?.replace(/[\r\n]/g, "") ||
    (cluster["certificate-authority"] ? encodeBase64(await host.readFile(cluster["certificate-authority"])) : "");
  const extension = findEntry(cluster.extensions ?? [], clusterExtension)?.extension;
  return {
    server: serverUrl(cluster.server ?? ""),
    ...(cluster["tls-server-name"] && { "tls-server-name": cluster["tls-server-name"] }),
    ...(cluster["insecure-skip-tls-verify"] === true && { "insecure-skip-tls-verify": true }),
    ...(ca !== "" && { "certificate-authority-data": ca }),
    ...(isGiven(cluster["proxy-url"]) && { "proxy-url": cluster["proxy-url"]?.reveal() ?? "" }),
    ...(cluster["disable-compression"] === true && { "disable-compression": true }),
    config: extension?.reveal() ?? null,
  };
}

/** Hints appear in a terminal, which interprets control characters: escapes all but whitespace. */
function visible(text: string): string {
  return text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
}
