/**
 * The kubeconfig of a `drover up` server, and how such a file is recognised: by an extension, because kubectl keeps
 * extensions but not comments when it rewrites a file (`kubectl config set-context`).
 */
import { isKubeconfigError, parseKubeconfig, printKubeconfig } from "@drover/client";
import { isJsonObject, Secret } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { LocalServer } from "./local-server.ts";

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

/** Returns the process whose `drover up` wrote this text; undefined if none did. */
export function writerOf(text: string): number | undefined {
  for (const { extension } of extensionsOf(text)) {
    const value = extension?.reveal();
    if (isJsonObject(value) && typeof value["pid"] === "number") return value["pid"];
  }
  return undefined;
}

function extensionsOf(text: string): readonly { readonly name: string; readonly extension?: Secret<JsonValue> }[] {
  try {
    return parseKubeconfig(text)
      .clusters.flatMap(({ cluster }) => cluster.extensions ?? [])
      .filter((extension) => extension.name === name);
  } catch (error) {
    if (isKubeconfigError(error)) return [];
    throw error;
  }
}
