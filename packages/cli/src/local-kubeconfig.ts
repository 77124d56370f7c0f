/**
 * The kubeconfig of a `drover up` server, and how such a file is recognised: by an extension, because kubectl keeps
 * extensions but not comments when it rewrites a file (`kubectl config set-context`).
 */
import { isKubeconfigError, parseKubeconfig, printKubeconfig } from "@drover/client";
import type { Kubeconfig } from "@drover/client";
import { isJsonObject, Secret } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { LocalServer } from "./local-server.ts";
import type { ServerAddress } from "./still-serving.ts";

/** Name of cluster, user and context. */
const name = "drover";

/** Returns the kubeconfig of the server's administrator. @param pid - process of the server */
export function localKubeconfig({ url, authorityPem, admin }: Pick<LocalServer, "url" | "authorityPem" | "admin">, pid: number): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return printKubeconfig({
    clusters: [
      {
        name,
        cluster: {
          server: url,
          "certificate-authority-data": base64(authorityPem),
          extensions: [{ name, extension: new Secret<JsonValue>({ pid }) }],
        },
      },
    ],
    users: [
      {
        name,
        user: {
          "client-certificate-data": new Secret(base64(admin.certificatePem)),
          "client-key-data": new Secret(base64(admin.privateKeyPem)),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
    extensions: [],
  });
}

/** The `drover up` that wrote a kubeconfig. */
export interface KubeconfigWriter extends ServerAddress {
  /** For messages: another program may have the number by now. */
  readonly pid: number;
}

/**
 * Returns the `drover up` that wrote this text; undefined if none did, or if another cluster or user was added since:
 * then the file is the user's.
 */
export function writerOf(text: string): KubeconfigWriter | undefined {
  const { clusters, users } = parse(text) ?? { clusters: [], users: [] };
  const [only, ...others] = clusters;
  if (only === undefined || others.length > 0 || users.some((user) => user.name !== name)) return undefined;
  const { server = "", extensions = [], "certificate-authority-data": authority = "" } = only.cluster;
  const value = extensions.find((extension) => extension.name === name)?.extension?.reveal();
  if (!isJsonObject(value) || typeof value["pid"] !== "number") return undefined;
  return { pid: value["pid"], url: server, authorityPem: Buffer.from(authority, "base64").toString() };
}

function parse(text: string): Kubeconfig | undefined {
  try {
    return parseKubeconfig(text);
  } catch (error) {
    if (isKubeconfigError(error)) return undefined;
    throw error;
  }
}
