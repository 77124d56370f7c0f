/**
 * Parses and prints kubeconfigs. Comments and the order of keys are lost; every value is kept, also those of unknown fields.
 *
 *     text → parseKubeconfig → Kubeconfig → printKubeconfig → text
 */
import { getOwn, isInstanceOf, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { YamlError, parseYaml, printYaml } from "@drover/yaml";
import { anything, data, flag, list, map, object, readItems, refuse, secret, text } from "./field-codec.ts";
import type { Codec, FieldPlace } from "./field-codec.ts";
import { KubeconfigError, quoted } from "./kubeconfig-error.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";
import type {
  ClusterEntry,
  ContextEntry,
  EntryOrigin,
  ExtensionEntry,
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigExecVariable,
  KubeconfigPreferences,
  KubeconfigUser,
  UserEntry,
} from "./kubeconfig.ts";
import { hasLogin, loginInServer } from "./server-url.ts";

/** Origin of a text. */
export interface ParseKubeconfigOptions {
  /** File the text is from; recorded in its entries. @default none */
  readonly file?: string;
  /** Name of the text in errors. @default the file, or "kubeconfig" */
  readonly label?: string;
}

/**
 * Parses a kubeconfig; an empty text is an empty kubeconfig. Throws a `KubeconfigError` that lists every problem with its
 * location and fix, and none of the values. References of contexts are not checked; `validateKubeconfig` does that.
 */
export function parseKubeconfig(written: string, { file, label = file ?? "kubeconfig" }: ParseKubeconfigOptions = {}): Kubeconfig {
  const value = yamlValue(written, label);
  const place: FieldPlace = { path: "", problems: [] };
  const read = value === null ? {} : kubeconfig.read(value, place);
  if (isJsonObject(value)) checkKind(value, place);
  if (place.problems.length > 0)
    throw new KubeconfigError(
      "invalid",
      place.problems.map((problem) => `${label}: ${problem}`),
    );
  const filled: Kubeconfig = { ...emptyKubeconfig, ...read };
  if (file === undefined) return filled;
  const from = <E extends { readonly origin?: EntryOrigin }>(entries: readonly E[]): readonly E[] =>
    entries.map((entry, index) => ({ ...entry, origin: { file, index } }));
  return { ...filled, clusters: from(filled.clusters), users: from(filled.users), contexts: from(filled.contexts) };
}

/** Decodes the text of a file. Throws a `KubeconfigError` that names it if it is not UTF-8. */
export function kubeconfigText(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new KubeconfigError("invalid", [`${label}: is not UTF-8 text; save it as UTF-8`]);
  }
}

/** Prints a kubeconfig as YAML, secrets included: for files with mode 0600. Use `redactKubeconfig` before showing it. */
export function printKubeconfig(config: Kubeconfig): string {
  return printYaml({ ...(kubeconfig.print(config) as JsonObject), kind: "Config", apiVersion: "v1" });
}

function yamlValue(written: string, label: string): JsonValue {
  try {
    return parseYaml(written);
  } catch (error) {
    if (!isInstanceOf(error, YamlError)) throw error;
    // Not set as the cause: it quotes the file and so may contain a secret.
    const problem = withoutQuotes(error.message);
    throw new KubeconfigError("invalid", [
      `${label}: ${problem}; ${problem.includes("already set") ? "remove one of them" : "check the indentation there, and put text with special characters in quotes"}`,
    ]);
  }
}

/**
 * Removes what a parser's message quotes: everything between the first and the last quotation mark, so that quotation marks
 * in the text expose nothing, and long numbers.
 */
