/** Authentication with a real server, for tests that need a user other than its administrator. */
import { Secret, ServiceAccount } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import type { RealServer } from "./real-server.ts";

/** The text of a kubeconfig for a server with the given user. */
export function kubeconfigText({ url, ca }: Pick<RealServer, "url" | "ca">, namespace: string, user: object): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace } }],
    clusters: [{ name: "c", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name: "u", user }],
  });
}

/** A token of a service account that is valid as long as its Secret exists: deleting the Secret revokes the token. */
export async function tokenBoundTo(client: Client, account: string, secret: string): Promise<string> {
  const {
    metadata: { uid = "" },
  } = await client.create(Secret, { metadata: { name: secret } });
  const { status } = await client.resource(ServiceAccount).token.create(account, {
    spec: { audiences: ["https://127.0.0.1"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: secret, uid } },
  });
  return status?.token ?? "";
}
