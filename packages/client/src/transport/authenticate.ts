/**
 * Says who we are: adds the `authorization` header, and when the server refuses it, asks once for another.
 *
 *     CredentialSource → authenticate → requests with a header
 */
import type { HttpBody, HttpRequest, HttpResponse, Secret, Transport } from "@drover/machinery";
import type { CredentialSource } from "../auth/credential-source.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** A refusal is a short Status; of a longer body the connection is given up instead of read to its end. */
const refusalBytesMax = 64 * 1024;

/**
 * Adds the credential of `source` to every request that has none.
 *
 * Guarantees: an `authorization` header that is there already is sent as it is, and the source is not asked. After a 401 the source is
 * told; if it has another credential, the request is sent once more with that, unless its body was a stream, which cannot be sent again.
 * A refused request was not carried out, so this is safe for writes too. Rejects with the source's error when it has no credential.
 */
export function authenticate(source: CredentialSource): TransportWrapper {
  return (next) => async (request) => {
    if (hasAuthorization(request)) return next(request);
    const wait = request.signal === undefined ? {} : { signal: request.signal };
    const header = await source.header(wait);
    const response = await next(withHeader(request, header));
    if (response.status !== 401) return response;
    const isReplaced = await told(source, header, response, wait);
    if (!isReplaced || !canBeSentAgain(request.body)) return response;
    await discard(response.body);
    request.signal?.throwIfAborted();
    return next(withHeader(request, await source.header(wait)));
  };
}

async function told(source: CredentialSource, header: Secret | undefined, response: HttpResponse, wait: { readonly signal?: AbortSignal }): Promise<boolean> {
  try {
    return await source.refused(header, wait);
  } catch (error) {
    await discard(response.body);
    throw error;
  }
}

function hasAuthorization({ headers }: HttpRequest): boolean {
  return Object.hasOwn(headers, "authorization") && headers["authorization"] !== "";
}

function withHeader(request: HttpRequest, header: Secret | undefined): Parameters<Transport>[0] {
  return header === undefined ? request : { ...request, headers: { ...request.headers, authorization: header.reveal() } };
}

function canBeSentAgain(body: HttpBody | undefined): boolean {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

/** Reads what is left, so that the connection can be used again. What goes wrong here concerns nobody any more. */
async function discard(body: HttpBody): Promise<void> {
  if (typeof body === "string" || body instanceof Uint8Array) return;
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > refusalBytesMax) return;
    }
  } catch {
    // The answer is known; its end is not needed.
  }
}
