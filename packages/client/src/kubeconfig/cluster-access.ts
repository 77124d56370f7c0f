/**
 * How to reach one cluster as one user: what a kubeconfig, a service account or a program's own settings come down to.
 *
 *     kubeconfig, in-cluster → ClusterAccess → transport, credentials
 */
import type { JsonValue, Secret } from "@drover/machinery";

/** Text in PEM, given or in a file that may be replaced while the program runs. */
export type PemSource = { readonly kind: "inline"; readonly pem: string } | { readonly kind: "file"; readonly path: string };
/** The same for private keys. */
export type SecretPemSource = { readonly kind: "inline"; readonly pem: Secret } | { readonly kind: "file"; readonly path: string };

/** Whom the server is believed to be. */
export interface Trust {
  /** The authorities to believe. @default those of the system */
  readonly ca?: PemSource;
  /** The name the certificate must carry. @default the host of the server's URL */
  readonly serverName?: string;
  /** Believes anybody. Never together with `ca`. @default false */
  readonly insecure?: boolean;
}

/** A program that knows the credentials: `client.authentication.k8s.io`. */
export interface ExecConfig {
  /** Which form of question and answer the program speaks. */
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** The program: a path, or a name to be looked for in PATH. */
  readonly command: string;
  /** What it is started with. Out of sight, as many a password stands there. */
  readonly args: Secret<readonly string[]>;
  /** Added to the environment of this process. */
  readonly env: readonly { readonly name: string; readonly value: Secret }[];
  /** Whether the program may ask the person at the terminal: never, if there is one, or it cannot do without. */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Told to the user when the program is not there. @default a sentence that names the program */
  readonly installHint?: string;
  /**
   * What the program is told about the cluster. Out of sight: a proxy's password and the cluster's own settings for the
   * program are in it. @default nothing
   */
  readonly clusterInfo?: Secret<Readonly<Record<string, JsonValue>>>;
}

/** The legacy `auth-provider: oidc`. */
export interface OidcConfig {
  /** Where the issuer is; `/.well-known/openid-configuration` is asked for below it. */
  readonly issuerUrl: string;
  /** What the issuer calls this program. */
  readonly clientId: string;
  /** Proves to the issuer that this is that program. @default none: a public client */
  readonly clientSecret?: Secret;
  /** What is sent to the cluster until it ends. @default none: the first is had with the refresh token */
  readonly idToken?: Secret;
  /** Gets the next id token. @default none: when the id token ends, somebody must log in */
  readonly refreshToken?: Secret;
  /** The authorities to believe about the issuer. @default those of the system */
  readonly issuerCa?: PemSource;
  /** Keeps refreshed tokens, for instance in the kubeconfig they came from. @default they are forgotten with the process */
  readonly persist?: (tokens: { readonly idToken: Secret; readonly refreshToken?: Secret }) => Promise<void>;
}

/** Who we say we are. At most one of token, tokenFile with token, basic, exec, oidc is used; a client certificate may stand beside any. */
export interface Credentials {
  /** Shown in the TLS handshake. @default none */
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: SecretPemSource };
  /** A bearer token. @default none */
  readonly token?: Secret;
  /** A file with a bearer token, read again as it changes; wins over `token` once it has been read. @default none */
  readonly tokenFile?: string;
  /** A user name and a password. @default none */
  readonly basic?: { readonly username: string; readonly password: Secret };
  /** A program that knows the credentials. @default none */
  readonly exec?: ExecConfig;
  /** An OpenID issuer. @default none */
  readonly oidc?: OidcConfig;
}

/** Whom we want to act as. */
export interface Impersonation {
  /** The name of the user, or of a service account: "system:serviceaccount:shop:web". */
  readonly user: string;
  /** The uid of that user, where one must be told from another of the same name. @default none */
  readonly uid?: string;
  /** The groups to be in. @default those the server adds by itself */
  readonly groups?: readonly string[];
  /** What authenticators and authorizers may know besides. @default nothing */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** One server, how to be sure of it, and who we are to it. Can be printed: what must not be seen is held in `Secret`. */
export interface ClusterAccess {
  /** With scheme, without a trailing slash; a path in it comes before every path: "https://rancher.example/k8s/clusters/c-1". */
  readonly server: string;
  readonly trust: Trust;
  readonly credentials: Credentials;
  /** Whom to act as. @default ourselves */
  readonly impersonate?: Impersonation;
  /**
   * `http:`, `https:` or `socks5:`; with the user name and password for the proxy in it, if it wants any. @default what
   * HTTPS_PROXY, HTTP_PROXY and NO_PROXY say
   */
  readonly proxyUrl?: Secret;
  /** Asks the server not to compress its answers. @default false */
  readonly disableCompression?: boolean;
  /** Where namespaced requests go that name no namespace. */
  readonly namespace: string;
}
