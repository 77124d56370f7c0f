/**
 * The kubeconfig of a server that `drover up` has started, and how such a file is known again. kubectl may have written
 * it anew since (`kubectl config
 * set-context`), and it keeps extensions but not comments; so that is where we sign.
 */
import { isKubeconfigError, parseKubeconfig, printKubeconfig } from "@drover/client";
import { isJsonObject, Secret } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { LocalServer } from "./local-server.ts";

/** What the cluster, its user and its context are called. */
const name = "drover";

/** The text for an administrator of the server. @param pid - the process the server lives in */
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

/** The process whose `drover up` wrote this text; undefined when none did. */
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
