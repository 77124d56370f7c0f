/**
 * One context of a kubeconfig with what flags say instead: whom to reach, as whom.
 *
 *     Kubeconfig, KubeconfigOverrides → selectContext → ContextSelection → validate, access
 */
import { Secret, setOwn } from "@drover/machinery";
import { KubeconfigError, quoted } from "./kubeconfig-error.ts";
import { findEntry } from "./kubeconfig.ts";
import type { ClusterEntry, ContextEntry, Kubeconfig, KubeconfigCluster, KubeconfigUser, UserEntry } from "./kubeconfig.ts";

/** What wins over the files, as the flags of kubectl do. Text that is empty counts as not given. */
export interface KubeconfigOverrides {
  /** The context to use, `--context`. @default the current context */
  readonly context?: string;
  /** The cluster to reach, `--cluster`. @default the context's */
  readonly cluster?: string;
  /** The user to be, `--user`. @default the context's */
  readonly user?: string;
  /** The namespace for requests that name none, `--namespace`. @default the context's */
  readonly namespace?: string;
  /**
   * Fields of the cluster that win over the file's: `--server`, `--certificate-authority`,
   * `--insecure-skip-tls-verify`, `--tls-server-name`, `--proxy-url` …
   * Any of the authority fields and `insecure-skip-tls-verify: true` puts all of them in place of the file's; a
   * `server` does so with `tls-server-name`.
   * @default none
   */
  readonly clusterFields?: KubeconfigCluster;
  /**
   * Fields of the user that win over the file's: `--token`, `--as`, `--as-group`, `--client-certificate`, `--client-key` …
   * A certificate, given as file or as data, puts both in place of the kubeconfig's; so does a key, and so does a token. @default none
   */
  readonly userFields?: KubeconfigUser;
}

/** What a context comes down to. Names are empty where nothing has one. */
export interface ContextSelection {
  readonly context: ContextEntry;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/** Throws a `KubeconfigError` when something is named that is not there. Whether the result can be used is for `validateSelection`. */
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

/** The names there are, for whoever named another. */
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

/** The fields, and over them those of `over` that say something. */
function given<T extends object>(fields: T, over: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return { ...fields, ...Object.fromEntries(Object.entries(over).filter(([, value]) => isGiven(value))) };
}

/** Whether a field says something, as Go sees it: not the zero value. */
export function isGiven(value: unknown): boolean {
  if (value instanceof Secret) return isGiven(value.reveal());
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "" && value !== false;
}
