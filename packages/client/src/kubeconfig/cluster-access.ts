/**
 * Access to one cluster as one user: the result of a kubeconfig, a service account or a program's own settings.
 *
 *     kubeconfig, in-cluster → ClusterAccess → transport, credentials
 */
import type { JsonValue, Secret } from "@drover/machinery";

/** PEM text, inline or in a file that may be replaced while the program runs. */
export type PemSource = { readonly kind: "inline"; readonly pem: string } | { readonly kind: "file"; readonly path: string };
/** A private key, inline or in a file. */
export type SecretPemSource = { readonly kind: "inline"; readonly pem: Secret } | { readonly kind: "file"; readonly path: string };

/** How to verify the server's certificate. */
export interface Trust {
  /** Certificate authorities to trust. @default those of the system */
  readonly ca?: PemSource;
  /** Host name that the certificate must contain. @default the host of the server's URL */
  readonly serverName?: string;
  /** Accepts any certificate. Never together with `ca`. @default false */
  readonly insecure?: boolean;
}

/** A credential plugin: `client.authentication.k8s.io`. */
export interface ExecConfig {
  /** Protocol version of the program. */
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** The program: a path, or a name to look up in PATH. */
  readonly command: string;
  /** Arguments. Redacted, because they often contain passwords. */
  readonly args: Secret<readonly string[]>;
  /** Added to the environment of this process. */
  readonly env: readonly { readonly name: string; readonly value: Secret }[];
  /** Whether the program may prompt the user: never, if there is a terminal, or it requires one. */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Shown to the user if the program is missing. @default a sentence that names the program */
  readonly installHint?: string;
  /**
   * Information about the cluster for the program. Redacted: it includes a proxy's password and the cluster's settings for
   * the program. @default none
   */
  readonly clusterInfo?: Secret<Readonly<Record<string, JsonValue>>>;
}

/** The legacy `auth-provider: oidc`. */
export interface OidcConfig {
  /** URL of the issuer; the client reads `/.well-known/openid-configuration` below it. */
  readonly issuerUrl: string;
  /** Client id of this program at the issuer. */
  readonly clientId: string;
  /** Authenticates this program to the issuer. @default none: a public client */
  readonly clientSecret?: Secret;
  /** Token to send until it expires. @default none: the refresh token gets the first one */
  readonly idToken?: Secret;
  /** Gets the next id token. @default none: the user must log in again when the id token expires */
  readonly refreshToken?: Secret;
  /** Certificate authorities to trust for the issuer. @default those of the system */
  readonly issuerCa?: PemSource;
  /** Stores refreshed tokens, for example in the kubeconfig they came from. @default kept in memory only */
  readonly persist?: (tokens: { readonly idToken: Secret; readonly refreshToken?: Secret }) => Promise<void>;
}

/**
 * Identity of the client. At most one of token, tokenFile with token, basic, exec, oidc is used; a client certificate may
 * accompany any.
 */
export interface Credentials {
  /** Presented in the TLS handshake. @default none */
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: SecretPemSource };
  /** A bearer token. @default none */
  readonly token?: Secret;
  /** File with a bearer token, reread as it changes; takes precedence over `token` once it has been read. @default none */
  readonly tokenFile?: string;
  /** A user name and a password. @default none */
  readonly basic?: { readonly username: string; readonly password: Secret };
  /** A credential plugin. @default none */
  readonly exec?: ExecConfig;
  /** An OpenID issuer. @default none */
  readonly oidc?: OidcConfig;
}

/** The user to impersonate. */
export interface Impersonation {
  /** Name of the user, or of a service account: "system:serviceaccount:shop:web". */
  readonly user: string;
  /** Uid of the user, to tell users of the same name apart. @default none */
  readonly uid?: string;
  /** Groups of the user. @default those the server adds */
  readonly groups?: readonly string[];
  /** Additional attributes for authenticators and authorizers. @default none */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** One server, how to verify it, and our identity. Safe to print: sensitive values are `Secret`s. */
export interface ClusterAccess {
  /** URL with scheme, without a trailing slash; its path is a prefix of every request path: "https://rancher.example/k8s/clusters/c-1". */
  readonly server: string;
  readonly trust: Trust;
  readonly credentials: Credentials;
  /** User to impersonate. @default none */
  readonly impersonate?: Impersonation;
  /**
   * `http:`, `https:` or `socks5:` URL, may include the proxy's user name and password. @default from HTTPS_PROXY,
   * HTTP_PROXY and NO_PROXY
   */
  readonly proxyUrl?: Secret;
  /** Asks the server not to compress responses. @default false */
  readonly disableCompression?: boolean;
  /** Namespace of requests that name none. */
  readonly namespace: string;
}
