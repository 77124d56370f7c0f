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
  readonly colors?: boolean;
  readonly extensions?: readonly ExtensionEntry[];
}

export interface ClusterEntry extends Entry {
  readonly cluster: KubeconfigCluster;
}

export interface UserEntry extends Entry {
  readonly user: KubeconfigUser;
}

export interface ContextEntry extends Entry {
  readonly context: KubeconfigContext;
}

/** Data of other programs, under a name of theirs. */
export interface ExtensionEntry extends KeepsOtherFields {
  readonly name: string;
  readonly extension?: JsonValue;
}

/** How to reach a cluster. */
export interface KubeconfigCluster extends KeepsOtherFields {
  /** "https://host:port", perhaps with a path. */
  readonly server?: string;
  /** The name the server's certificate must carry. Absent: the host of `server`. */
  readonly "tls-server-name"?: string;
  /** Believes any certificate. */
  readonly "insecure-skip-tls-verify"?: boolean;
  /** The file with the authorities to believe, in PEM. */
  readonly "certificate-authority"?: string;
  /** The same, inline: base64 of PEM. */
  readonly "certificate-authority-data"?: string;
  /** `http:`, `https:` or `socks5:`. */
  readonly "proxy-url"?: string;
  /** Asks the server not to compress its answers. */
  readonly "disable-compression"?: boolean;
  readonly extensions?: readonly ExtensionEntry[];
}

/** Who somebody is, and how that is proved. */
export interface KubeconfigUser extends KeepsOtherFields {
  /** The file with the client certificate, in PEM. */
  readonly "client-certificate"?: string;
  /** The same, inline: base64 of PEM. */
  readonly "client-certificate-data"?: string;
  /** The file with its private key, in PEM. */
  readonly "client-key"?: string;
  /** The same, inline: base64 of PEM. */
  readonly "client-key-data"?: Secret;
  readonly token?: Secret;
  /** A file with a token, read again as it changes; what is read from it wins over `token`. */
  readonly tokenFile?: string;
  /** Whom to act as. */
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  readonly username?: string;
  readonly password?: Secret;
  readonly "auth-provider"?: KubeconfigAuthProvider;
  readonly exec?: KubeconfigExec;
  readonly extensions?: readonly ExtensionEntry[];
}

/** A cluster, a user and a namespace under one name. */
export interface KubeconfigContext extends KeepsOtherFields {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly extensions?: readonly ExtensionEntry[];
}

/** The old way of plugging in a login; of its names only "oidc" is left. */
export interface KubeconfigAuthProvider extends KeepsOtherFields {
  readonly name?: string;
  readonly config?: Readonly<Record<string, Secret>>;
}

/** A program that is run for the credentials. */
export interface KubeconfigExec extends KeepsOtherFields {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly KubeconfigExecVariable[];
  readonly apiVersion?: string;
  /** Told to the user when the program is not there. */
  readonly installHint?: string;
  /** Whether the program is told about the cluster. */
  readonly provideClusterInfo?: boolean;
  /** "Never", "IfAvailable" or "Always". */
  readonly interactiveMode?: string;
}

export interface KubeconfigExecVariable extends KeepsOtherFields {
  readonly name?: string;
  readonly value?: Secret;
}

/** The kubeconfig of a file that is empty. */
export const emptyKubeconfig: Kubeconfig = { clusters: [], users: [], contexts: [], "current-context": "", extensions: [] };

/** Whether nothing at all is said, as kubectl sees it. */
export function isEmptyKubeconfig({ clusters, users, contexts, extensions, preferences = {}, "current-context": current }: Kubeconfig): boolean {
  return clusters.length + users.length + contexts.length + extensions.length + (preferences.extensions ?? []).length === 0 && current === "" && preferences.colors !== true;
}

/** The entry with this name. */
export function findEntry<E extends Entry>(entries: readonly E[], name: string | undefined): E | undefined {
  return entries.find((entry) => entry.name === name);
}
