/**
 * A kubeconfig as it is written in YAML, field by field under the names it has there.
 *
 *     text → parseKubeconfig → Kubeconfig → merge, overrides, access
 *                                       ↘ printKubeconfig → text
 *
 * What identifies somebody is held in `Secret`; so is everything this version does not know, because nobody knows what it is.
 */
import type { JsonObject, JsonValue, Secret } from "@drover/machinery";

/** Fields this version does not know, written back as they were. */
interface KeepsOtherFields {
  readonly other?: Secret<JsonObject>;
}

/** Where an entry was read. Not part of the file. */
export interface EntryOrigin {
  readonly file: string;
  /** Its place in the file's list, from 0. */
  readonly index: number;
}

interface Entry extends KeepsOtherFields {
  /** What contexts and people call it. */
  readonly name: string;
  readonly origin?: EntryOrigin;
}

/** Everything one file, or several merged ones, say. */
export interface Kubeconfig extends KeepsOtherFields {
  /** Settings of old kubectls. @default none */
  readonly preferences?: KubeconfigPreferences;
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly ContextEntry[];
  /** The context that is used when none is named; empty when there is none. */
  readonly "current-context": string;
  readonly extensions: readonly ExtensionEntry[];
}

/** Not used by any part of Kubernetes any more, and kept. */
export interface KubeconfigPreferences extends KeepsOtherFields {
  /** Whether output is coloured. @default false */
  readonly colors?: boolean;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** A cluster under its name. */
export interface ClusterEntry extends Entry {
  readonly cluster: KubeconfigCluster;
}

/** A user under its name. */
export interface UserEntry extends Entry {
  readonly user: KubeconfigUser;
}

/** A context under its name. */
export interface ContextEntry extends Entry {
  readonly context: KubeconfigContext;
}

/** Data of other programs, under a name of theirs. */
export interface ExtensionEntry extends KeepsOtherFields {
  readonly name: string;
  /** Whatever that program wrote; out of sight, because nobody else knows what it is. @default none */
  readonly extension?: Secret<JsonValue>;
}

/** How to reach a cluster. */
export interface KubeconfigCluster extends KeepsOtherFields {
  /** "https://host:port", perhaps with a path; never with a user name. @default none, which is a mistake */
  readonly server?: string;
  /** The name the server's certificate must carry. @default the host of `server` */
  readonly "tls-server-name"?: string;
  /** Believes any certificate. @default false */
  readonly "insecure-skip-tls-verify"?: boolean;
  /** The file with the authorities to believe, in PEM. @default those of the system */
  readonly "certificate-authority"?: string;
  /** The same, inline: base64 of PEM. @default none */
  readonly "certificate-authority-data"?: string;
  /**
   * `http:`, `https:` or `socks5:`; the proxy's user name and password may stand in it. @default what HTTPS_PROXY,
   * HTTP_PROXY and NO_PROXY say
   */
  readonly "proxy-url"?: Secret;
  /** Asks the server not to compress its answers. @default false */
  readonly "disable-compression"?: boolean;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** Who somebody is, and how that is proved. */
export interface KubeconfigUser extends KeepsOtherFields {
  /** The file with the client certificate, in PEM. @default none */
  readonly "client-certificate"?: string;
  /** The same, inline: base64 of PEM. Out of sight, since many a file holds the key as well. @default none */
  readonly "client-certificate-data"?: Secret;
  /** The file with its private key, in PEM. @default none */
  readonly "client-key"?: string;
  /** The same, inline: base64 of PEM. @default none */
  readonly "client-key-data"?: Secret;
  /** A bearer token. @default none */
  readonly token?: Secret;
  /** A file with a token, read again as it changes; what is read from it wins over `token`. @default none */
  readonly tokenFile?: string;
  /** Whom to act as. @default ourselves */
  readonly as?: string;
  /** The uid of that user. @default none */
  readonly "as-uid"?: string;
  /** The groups of that user. @default none */
  readonly "as-groups"?: readonly string[];
  /** What else is known of that user. @default nothing */
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  /** For basic authentication. @default none */
  readonly username?: string;
  /** For basic authentication. @default none */
  readonly password?: Secret;
  /** The old way of plugging in a login. @default none */
  readonly "auth-provider"?: KubeconfigAuthProvider;
  /** A program that is run for the credentials. @default none */
  readonly exec?: KubeconfigExec;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** A cluster, a user and a namespace under one name. */
export interface KubeconfigContext extends KeepsOtherFields {
  /** The name of the cluster. @default none */
  readonly cluster?: string;
  /** The name of the user. @default none: nobody in particular */
  readonly user?: string;
  /** Where requests go that name no namespace. @default "default" */
  readonly namespace?: string;
  /** Data of other programs. @default none */
  readonly extensions?: readonly ExtensionEntry[];
}

/** The old way of plugging in a login; of its names only "oidc" is left. */
export interface KubeconfigAuthProvider extends KeepsOtherFields {
  /** Only "oidc" can be used. @default none */
  readonly name?: string;
  /** What the provider needs; all of it out of sight. @default nothing */
  readonly config?: Readonly<Record<string, Secret>>;
}

/** A program that is run for the credentials. */
export interface KubeconfigExec extends KeepsOtherFields {
  /** The program: a path, or a name to be looked for in PATH. @default none, which is a mistake */
  readonly command?: string;
  /** What it is started with; out of sight, as many a password stands there. @default nothing */
  readonly args?: Secret<readonly string[]>;
  /** Added to the environment of this process. @default nothing */
  readonly env?: readonly KubeconfigExecVariable[];
  /** The form of question and answer: client.authentication.k8s.io/v1 or v1beta1. @default none, which is a mistake */
  readonly apiVersion?: string;
  /** Told to the user when the program is not there. @default a sentence that names the program */
  readonly installHint?: string;
  /** Whether the program is told about the cluster. @default false */
  readonly provideClusterInfo?: boolean;
  /** Whether the program may ask a person: "Never", "IfAvailable" or "Always". @default "IfAvailable" in v1beta1; in v1 it must be said */
  readonly interactiveMode?: string;
}

/** One variable of the environment. */
export interface KubeconfigExecVariable extends KeepsOtherFields {
  /** What the program finds it under. @default none, which is a mistake */
  readonly name?: string;
  /** What it is. @default empty */
  readonly value?: Secret;
}

/** The kubeconfig of a file that is empty. */
export const emptyKubeconfig: Kubeconfig = { clusters: [], users: [], contexts: [], "current-context": "", extensions: [] };

/** Whether nothing at all is said, as kubectl sees it. */
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

/** The entry with this name. */
export function findEntry<E extends Entry>(entries: readonly E[], name: string | undefined): E | undefined {
  return entries.find((entry) => entry.name === name);
}
