/**
 * Asks a server whether it may be asked for protobuf. A server that is newer than our tables may have fields that they lack, and protobuf
 * does not name its fields: they would be lost silently. Such a server is asked for JSON.
 *
 *     GET /version → protobufSupport → true up to the version of the tables
 */
import { abortable, getOwn, isApiError, isJsonObject } from "@drover/machinery";
import type { Clock, Transport } from "@drover/machinery";
import { decodeBody, isResponseError, readAnswer } from "@drover/client";

/** Resolves with whether the server may be asked for protobuf. Rejects when it does not answer. */
export type ProtobufSupport = (newestMinor: number, signal: AbortSignal) => Promise<boolean>;

/** An answer is used for so long, so that all informers of a program that starts share one request. */
const answerMs = 10_000;

/** Returns the question to one server. */
export function protobufSupport(transport: Transport, clock: Clock): ProtobufSupport {
  let known: { readonly minor: Promise<number>; readonly askedMs: number } | undefined;
  return async (newestMinor, signal) => {
    const nowMs = clock.monotonic();
    if (known === undefined || nowMs - known.askedMs > answerMs) known = { minor: askMinor(transport), askedMs: nowMs };
    const asked = known;
    try {
      // One who leaves does not end the question of the others.
      return (await abortable(asked.minor, signal)) <= newestMinor;
    } catch (error) {
      signal.throwIfAborted();
      if (known === asked) known = undefined;
      if (isHidden(error)) return false;
      throw error;
    }
  };
}

/** Whether a server or proxy hides its version: it answered, but not with one. */
const isHidden = (error: unknown): boolean =>
  isApiError(error) || (isResponseError(error) && error.reason !== "unanswered" && error.reason !== "lost");

/** Resolves with the minor version of Kubernetes 1; Infinity for any other. */
async function askMinor(transport: Transport): Promise<number> {
  const about = { attempt: "get the server's version", method: "GET" };
  const answer = await readAnswer(transport, { method: "GET", path: "/version", headers: { accept: "application/json" } }, about);
  const document = decodeBody(answer, about);
  const [major, minor] = isJsonObject(document) ? [getOwn(document, "major"), getOwn(document, "minor")] : [];
  // Providers write "36+".
  return major === "1" && typeof minor === "string" && /^\d{1,4}\+?$/.test(minor) ? Number.parseInt(minor, 10) : Infinity;
}
