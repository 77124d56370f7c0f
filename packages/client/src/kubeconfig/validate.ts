/**
 * Validates a kubeconfig and reports every problem at once, each with file, entry and fix.
 *
 *     Kubeconfig → validateKubeconfig → problems
 *     ContextSelection → validateSelection → problems of what one context needs
 */
import { checkDns1123Label } from "@drover/machinery";
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { describeEntry, quoted, shortPath } from "./kubeconfig-error.ts";
import { findEntry, isEmptyKubeconfig } from "./kubeconfig.ts";
import type { ClusterEntry, ContextEntry, Kubeconfig, KubeconfigExec, KubeconfigUser, UserEntry } from "./kubeconfig.ts";
import { isGiven } from "./overrides.ts";
import type { ContextSelection } from "./overrides.ts";
import { serverProblem } from "./server-url.ts";

/** The problem of an empty kubeconfig. */
export const noConfiguration = "no configuration has been provided: set KUBECONFIG, write ~/.kube/config, or name a server";

/** Returns the problems of all entries, also of unused ones. Opens the files that entries name. */
export async function validateKubeconfig(host: Host, config: Kubeconfig): Promise<string[]> {
  if (isEmptyKubeconfig(config)) return [noConfiguration];
  const current = config["current-context"];
  const dangling =
    current !== "" && findEntry(config.contexts, current) === undefined
      ? [`current-context: there is no context ${quoted(current)}; use an existing one, or add it`]
      : [];
  const known = { clusters: new Set(config.clusters.map(({ name }) => name)), users: new Set(config.users.map(({ name }) => name)) };
  const ofContexts = config.contexts.flatMap((entry) => [...contextProblems(host, entry), ...referenceProblems(host, entry, known)]);
  const ofUsers = await Promise.all(config.users.map((entry) => userProblems(host, entry)));
  const ofClusters = await Promise.all(config.clusters.map((entry) => clusterProblems(host, entry)));
  return [...dangling, ...ofContexts, ...ofUsers.flat(), ...ofClusters.flat()];
}

/** Returns the problems that prevent the use of one context; problems of other entries do not count. */
export async function validateSelection(host: Host, { context, cluster, user }: ContextSelection): Promise<string[]> {
  const ofContext = context.name === "" ? [] : contextProblems(host, context);
  return [...ofContext, ...(await userProblems(host, user)), ...(await clusterProblems(host, cluster))];
}

function contextProblems(host: Host, entry: ContextEntry): string[] {
  const { namespace = "" } = entry.context;
  const at = describeEntry("contexts", entry, host.homeDir);
  return [
    ...(entry.name === "" ? [`${at}: has no name; give it one`] : []),
    ...(namespace !== "" && checkDns1123Label(namespace).length > 0
      ? [`${at}: namespace ${quoted(namespace)} is not a valid name of a namespace; use lower-case letters, digits and dashes`]
      : []),
  ];
}

function referenceProblems(
  host: Host,
  entry: ContextEntry,
  { clusters, users }: { readonly clusters: ReadonlySet<string>; readonly users: ReadonlySet<string> },
): string[] {
  const { cluster = "", user = "" } = entry.context;
  const at = describeEntry("contexts", entry, host.homeDir);
  const check = (what: string, name: string, names: ReadonlySet<string>): string[] => {
    if (name === "") return [`${at}: names no ${what}; add ${what}: with the name of one`];
    return names.has(name) ? [] : [`${at}: there is no ${what} ${quoted(name)}; use an existing one, or add it`];
  };
  return [...check("user", user, users), ...check("cluster", cluster, clusters)];
}

