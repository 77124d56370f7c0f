/**
 * Adds the `authorization` header, and tries once more with another credential if the server rejects it.
 *
 *     CredentialSource → authenticate → requests with a header
 */
import type { HttpRequest, HttpResponse, Secret, Transport } from "@drover/machinery";
import type { CredentialSource } from "../auth/credential-source.ts";
import { dropBody } from "./dropped-body.ts";
import { isWhole } from "./guarded-body.ts";
import { freshLogin, login } from "./login.ts";
import type { Login, LoginOptions } from "./login.ts";
import { whileUnsent } from "./request-sent.ts";
import type { TransportWrapper } from "./wrapper.ts";

/** A rejection is a short Status; if the body is longer, the connection is dropped instead of read to its end. */
const refusalBytesMax = 64 * 1024;

/**
 * Adds the credential of `source` to every request that has none.
 *
 * Guarantees: an existing `authorization` header is sent unchanged, without calling the source. After a 401 the source is
 * notified; if it has another credential, or the client certificate of `tls` was replaced, the request is sent once more,
 * unless its body is a stream, which cannot be sent twice. The server did not execute a rejected request, so this is safe
 * for writes. Rejects with the source's error if it has no credential.
 */
export function authenticate(source: CredentialSource, { tls }: Pick<LoginOptions, "tls"> = {}): TransportWrapper {
  return (next) => async (request) => {
    if (hasAuthorization(request)) return next(request);
    const options = { ...(request.signal === undefined ? {} : { signal: request.signal }), ...(tls === undefined ? {} : { tls }) };
    const shown = freshLogin(source, options) ?? (await whileUnsent(request, () => login(source, options)));
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
