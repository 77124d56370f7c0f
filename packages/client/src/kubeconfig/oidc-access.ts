/**
 * The legacy `auth-provider: oidc` of a user; refreshed tokens are written to the file they came from.
 */
import { getOwn, setOwn } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import type { Host } from "../host.ts";
import { isStandardBase64, textFromBase64 } from "../encoding/base64.ts";
import type { OidcConfig, PemSource } from "./cluster-access.ts";
import { KubeconfigError, describeEntry, quoted } from "./kubeconfig-error.ts";
import { findEntry } from "./kubeconfig.ts";
import type { Kubeconfig, UserEntry } from "./kubeconfig.ts";
import { editKubeconfigFile } from "./edit-file.ts";

/** Throws a `KubeconfigError` for other providers, which Kubernetes has removed, and if a field is missing. */
export function oidcAccess(host: Host, entry: UserEntry): OidcConfig {
  const { name = "", config = {} } = entry.user["auth-provider"] ?? {};
  const at = describeEntry("users", entry, host.homeDir);
  if (name !== "oidc")
    throw new KubeconfigError("invalid", [
      `${at}: auth-provider ${quoted(name)} was removed from Kubernetes; use the exec plugin that replaces it${replacement(name)}`,
    ]);
  const field = (key: string): Secret | undefined => (getOwn(config, key)?.reveal() ? getOwn(config, key) : undefined);
  const issuerUrl = field("idp-issuer-url")?.reveal();
  const clientId = field("client-id")?.reveal();
  if (issuerUrl === undefined || clientId === undefined)
    throw new KubeconfigError("invalid", [
      `${at}: auth-provider oidc needs ${issuerUrl === undefined ? "idp-issuer-url" : "client-id"} in its config`,
    ]);
  const [clientSecret, idToken, refreshToken] = [field("client-secret"), field("id-token"), field("refresh-token")];
  const issuerCa = issuerAuthority(field("idp-certificate-authority-data")?.reveal(), field("idp-certificate-authority")?.reveal(), at);
  const file = entry.origin?.file;
  return {
    issuerUrl,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(issuerCa !== undefined && { issuerCa }),
    ...(file !== undefined && {
      persist: (tokens) => editKubeconfigFile(host, file, (written) => withTokens(written, entry.name, tokens)),
    }),
  };
}

function issuerAuthority(data: string | undefined, path: string | undefined, at: string): PemSource | undefined {
  if (data === undefined) return path === undefined ? undefined : { kind: "file", path };
  if (!isStandardBase64(data))
    throw new KubeconfigError("invalid", [`${at}: auth-provider.config["idp-certificate-authority-data"] is not base64`]);
  return { kind: "inline", pem: textFromBase64(data) };
}

/** Does nothing if the user no longer exists or uses another method. */
function withTokens(
  config: Kubeconfig,
  name: string,
  { idToken, refreshToken }: { readonly idToken: Secret; readonly refreshToken?: Secret },
): Kubeconfig {
  const provider = findEntry(config.users, name)?.user["auth-provider"];
  if (provider?.name !== "oidc") return config;
  const renewed: Record<string, Secret> = { ...provider.config };
  setOwn(renewed, "id-token", idToken);
  if (refreshToken !== undefined) setOwn(renewed, "refresh-token", refreshToken);
  return {
    ...config,
    users: config.users.map((entry) =>
      entry.name === name ? { ...entry, user: { ...entry.user, "auth-provider": { ...provider, config: renewed } } } : entry,
    ),
  };
}

const replacement = (name: string): string => (name === "gcp" ? ", gke-gcloud-auth-plugin" : name === "azure" ? ", kubelogin" : "");
