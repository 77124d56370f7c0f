/** A kubeconfig for people's eyes. */
import { Secret, isSecretName, setOwn } from "@drover/machinery";
import type { Kubeconfig, KubeconfigAuthProvider, KubeconfigCluster, KubeconfigExec, KubeconfigUser } from "./kubeconfig.ts";

const hidden = new Secret("REDACTED");
/** kubectl's word for bytes that say nothing to a reader. */
const omitted = "DATA+OMITTED";

/**
 * The same without anything that lets somebody in: print it and show it. As `kubectl config view` has it, and stricter: secrets of an auth provider, the
 * variables of a program, the password in a proxy's URL and fields this version does not know are hidden or left out too.
 */
export function redactKubeconfig(config: Kubeconfig): Kubeconfig {
  return {
    ...withoutOther(config),
    ...(config.preferences !== undefined && { preferences: withoutOther(config.preferences) }),
    clusters: config.clusters.map((entry) => ({ ...withoutOther(entry), cluster: redactCluster(entry.cluster) })),
    users: config.users.map((entry) => ({ ...withoutOther(entry), user: redactUser(entry.user) })),
    contexts: config.contexts.map((entry) => ({ ...withoutOther(entry), context: withoutOther(entry.context) })),
  };
}

function redactCluster(cluster: KubeconfigCluster): KubeconfigCluster {
  return {
    ...withoutOther(cluster),
    ...(cluster["certificate-authority-data"] && { "certificate-authority-data": omitted }),
    ...(cluster["proxy-url"] && { "proxy-url": cluster["proxy-url"].replace(/^([a-z0-9]+:\/\/)[^/]*@/i, "$1REDACTED@") }),
  };
}

function redactUser(user: KubeconfigUser): KubeconfigUser {
  return {
    ...withoutOther(user),
    ...(user["client-certificate-data"] && { "client-certificate-data": omitted }),
    ...(user["client-key-data"] !== undefined && { "client-key-data": new Secret(omitted) }),
    ...(user.token !== undefined && { token: hidden }),
    ...(user.password !== undefined && { password: hidden }),
    ...(user["auth-provider"] !== undefined && { "auth-provider": redactProvider(user["auth-provider"]) }),
    ...(user.exec !== undefined && { exec: redactExec(user.exec) }),
  };
}

function redactProvider({ name, config }: KubeconfigAuthProvider): KubeconfigAuthProvider {
  const shown: Record<string, Secret> = {};
  for (const [key, value] of Object.entries(config ?? {})) setOwn(shown, key, isSecretName(key) ? hidden : value);
  return { ...(name !== undefined && { name }), ...(config !== undefined && { config: shown }) };
}

function redactExec(exec: KubeconfigExec): KubeconfigExec {
  return { ...withoutOther(exec), ...(exec.env !== undefined && { env: exec.env.map(({ name }) => ({ ...(name !== undefined && { name }), value: hidden })) }) };
}

function withoutOther<T extends { readonly other?: unknown }>({ other: _other, ...known }: T): Omit<T, "other"> {
  return known;
}
