/**
 * A kubeconfig with the field names of its YAML.
 *
 *     text → parseKubeconfig → Kubeconfig → merge, overrides, access
 *                                       ↘ printKubeconfig → text
 *
 * Credentials are `Secret`s; so are unknown fields, because they might be credentials.
 */
import type { JsonObject, JsonValue, Secret } from "@drover/machinery";

/** Fields unknown to this version, written back unchanged. */
interface KeepsOtherFields {
  readonly other?: Secret<JsonObject>;
}

/** Where an entry was read. Not part of the file. */
export interface EntryOrigin {
  readonly file: string;
  /** Index in the file's list, from 0. */
  readonly index: number;
}

interface Entry extends KeepsOtherFields {
  /** Name that contexts refer to. */
  readonly name: string;
  readonly origin?: EntryOrigin;
}

/** The contents of one file, or of several merged ones. */
export interface Kubeconfig extends KeepsOtherFields {
  /** Settings of old versions of kubectl. @default none */
  readonly preferences?: KubeconfigPreferences;
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly ContextEntry[];
  /** Context to use if none is given; empty if there is none. */
  readonly "current-context": string;
  readonly extensions: readonly ExtensionEntry[];
}

/** No longer used by any part of Kubernetes; kept. */
export interface KubeconfigPreferences extends KeepsOtherFields {
  /** Whether output is coloured. @default false */
  readonly colors?: boolean;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** A named cluster. */
export interface ClusterEntry extends Entry {
  readonly cluster: KubeconfigCluster;
}

/** A named user. */
export interface UserEntry extends Entry {
  readonly user: KubeconfigUser;
}

/** A named context. */
export interface ContextEntry extends Entry {
  readonly context: KubeconfigContext;
}

/** Named data of another program. */
export interface ExtensionEntry extends KeepsOtherFields {
  readonly name: string;
  /** Data in that program's format; redacted, because it might contain secrets. @default none */
  readonly extension?: Secret<JsonValue>;
}

/** How to reach a cluster. */
export interface KubeconfigCluster extends KeepsOtherFields {
  /** "https://host:port", optionally with a path; never with a user name. @default none, which is an error */
  readonly server?: string;
  /** Host name that the server's certificate must contain. @default the host of `server` */
  readonly "tls-server-name"?: string;
  /** Accepts any certificate. @default false */
  readonly "insecure-skip-tls-verify"?: boolean;
  /** File with the certificate authorities to trust, in PEM. @default those of the system */
  readonly "certificate-authority"?: string;
  /** Certificate authorities inline: base64 of PEM. @default none */
  readonly "certificate-authority-data"?: string;
  /**
   * `http:`, `https:` or `socks5:` URL, may include the proxy's user name and password. @default from HTTPS_PROXY,
   * HTTP_PROXY and NO_PROXY
   */
  readonly "proxy-url"?: Secret;
  /** Asks the server not to compress responses. @default false */
  readonly "disable-compression"?: boolean;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** A user and its credentials. */
export interface KubeconfigUser extends KeepsOtherFields {
  /** File with the client certificate, in PEM. @default none */
  readonly "client-certificate"?: string;
  /** Client certificate inline: base64 of PEM. Redacted, since many files also contain the key. @default none */
  readonly "client-certificate-data"?: Secret;
  /** File with the private key, in PEM. @default none */
  readonly "client-key"?: string;
  /** Private key inline: base64 of PEM. @default none */
  readonly "client-key-data"?: Secret;
  /** A bearer token. @default none */
  readonly token?: Secret;
  /** File with a token, reread as it changes; takes precedence over `token`. @default none */
  readonly tokenFile?: string;
  /** User to impersonate. @default none */
  readonly as?: string;
  /** Uid of the impersonated user. @default none */
  readonly "as-uid"?: string;
  /** Groups of the impersonated user. @default none */
  readonly "as-groups"?: readonly string[];
  /** Additional attributes of the impersonated user. @default none */
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  /** For basic authentication. @default none */
  readonly username?: string;
  /** For basic authentication. @default none */
  readonly password?: Secret;
  /** Legacy authentication plugin. @default none */
  readonly "auth-provider"?: KubeconfigAuthProvider;
  /** Program that provides credentials. @default none */
  readonly exec?: KubeconfigExec;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** A cluster, a user and a namespace under one name. */
export interface KubeconfigContext extends KeepsOtherFields {
  /** The name of the cluster. @default none */
  readonly cluster?: string;
  /** Name of the user. @default none: anonymous */
  readonly user?: string;
  /** Namespace of requests that name none. @default "default" */
  readonly namespace?: string;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** Legacy authentication plugin; only "oidc" is still supported. */
export interface KubeconfigAuthProvider extends KeepsOtherFields {
  /** Only "oidc" is supported. @default none */
  readonly name?: string;
  /** Settings of the provider; all redacted. @default none */
  readonly config?: Readonly<Record<string, Secret>>;
}

/** A program that provides credentials. */
export interface KubeconfigExec extends KeepsOtherFields {
  /** The program: a path, or a name to look up in PATH. @default none, which is an error */
  readonly command?: string;
  /** Arguments; redacted, because they often contain passwords. @default none */
  readonly args?: Secret<readonly string[]>;
  /** Added to the environment of this process. @default none */
  readonly env?: readonly KubeconfigExecVariable[];
  /** Protocol version: client.authentication.k8s.io/v1 or v1beta1. @default none, which is an error */
  readonly apiVersion?: string;
  /** Shown to the user if the program is missing. @default a sentence that names the program */
  readonly installHint?: string;
  /** Whether the program receives information about the cluster. @default false */
  readonly provideClusterInfo?: boolean;
  /** Whether the program may prompt the user: "Never", "IfAvailable" or "Always". @default "IfAvailable" in v1beta1; required in v1 */
  readonly interactiveMode?: string;
}

/** One environment variable. */
export interface KubeconfigExecVariable extends KeepsOtherFields {
  /** Name of the variable. @default none, which is an error */
  readonly name?: string;
  /** Value of the variable. @default empty */
  readonly value?: Secret;
}

/** The kubeconfig of an empty file. */
export const emptyKubeconfig: Kubeconfig = { clusters: [], users: [], contexts: [], "current-context": "", extensions: [] };

/** Reports whether the kubeconfig is empty, by kubectl's definition. */
export function isEmptyKubeconfig({
  clusters,
  users,
  contexts,
  extensions,
  preferences = {},
  "current-context": current,
}: Kubeconfig): boolean {
  return (
    clusters.length + users.length + contexts.length + extensions.length + (preferences.extensions ?? []).length === 0 &&
    current === "" &&
    preferences.colors !== true
  );
}

/** Returns the entry with this name. */
export function findEntry<E extends Entry>(entries: readonly E[], name: string | undefined): E | undefined {
  return entries.find((entry) => entry.name === name);
}
