/**
 * Identifies a server, so that a snapshot of one cluster is never used for another: by the uid of the namespace kube-system, which every
 * cluster has and no two share. Programs that may not read it use their address instead.
 *
 *     GET /api/v1/namespaces/kube-system → uid, or the given text
 */
import { getOwn, isApiError, isJsonObject } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { decodeBody, readAnswer } from "@drover/client";

/** Resolves with the identity of a server. Rejects when the server does not answer. */
export type ServerIdentity = (signal: AbortSignal) => Promise<string>;

/** Answers that will be the same next time: the program may not read it, or the server has no such namespace. */
const finalCodes: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** Returns the question to one server, which is asked until it has answered once. @param address - used if the uid cannot be read */
export function serverIdentity(transport: Transport, address: string): ServerIdentity {
  let known: string | undefined;
  return async (signal) => (known ??= await askServer(transport, address, signal));
}

async function askServer(transport: Transport, address: string, signal: AbortSignal): Promise<string> {
  const about = { attempt: "get namespaces/kube-system", method: "GET", resource: { group: "", resource: "namespaces" } };
  const request = { method: "GET", path: "/api/v1/namespaces/kube-system", headers: { accept: "application/json" } };
  try {
    const document = decodeBody(await readAnswer(transport, request, about, { signal }), about);
    const metadata = isJsonObject(document) ? getOwn(document, "metadata") : undefined;
    const uid = isJsonObject(metadata) ? getOwn(metadata, "uid") : undefined;
    if (typeof uid === "string" && uid !== "") return `kube-system ${uid}`;
  } catch (error) {
    if (!isApiError(error) || !finalCodes.has(error.code)) throw error;
  }
  return `address ${address}`;
}
