/**
 * Removes secrets from a kubeconfig, to show it.
 */
import { Secret, isSecretName, setOwn } from "@drover/machinery";
import type {
  ExtensionEntry,
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigExec,
  KubeconfigUser,
} from "./kubeconfig.ts";

const hidden = new Secret("REDACTED");
/** kubectl's placeholder for certificates. */
const omitted = "DATA+OMITTED";

/**
 * Returns the kubeconfig without secrets, safe to print and show. Follows `kubectl config view` and is stricter: it also
 * hides or removes secrets of an auth provider, arguments and variables of a program, the password in a proxy's URL,
 * extensions, and unknown fields.
 */
export function redactKubeconfig(config: Kubeconfig): Kubeconfig {
  return {
    ...withoutOther(config),
    extensions: redactExtensions(config).extensions ?? [],
    ...(config.preferences !== undefined && {
      preferences: { ...withoutOther(config.preferences), ...redactExtensions(config.preferences) },
    }),
    clusters: config.clusters.map((entry) => ({ ...withoutOther(entry), cluster: redactCluster(entry.cluster) })),
    users: config.users.map((entry) => ({ ...withoutOther(entry), user: redactUser(entry.user) })),
    contexts: config.contexts.map((entry) => ({
      ...withoutOther(entry),
      context: { ...withoutOther(entry.context), ...redactExtensions(entry.context) },
    })),
  };
}

function redactCluster(cluster: KubeconfigCluster): KubeconfigCluster {
  return {
    ...withoutOther(cluster),
    ...(cluster["certificate-authority-data"] && { "certificate-authority-data": omitted }),
    ...(cluster["proxy-url"] !== undefined && { "proxy-url": redactUrl(cluster["proxy-url"]) }),
    ...redactExtensions(cluster),
  };
}

function redactUrl(url: Secret): Secret {
  const text = url.reveal();
  if (!text.includes("@")) return url;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed === undefined || parsed.host === "" ? hidden : new Secret(`${parsed.protocol}//REDACTED@${parsed.host}${parsed.pathname}`);
}

function redactExtensions({ extensions }: { readonly extensions?: readonly ExtensionEntry[] }): {
  readonly extensions?: readonly ExtensionEntry[];
} {
  return extensions === undefined
    ? {}
    : { extensions: extensions.map(({ name, extension }) => ({ name, ...(extension !== undefined && { extension: hidden }) })) };
}

function redactUser(user: KubeconfigUser): KubeconfigUser {
  return {
    ...withoutOther(user),
    ...(user["client-certificate-data"] !== undefined && { "client-certificate-data": new Secret(omitted) }),
    ...(user["client-key-data"] !== undefined && { "client-key-data": new Secret(omitted) }),
    ...(user.token !== undefined && { token: hidden }),
    ...(user.password !== undefined && { password: hidden }),
    ...(user["auth-provider"] !== undefined && { "auth-provider": redactProvider(user["auth-provider"]) }),
    ...(user.exec !== undefined && { exec: redactExec(user.exec) }),
    ...redactExtensions(user),
  };
}

function redactProvider({ name, config }: KubeconfigAuthProvider): KubeconfigAuthProvider {
  const shown: Record<string, Secret> = {};
  for (const [key, value] of Object.entries(config ?? {})) setOwn(shown, key, isSecretName(key) ? hidden : value);
  return { ...(name !== undefined && { name }), ...(config !== undefined && { config: shown }) };
}

function redactExec(exec: KubeconfigExec): KubeconfigExec {
  return {
    ...withoutOther(exec),
    ...(exec.args !== undefined && { args: new Secret(exec.args.reveal().map(redactArgument)) }),
    ...(exec.env !== undefined && { env: exec.env.map(({ name }) => ({ ...(name !== undefined && { name }), value: hidden })) }),
  };
}

/** Keeps the name of a flag; any other part might be a password. */
function redactArgument(argument: string): string {
  const [, name, value] = /^(--[^=]+)(=.*)?$/s.exec(argument) ?? [];
  if (name === undefined) return "REDACTED";
  return value === undefined ? name : `${name}=REDACTED`;
}

function withoutOther<T extends { readonly other?: unknown }>({ other: _other, ...known }: T): Omit<T, "other"> {
  return known;
}
