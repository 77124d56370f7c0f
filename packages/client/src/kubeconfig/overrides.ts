/**
 * Selects one context of a kubeconfig and applies overrides such as kubectl's flags.
 *
 *     Kubeconfig, KubeconfigOverrides → selectContext → ContextSelection → validate, access
 */
import { Secret, setOwn } from "@drover/machinery";
import { KubeconfigError, quoted } from "./kubeconfig-error.ts";
import { findEntry } from "./kubeconfig.ts";
import type { ClusterEntry, ContextEntry, Kubeconfig, KubeconfigCluster, KubeconfigUser, UserEntry } from "./kubeconfig.ts";

/** Values that override the files, as the flags of kubectl do. Empty text counts as not set. */
export interface KubeconfigOverrides {
  /** Context, `--context`. @default the current context */
  readonly context?: string;
  /** Cluster, `--cluster`. @default the context's */
  readonly cluster?: string;
  /** User, `--user`. @default the context's */
  readonly user?: string;
  /** Namespace of requests that name none, `--namespace`. @default the context's */
  readonly namespace?: string;
  /**
   * Fields of the cluster that override the file's: `--server`, `--certificate-authority`, `--insecure-skip-tls-verify`,
   * `--tls-server-name`, `--proxy-url` … Setting one of the authority fields or `insecure-skip-tls-verify: true` replaces
   * all of them; setting `server` also replaces `tls-server-name`. @default none
   */
  readonly clusterFields?: KubeconfigCluster;
  /**
   * Fields of the user that override the file's: `--token`, `--as`, `--as-group`, `--client-certificate`, `--client-key` …
   * Setting a certificate, as file or data, replaces both forms; so does setting a key or a token. @default none
   */
  readonly userFields?: KubeconfigUser;
}

/** The entries of a context. Names are empty for entries without one. */
export interface ContextSelection {
  readonly context: ContextEntry;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/** Throws a `KubeconfigError` if a named entry does not exist. `validateSelection` checks whether the result can be used. */
export function selectContext(config: Kubeconfig, overrides: KubeconfigOverrides = {}): ContextSelection {
  const contextName = overrides.context || config["current-context"];
  const found = findEntry(config.contexts, contextName);
  if (contextName !== "" && found === undefined) {
    throw new KubeconfigError("context-not-found", [
      `there is no context ${quoted(contextName)}${overrides.context ? "" : ", which current-context names"}; ${knownEntries("contexts", config.contexts)}`,
    ]);
  }
  const { name = contextName, context = {}, ...origin } = found ?? {};
  const cluster = lookUp(config.clusters, "cluster", overrides.cluster, context.cluster, name) ?? { name: "", cluster: {} };
  const user = lookUp(config.users, "user", overrides.user, context.user, name) ?? { name: "", user: {} };
  return {
    context: {
      ...origin,
      name,
      context: given({ ...context, cluster: cluster.name, user: user.name }, { namespace: overrides.namespace }),
    },
    cluster: { ...cluster, cluster: overrideCluster(cluster.cluster, overrides.clusterFields ?? {}) },
    user: { ...user, user: overrideUser(user.user, overrides.userFields ?? {}) },
  };
}

function lookUp<E extends { readonly name: string }>(
  entries: readonly E[],
  what: "cluster" | "user",
  wanted: string | undefined,
  ofContext: string | undefined,
  contextName: string,
): E | undefined {
  const name = wanted || ofContext || "";
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined && name !== "") {
    const who = wanted ? "" : `, which the context ${quoted(contextName)} names`;
    throw new KubeconfigError("invalid", [`there is no ${what} ${quoted(name)}${who}; ${knownEntries(`${what}s`, entries)}`]);
  }
  return entry;
}

/** Lists the existing names, for the error about an unknown one. */
export const knownEntries = (what: string, entries: readonly { readonly name: string }[]): string =>
  entries.length === 0
    ? `there are no ${what}`
    : `known ${what}: ${entries
        .slice(0, 20)
        .map(({ name }) => quoted(name))
        .join(", ")}${entries.length > 20 ? ` and ${entries.length - 20} more` : ""}`;

const trustFields = ["insecure-skip-tls-verify", "certificate-authority", "certificate-authority-data"] as const;

function overrideCluster(cluster: KubeconfigCluster, fields: KubeconfigCluster): KubeconfigCluster {
  const cleared = [
    ...(trustFields.some((field) => isGiven(fields[field])) ? trustFields : []),
    ...(isGiven(fields.server) ? ["tls-server-name" as const] : []),
  ];
  return given(without(cluster, cleared), fields);
}

function overrideUser(user: KubeconfigUser, fields: KubeconfigUser): KubeconfigUser {
  const pairs = [
    ["client-certificate", "client-certificate-data"],
    ["client-key", "client-key-data"],
    ["token", "tokenFile"],
  ] as const;
  const cleared = pairs.flatMap((pair) => (pair.some((field) => isGiven(fields[field])) ? pair : []));
  const extra: Record<string, readonly string[]> = {};
  for (const source of [user, fields])
    for (const [key, values] of Object.entries(source["as-user-extra"] ?? {})) setOwn(extra, key, values);
  return given(without(user, cleared), { ...fields, ...(Object.keys(extra).length > 0 && { "as-user-extra": extra }) });
}

function without<T extends object>(fields: T, keys: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key as keyof T))) as T;
}

/** Returns the fields, overridden by those of `over` that are set. */
function given<T extends object>(fields: T, over: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return { ...fields, ...Object.fromEntries(Object.entries(over).filter(([, value]) => isGiven(value))) };
}

/** Reports whether a field is set in Go's sense: not the zero value. */
export function isGiven(value: unknown): boolean {
  if (value instanceof Secret) return isGiven(value.reveal());
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "" && value !== false;
}