function withoutQuotes(message: string): string {
  return message
    .replace(/["'`](.*)["'`]/s, (quote, inner: string) => (/^(?:.|,' or '[\]}])$/.test(inner) ? quote : '"…"'))
    .replace(/\d{7,}/g, "…");
}

function checkKind(value: JsonObject, place: FieldPlace): void {
  for (const [field, wanted] of [
    ["kind", "Config"],
    ["apiVersion", "v1"],
  ] as const) {
    const given = getOwn(value, field) ?? "";
    if (given !== "" && given !== wanted)
      place.problems.push(
        `${field} is ${typeof given === "string" ? quoted(given) : "not text"}, so this is not a kubeconfig; kubeconfigs have kind: Config and apiVersion: v1`,
      );
  }
}

/** A list of entries with unique names. `fill` adds the fields an entry must have. */
const entries = <E extends { readonly name: string }>(codec: Codec<Partial<E>>, fill: (entry: Partial<E>) => E): Codec<readonly E[]> => ({
  read: (value, place) => {
    const read = readItems(value, place, (item, at) => {
      const name = isJsonObject(item) ? getOwn(item, "name") : undefined;
      const entry = codec.read(item, typeof name === "string" ? { ...at, path: `${at.path} (${quoted(name)})` } : at);
      return entry === undefined ? undefined : fill(entry);
    });
    const first = new Map<string, number>();
    for (const [index, { name }] of (read ?? []).entries()) {
      const before = first.get(name);
      if (before === undefined) first.set(name, index);
      else
        place.problems.push(
          `${place.path}[${index}] (${quoted(name)}): has the name of ${place.path}[${before}]; rename or remove one of them`,
        );
    }
    return read;
  },
  print: (value) => value.map((entry) => codec.print(entry)),
});

const extensions = entries<ExtensionEntry>(object<ExtensionEntry>({ name: text, extension: secret(anything) }), (entry) => ({
  name: "",
  ...entry,
}));

/** A URL with a user name is rejected here, so that its password is never passed on. */
const server: Codec<string> = {
  read: (value, place) => {
    const written = text.read(value, place);
    return written === undefined || !hasLogin(written) ? written : refuse(place, loginInServer);
  },
  print: text.print,
};

const cluster = object<KubeconfigCluster>({
  server,
  "tls-server-name": text,
  "insecure-skip-tls-verify": flag,
  "certificate-authority": text,
  "certificate-authority-data": data,
  "proxy-url": secret(text),
  "disable-compression": flag,
  extensions,
});

const user = object<KubeconfigUser>({
  "client-certificate": text,
  "client-certificate-data": secret(data),
  "client-key": text,
  "client-key-data": secret(data),
  token: secret(text),
  tokenFile: text,
  as: text,
  "as-uid": text,
  "as-groups": list(text),
  "as-user-extra": map(list(text)),
  username: text,
  password: secret(text),
  "auth-provider": object<KubeconfigAuthProvider>({ name: text, config: map(secret(text)) }),
  exec: object<KubeconfigExec>({
    command: text,
    args: secret(list(text)),
    env: list(object<KubeconfigExecVariable>({ name: text, value: secret(text) })),
    apiVersion: text,
    installHint: text,
    provideClusterInfo: flag,
    interactiveMode: text,
  }),
  extensions,
});

const context = object<KubeconfigContext>({ cluster: text, user: text, namespace: text, extensions });

/** `kind` and `apiVersion` are checked on reading and added on printing. */
const kindField: Codec<JsonValue> = { read: () => undefined, print: anything.print };

const kubeconfig = object<Kubeconfig & { readonly kind?: JsonValue; readonly apiVersion?: JsonValue }>({
  kind: kindField,
  apiVersion: kindField,
  preferences: object<KubeconfigPreferences>({ colors: flag, extensions }),
  clusters: entries<ClusterEntry>(object<ClusterEntry>({ name: text, cluster }), (entry) => ({ name: "", cluster: {}, ...entry })),
  users: entries<UserEntry>(object<UserEntry>({ name: text, user }), (entry) => ({ name: "", user: {}, ...entry })),
  contexts: entries<ContextEntry>(object<ContextEntry>({ name: text, context }), (entry) => ({ name: "", context: {}, ...entry })),
  "current-context": text,
  extensions,
});
