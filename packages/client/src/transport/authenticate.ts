/**
 * Says who we are: adds the `authorization` header, and when the server refuses it, asks once for another.
 *
 *     CredentialSource → authenticate → requests with a header
 */
import type { HttpRequest, HttpResponse, Secret, Transport } from "@drover/machinery";
import type { CredentialSource } from "../auth/credential-source.ts";
import { dropBody } from "./dropped-body.ts";
import { isWhole } from "./guarded-body.ts";
import { login } from "./login.ts";
import type { Login, LoginOptions } from "./login.ts";
import { whileUnsent } from "./request-sent.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** A refusal is a short Status; of a longer body the connection is given up instead of read to its end. */
const refusalBytesMax = 64 * 1024;

/**
 * Adds the credential of `source` to every request that has none.
 *
 * Guarantees: an `authorization` header that is there already is sent as it is, and the source is not asked. After a 401 the source is
 * told; if it has another credential, or the client certificate of `tls` has been replaced, the request is sent once more with that, unless
 * its body was a stream, which cannot be sent again.
 * A refused request was not carried out, so this is safe for writes too. Rejects with the source's error when it has no credential.
 */
export function authenticate(source: CredentialSource, { tls }: Pick<LoginOptions, "tls"> = {}): TransportWrapper {
  return (next) => async (request) => {
    if (hasAuthorization(request)) return next(request);
    const options = { ...(request.signal === undefined ? {} : { signal: request.signal }), ...(tls === undefined ? {} : { tls }) };
    const shown = await whileUnsent(request, () => login(source, options));
    const response = await next(withHeader(request, shown.header));
    if (response.status !== 401) return response;
    const isReplaced = await whileUnsent(request, () => told(shown, response));
    if (!isReplaced || !isWhole(request.body)) return response;
    await dropBody(response, refusalBytesMax);
    request.signal?.throwIfAborted();
    return next(withHeader(request, (await whileUnsent(request, () => login(source, options))).header));
  };
}

async function told({ refused }: Login, response: HttpResponse): Promise<boolean> {
  try {
    return await refused();
  } catch (error) {
    await dropBody(response, refusalBytesMax);
    throw error;
  }
}

function hasAuthorization({ headers }: HttpRequest): boolean {
  return Object.hasOwn(headers, "authorization") && headers["authorization"] !== "";
}

function withHeader(request: HttpRequest, header: Secret | undefined): Parameters<Transport>[0] {
  return header === undefined ? request : { ...request, headers: { ...request.headers, authorization: header.reveal() } };
}
