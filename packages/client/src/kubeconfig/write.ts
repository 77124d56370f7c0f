/**
 * Changes the kubeconfig as `kubectl config` does: an existing entry in its file, a new one in the first file that exists.
 *
 *     KubeconfigSource → lock all files → change one → write it whole, 0600
 *
 * Writing a file drops its comments; all values are kept, paths as written.
 */
import type { Host } from "../host.ts";
import { rewrite, withKubeconfigLocks } from "./edit-file.ts";
import { KubeconfigError, quoted } from "./kubeconfig-error.ts";
import { findEntry } from "./kubeconfig.ts";
import type {
  ClusterEntry,
  ContextEntry,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
  UserEntry,
} from "./kubeconfig.ts";
import { kubeconfigFilesInPlace, readKubeconfigFile } from "./load.ts";
import type { KubeconfigSource } from "./load.ts";
import { mergeKubeconfigs } from "./merge.ts";
import { isGiven } from "./overrides.ts";

/** New values of some fields: undefined removes a field, absent fields stay. */
export type FieldChanges<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Adds a context or changes some of its fields. */
export async function setContext(source: KubeconfigSource, name: string, changes: FieldChanges<KubeconfigContext>): Promise<void> {
  await setEntry(source, "contexts", name, (entry) => ({ ...entry, context: changed(entry?.context ?? {}, changes), name }));
}

/**
 * Adds a cluster or changes some of its fields. Setting one form of authorities removes the other forms and
 * `insecure-skip-tls-verify`, and vice versa.
 */
export async function setCluster(source: KubeconfigSource, name: string, changes: FieldChanges<KubeconfigCluster>): Promise<void> {
  const alternatives: readonly (keyof KubeconfigCluster)[] = [
    "insecure-skip-tls-verify",
    "certificate-authority",
    "certificate-authority-data",
  ];
  await setEntry(source, "clusters", name, (entry) => ({
    ...entry,
    cluster: changed(entry?.cluster ?? {}, clearing(changes, [alternatives])),
    name,
  }));
}

/**
 * Adds a user or changes some of its fields. Setting a token removes token file and password, setting a certificate's data
 * removes its file, and vice versa.
 */
export async function setCredentials(source: KubeconfigSource, name: string, changes: FieldChanges<KubeconfigUser>): Promise<void> {
  const alternatives: readonly (readonly (keyof KubeconfigUser)[])[] = [
    ["token", "tokenFile"],
    ["token", "username"],
    ["token", "password"],
    ["tokenFile", "username"],
    ["tokenFile", "password"],
    ["client-certificate", "client-certificate-data"],
    ["client-key", "client-key-data"],
    ["exec", "auth-provider"],
  ];
  await setEntry(source, "users", name, (entry) => ({ ...entry, user: changed(entry?.user ?? {}, clearing(changes, alternatives)), name }));
}

/** Sets the current context, which must exist. */
export async function useContext(source: KubeconfigSource, name: string): Promise<void> {
  await change(source, async ({ merged, target }) => {
    requireEntry(merged.contexts, "context", name);
    await rewrite(source.host, target, (config) => ({ ...config, "current-context": name }));
  });
}

/** Renames a context in its file, and the current context if it is the same. */
export async function renameContext(source: KubeconfigSource, name: string, newName: string): Promise<void> {
  await change(source, async ({ merged, target }) => {
    const entry = requireEntry(merged.contexts, "context", name);
    if (findEntry(merged.contexts, newName) !== undefined)
      throw new KubeconfigError("invalid", [`cannot rename the context ${quoted(name)}: there already is a context ${quoted(newName)}`]);
    await rewrite(source.host, entry.origin?.file ?? target, (config) => ({
      ...config,
      contexts: config.contexts.map((one) => (one.name === name ? { ...one, name: newName } : one)),
    }));
    if (merged["current-context"] === name) await rewrite(source.host, target, (config) => ({ ...config, "current-context": newName }));
  });
}

/** Removes a context but not its cluster and user. Resolves to whether it was the current one, which then refers to nothing. */
export async function deleteContext(source: KubeconfigSource, name: string): Promise<boolean> {
  return deleteEntry(source, "contexts", name);
}