async function clusterProblems(host: Host, entry: ClusterEntry): Promise<string[]> {
  const { cluster } = entry;
  const at = describeEntry("clusters", entry, host.homeDir);
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`${at}: ${problem}`);
  const server = cluster.server ?? "";
  const problem = server === "" ? "has no server; add server: https://host:port" : serverProblem(server);
  if (problem !== undefined) say(problem);
  const proxy = cluster["proxy-url"]?.reveal() ?? "";
  // Not quoted: it may contain the proxy's password.
  if (proxy !== "" && !isProxyUrl(proxy)) say("proxy-url must be a URL that begins with http://, https:// or socks5://");
  const ca = cluster["certificate-authority"] ?? "";
  const caData = cluster["certificate-authority-data"] ?? "";
  if (ca !== "" && caData !== "") say("certificate-authority and certificate-authority-data are both set; remove one");
  if (cluster["insecure-skip-tls-verify"] === true && (ca !== "" || caData !== "")) {
    say("insecure-skip-tls-verify: true together with a certificate authority; remove one, best the insecure-skip-tls-verify");
  }
  await checkReadable(host, ca, "certificate-authority", say);
  return problems;
}

async function userProblems(host: Host, entry: UserEntry): Promise<string[]> {
  const { user } = entry;
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`${describeEntry("users", entry, host.homeDir)}: ${problem}`);
  await checkCertificate(host, user, say);
  if (user.exec !== undefined) checkExec(user.exec, say);
  if (user.exec !== undefined && user["auth-provider"] !== undefined)
    say("exec and auth-provider are both set; remove auth-provider, which is the older of the two");
  const methods = [
    ...(isGiven(user.token) ? ["token"] : isGiven(user.tokenFile) ? ["tokenFile"] : []),
    ...(isGiven(user.username) || isGiven(user.password) ? ["username and password"] : []),
  ];
  if (methods.length > 1) say(`${methods.join(" and ")} are both set; only one authentication method is allowed, remove the others`);
  const hasExtra = isGiven(user["as-uid"]) || (user["as-groups"] ?? []).length > 0 || Object.keys(user["as-user-extra"] ?? {}).length > 0;
  if (hasExtra && !isGiven(user.as)) say("as-uid, as-groups or as-user-extra without as; set as to the user to impersonate");
  return problems;
}

async function checkCertificate(host: Host, user: KubeconfigUser, say: (problem: string) => void): Promise<void> {
  const { "client-certificate": file, "client-certificate-data": data, "client-key": keyFile, "client-key-data": keyData } = user;
  if (!isGiven(file) && !isGiven(data)) return;
  if (isGiven(file) && isGiven(data)) say("client-certificate and client-certificate-data are both set; remove one");
  if (isGiven(keyFile) && isGiven(keyData)) say("client-key and client-key-data are both set; remove one");
  if (!isGiven(keyFile) && !isGiven(keyData)) say("a client certificate without its key; add client-key or client-key-data");
  await checkReadable(host, file, "client-certificate", say);
  await checkReadable(host, keyFile, "client-key", say);
}

function checkExec({ command, apiVersion = "", env = [], interactiveMode = "" }: KubeconfigExec, say: (problem: string) => void): void {
  if (!isGiven(command)) say("exec has no command; name the program to run");
  if (apiVersion === "") say("exec has no apiVersion; add apiVersion: client.authentication.k8s.io/v1, or the one the program supports");
  if (env.some(({ name }) => !isGiven(name))) say("exec.env has a variable without a name");
  // Optional before v1.
  if (interactiveMode === "" && !apiVersion.endsWith("/v1beta1") && !apiVersion.endsWith("/v1alpha1"))
    say("exec has no interactiveMode; add Never, IfAvailable or Always");
  else if (!["", "Never", "IfAvailable", "Always"].includes(interactiveMode))
    say(`exec.interactiveMode is ${quoted(interactiveMode)}; it must be Never, IfAvailable or Always`);
}

async function checkReadable(host: Host, path: string | undefined, field: string, say: (problem: string) => void): Promise<void> {
  if (path === undefined || path === "") return;
  try {
    await host.readFile(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why =
      error.reason === "missing"
        ? "does not exist; check the path"
        : error.reason === "denied"
          ? "is not readable by this user; check its owner and mode"
          : error.reason === "not-a-file"
            ? "is not a regular file; use a file"
            : "cannot be read";
    say(`${field}: ${shortPath(path, host.homeDir)} ${why}`);
  }
}

function isProxyUrl(text: string): boolean {
  return /^(?:https?|socks5):\/\//i.test(text) && URL.canParse(text);
}
