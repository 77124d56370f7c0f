/**
 * How to reach one cluster as one user: what a kubeconfig, a service account or a program's own settings come down to.
 *
 *     kubeconfig, in-cluster → ClusterAccess → transport, credentials
 */
import type { Secret } from "@drover/machinery";

/** Text in PEM, given or in a file that may be replaced while the program runs. */
export type PemSource = { readonly kind: "inline"; readonly pem: string } | { readonly kind: "file"; readonly path: string };
/** The same for private keys. */
export type SecretPemSource = { readonly kind: "inline"; readonly pem: Secret } | { readonly kind: "file"; readonly path: string };

/** Whom the server is believed to be. */
export interface Trust {
  /** The authorities to believe. Absent: those of the system. */
  readonly ca?: PemSource;
  /** The name the certificate must carry, when it is not the host's. */
  readonly serverName?: string;
  /** Believes anybody. Never together with `ca`. */
  readonly insecure?: boolean;
}

/** A program that knows the credentials: `client.authentication.k8s.io`. */
export interface ExecConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Told to the user when the program is not there. */
  readonly installHint?: string;
  /** What the program is told about the cluster, when it asked for it. */
  readonly clusterInfo?: Readonly<Record<string, unknown>>;
}

/** The legacy `auth-provider: oidc`. */
export interface OidcConfig {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: Secret;
  readonly idToken?: Secret;
  readonly refreshToken?: Secret;
  readonly issuerCa?: PemSource;
  /** Keeps refreshed tokens, for instance in the kubeconfig they came from. */
  readonly persist?: (tokens: { readonly idToken: Secret; readonly refreshToken?: Secret }) => Promise<void>;
}

/** Who we say we are. At most one of token, tokenFile with token, basic, exec, oidc is used; a client certificate may stand beside any. */
export interface Credentials {
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: SecretPemSource };
  readonly token?: Secret;
  /** Read again as it changes; wins over `token` once it has been read. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: Secret };
  readonly exec?: ExecConfig;
  readonly oidc?: OidcConfig;
}

/** Whom we want to act as. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ClusterAccess {
  /** With scheme, without a trailing slash; a path in it comes before every path: "https://rancher.example/k8s/clusters/c-1". */
  readonly server: string;
  readonly trust: Trust;
  readonly credentials: Credentials;
  readonly impersonate?: Impersonation;
  /** `http:`, `https:` or `socks5:`. */
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** Where namespaced requests go that name no namespace. */
  readonly namespace: string;
}