/** Removes a cluster; contexts that refer to it stay. */
export async function deleteCluster(source: KubeconfigSource, name: string): Promise<void> {
  await deleteEntry(source, "clusters", name);
}

/** Removes a user; contexts that refer to it stay. */
export async function deleteUser(source: KubeconfigSource, name: string): Promise<void> {
  await deleteEntry(source, "users", name);
}

interface Lists {
  readonly clusters: ClusterEntry;
  readonly users: UserEntry;
  readonly contexts: ContextEntry;
}

interface ReadFiles {
  readonly merged: Kubeconfig;
  /** File for new entries and the current context: the first that exists, or else the first. */
  readonly target: string;
}

async function change<T>(source: KubeconfigSource, work: (read: ReadFiles) => Promise<T>): Promise<T> {
  const { files: names } = await kubeconfigFilesInPlace(source);
  const [firstName] = names;
  if (firstName === undefined)
    throw new KubeconfigError("unreadable", [
      "there is no kubeconfig to write to: KUBECONFIG is not set and there is no home directory; name a file",
    ]);
  return withKubeconfigLocks(source.host, names, async () => {
    const files = (await Promise.all(names.map((file) => readPresent(source.host, file)))).flat();
    return work({ merged: mergeKubeconfigs(files.map(({ config }) => config)), target: files[0]?.file ?? firstName });
  });
}

async function readPresent(host: Host, file: string): Promise<{ readonly file: string; readonly config: Kubeconfig }[]> {
  const config = await readKubeconfigFile(host, file);
  return config === undefined ? [] : [{ file, config }];
}

async function setEntry<L extends keyof Lists>(
  source: KubeconfigSource,
  list: L,
  name: string,
  update: (entry: Lists[L] | undefined) => Lists[L],
): Promise<void> {
  if (name === "") throw new KubeconfigError("invalid", [`an entry of ${list} needs a name`]);
  await change(source, async ({ merged, target }) => {
    const file = findEntry<Lists[L]>(entriesOf(merged, list), name)?.origin?.file ?? target;
    await rewrite(source.host, file, (config) => {
      const before = entriesOf(config, list);
      const updated = update(findEntry<Lists[L]>(before, name));
      return {
        ...config,
        [list]: before.some((entry) => entry.name === name)
          ? before.map((entry) => (entry.name === name ? updated : entry))
          : [...before, updated],
      };
    });
  });
}

async function deleteEntry(source: KubeconfigSource, list: keyof Lists, name: string): Promise<boolean> {
  return change(source, async ({ merged, target }) => {
    const entry = requireEntry<Lists[typeof list]>(entriesOf(merged, list), list.slice(0, -1), name);
    await rewrite(source.host, entry.origin?.file ?? target, (config) => ({
      ...config,
      [list]: entriesOf(config, list).filter((one) => one.name !== name),
    }));
    return list === "contexts" && merged["current-context"] === name;
  });
}

const entriesOf = <L extends keyof Lists>(config: Kubeconfig, list: L): readonly Lists[L][] => config[list] as readonly Lists[L][];

function requireEntry<E extends ClusterEntry | UserEntry | ContextEntry>(entries: readonly E[], what: string, name: string): E {
  const entry = findEntry<E>(entries, name);
  if (entry === undefined)
    throw new KubeconfigError(what === "context" ? "context-not-found" : "invalid", [
      `there is no ${what} ${quoted(name)} in the kubeconfig`,
    ]);
  return entry;
}

function changed<T extends object>(fields: T, changes: FieldChanges<T>): T {
  return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined)) as T;
}

/** Adds to the changes the removal of the fields that each given field replaces. */
function clearing<T extends object>(changes: FieldChanges<T>, alternatives: readonly (readonly (keyof T)[])[]): FieldChanges<T> {
  const cleared = alternatives
    .filter((group) => group.some((field) => isGiven(changes[field])))
    .flatMap((group) => group.filter((field) => !isGiven(changes[field])));
  return { ...Object.fromEntries(cleared.map((field) => [field, undefined])), ...changes };
}
