/**
 * Turns a kubeconfig and a context into access to one cluster.
 *
 *     Kubeconfig, overrides → selectContext → validateSelection → ClusterAccess
 */
import { Secret } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { withoutKeys } from "../encoding/pem.ts";
import type { Host } from "../host.ts";
import { textFromBase64 } from "../encoding/base64.ts";
import type { ClusterAccess, Credentials, Impersonation, PemSource, Trust } from "./cluster-access.ts";
import { execAccess } from "./exec-access.ts";
import { KubeconfigError, describeEntry, shortPath } from "./kubeconfig-error.ts";
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { oidcAccess } from "./oidc-access.ts";
import { knownEntries, selectContext } from "./overrides.ts";
import type { ContextSelection, KubeconfigOverrides } from "./overrides.ts";
import { serverUrl } from "./server-url.ts";
import { noConfiguration, validateSelection } from "./validate.ts";

/** Dependencies and overrides for reading a kubeconfig. */
export interface KubeconfigAccessOptions {
  readonly host: Host;
  readonly log: Log;
  /** Values that override the kubeconfig. @default none */
  readonly overrides?: KubeconfigOverrides;
}

/**
 * Returns the access that the context describes. Rejects with a `KubeconfigError`: reason "empty" if no server is
 * configured, else with every problem of the three entries. The paths of the kubeconfig must be absolute, as
 * `loadKubeconfig` returns them.
 *
 * As in kubectl, a server without TLS gets no credentials; a warning is logged.
 */
export async function accessFromKubeconfig(
  config: Kubeconfig,
  { host, log, overrides = {} }: KubeconfigAccessOptions,
): Promise<ClusterAccess> {
  const selection = selectContext(config, overrides);
  const {
    context,
    cluster: { cluster },
    user: { user },
  } = selection;
  if (Object.keys(cluster).length === 0 && Object.keys(user).length === 0)
    throw new KubeconfigError("empty", [whyEmpty(config, selection, host)]);
  const problems = await validateSelection(host, selection);
  if (problems.length > 0) throw new KubeconfigError("invalid", problems);
  const server = serverUrl(cluster.server ?? "");
  const isTls = server.startsWith("https:");
  if (!isTls && hasCredentials(user))
    log.warn("not sending credentials, because the server uses no TLS", { server, user: selection.user.name, code: "DRV0341" });
  const impersonate = impersonation(user);
  return {
    server,
    trust: isTls ? trustOf(cluster) : {},
    credentials: isTls ? await credentialsOf(selection, { host, log }) : {},
    ...(impersonate !== undefined && { impersonate }),
    ...(isSet(cluster["proxy-url"]) && { proxyUrl: cluster["proxy-url"] }),
    ...(cluster["disable-compression"] === true && { disableCompression: true }),
    namespace: context.context.namespace || "default",
  };
}

function whyEmpty(config: Kubeconfig, { context, cluster }: ContextSelection, { homeDir }: Host): string {
  if (context.name === "")
    return config.contexts.length === 0
      ? noConfiguration
      : `there is no current-context, and no context was given; give one, or set current-context; ${knownEntries("contexts", config.contexts)}`;
  if (cluster.name === "") return `${describeEntry("contexts", context, homeDir)}: names no cluster; add cluster: with the name of one`;
  return `${describeEntry("clusters", cluster, homeDir)}: has no server; add server: https://host:port`;
}

function trustOf(cluster: KubeconfigCluster): Trust {
  const ca = pemSource(cluster["certificate-authority"], cluster["certificate-authority-data"]);
  return {
    ...(ca !== undefined && { ca }),
    ...(cluster["tls-server-name"] && { serverName: cluster["tls-server-name"] }),
    ...(cluster["insecure-skip-tls-verify"] === true && { insecure: true }),
  };
}

/** PEM, inline or in a file. */
export function pemSource(path: string | undefined, data: string | undefined): PemSource | undefined {
  if (data) return { kind: "inline", pem: withoutKeys(textFromBase64(data)) };
  return path ? { kind: "file", path } : undefined;
}

async function credentialsOf(selection: ContextSelection, { host, log }: KubeconfigAccessOptions): Promise<Credentials> {
  const { user } = selection.user;
  const clientCertificate = certificateOf(user);
  const token = isSet(user.token) ? { token: user.token } : {};
  const tokenFile = user.tokenFile ? { tokenFile: user.tokenFile } : {};
  const basic =
    user.username || isSet(user.password) ? { basic: { username: user.username ?? "", password: user.password ?? new Secret("") } } : {};
  if (token.token === undefined && tokenFile.tokenFile !== undefined) await checkTokenFile(host, selection, tokenFile.tokenFile);
  const direct: Credentials = { ...(clientCertificate !== undefined && { clientCertificate }), ...token, ...tokenFile, ...basic };
  // Explicit credentials take precedence over a credential plugin, as with `kubectl --token`.
  if (user.exec !== undefined)
    return Object.keys(direct).length > 0 ? withoutPlugin(direct, selection, log) : { exec: await execAccess(host, selection) };
  if (user["auth-provider"] === undefined) return direct;
  return Object.keys({ ...token, ...tokenFile, ...basic }).length > 0
    ? withoutPlugin(direct, selection, log)
    : { ...direct, oidc: oidcAccess(host, selection.user) };
}

function withoutPlugin(direct: Credentials, { user }: ContextSelection, log: Log): Credentials {
  log.debug("ignoring the user's credential plugin, because the user has other credentials", {
    user: user.name,
    credentials: Object.keys(direct),
  });
  return direct;
}

function certificateOf(user: KubeconfigUser): Credentials["clientCertificate"] {
  const certificate = pemSource(user["client-certificate"], user["client-certificate-data"]?.reveal());
  if (certificate === undefined) return undefined;
  const keyData = user["client-key-data"];
  return {
    certificate,
    key: isSet(keyData)
      ? { kind: "inline", pem: new Secret(textFromBase64(keyData.reveal())) }
      : { kind: "file", path: user["client-key"] ?? "" },
  };
}

async function checkTokenFile(host: Host, { user }: ContextSelection, path: string): Promise<void> {
  try {
    await host.readFile(path);
  } catch (cause) {
    throw new KubeconfigError(
      "unreadable",
      [
        `${describeEntry("users", user, host.homeDir)}: tokenFile: ${shortPath(path, host.homeDir)} cannot be read; check that it exists and is readable`,
      ],
      { cause },
    );
  }
}

function impersonation(user: KubeconfigUser): Impersonation | undefined {
  if (!user.as) return undefined;
  return {
    user: user.as,
    ...(user["as-uid"] && { uid: user["as-uid"] }),
    ...(user["as-groups"] !== undefined && user["as-groups"].length > 0 && { groups: user["as-groups"] }),
    ...(user["as-user-extra"] !== undefined && { extra: user["as-user-extra"] }),
  };
}

const hasCredentials = (user: KubeconfigUser): boolean =>
  [user.token, user.password, user["client-certificate-data"]].some(isSet) ||
  [user.tokenFile, user.username, user["client-certificate"], user.exec, user["auth-provider"]].some(
    (field) => field !== undefined && field !== "",
  );

const isSet = (secret: Secret | undefined): secret is Secret => secret !== undefined && secret.reveal() !== "";
