/**
 * Why there is no response: what failed, whether the server may have received the request, and what to check.
 */
import { definedOnly, errorBrand, errorCode, errorText, errorsOf, isError } from "@drover/machinery";
import type { ProblemCode } from "@drover/machinery/codes";
import { transportCode } from "./transport-code.ts";

/**
 * - `refused` no listener; `unreachable` no route; `dns` unknown name
 * - `reset` the connection was reset; `aborted-by-peer` it was closed cleanly before the response was complete
 * - `timeout` see `timeout`; `tls` no trust or no handshake; `proxy` the proxy refused
 * - `garbage` the response is not HTTP, or its headers are too large; `too-large` the body exceeds its limit
 * - `invalid-request` it cannot be written as HTTP; `closed` this transport was closed; `other` see the cause
 */
export type TransportErrorReason =
  | "refused"
  | "unreachable"
  | "dns"
  | "reset"
  | "aborted-by-peer"
  | "timeout"
  | "tls"
  | "proxy"
  | "garbage"
  | "too-large"
  | "invalid-request"
  | "closed"
  | "other";

/** Which limit was exceeded: opening the connection, waiting for response headers, silence within the body, or a body left unread. */
export type TransportTimeout = "connect" | "headers" | "idle" | "unread";

/** Details of the failure besides its message. */
export interface TransportFailure {
  readonly reason: TransportErrorReason;
  /** "no" only if not a single byte of the request was written. */
  readonly sent: "no" | "maybe";
  /** With reason "timeout". */
  readonly timeout?: TransportTimeout;
  /** Whether the connection had carried other requests before, so that it may have been stale. */
  readonly reused?: boolean;
  /** Code of the system or the TLS library: "ECONNREFUSED", "CERT_HAS_EXPIRED". */
  readonly code?: string;
  readonly cause?: unknown;
}

const brand = errorBrand<TransportError>("TransportError");

/** The connection failed or could not be opened. The message names host and port and never contains a credential. */
export class TransportError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "TransportError";
  readonly reason: TransportErrorReason;
  readonly sent: "no" | "maybe";
  readonly timeout: TransportTimeout | undefined;
  readonly reused: boolean;
  readonly code: string | undefined;
  readonly problemCode: ProblemCode | undefined;

  constructor(message: string, { reason, sent, timeout, reused = false, code, cause }: TransportFailure) {
    super(message, definedOnly({ cause }));
    this.reason = reason;
    this.sent = sent;
    this.timeout = timeout;
    this.reused = reused;
    this.code = code;
    this.problemCode = transportCode(reason, code);
  }
}

/** Reports whether the error is a `TransportError`, also one of another copy of this package. */
export function isTransportError(error: unknown): error is TransportError {
  return brand.is(error);
}

/** A classified system error. */
export interface ClassifiedError {
  readonly reason: TransportErrorReason;
  readonly code?: string;
  /** A predicate for the message: "refused the connection". */
  readonly what: string;
}

const systemCodes: ReadonlyMap<string, readonly [TransportErrorReason, string]> = new Map([
  ["ECONNREFUSED", ["refused", "refused the connection (is the server running, and is this its port?)"]],
  ["ECONNRESET", ["reset", "reset the connection"]],
  ["EPIPE", ["reset", "reset the connection"]],
  ["ECONNABORTED", ["reset", "reset the connection"]],
  ["ERR_STREAM_PREMATURE_CLOSE", ["aborted-by-peer", "closed the connection before the response was complete"]],
  ["ETIMEDOUT", ["unreachable", "cannot be reached (no response to the attempt to connect)"]],
  ["EHOSTUNREACH", ["unreachable", "cannot be reached (no route to the host)"]],
  ["ENETUNREACH", ["unreachable", "cannot be reached (no route to the network)"]],
  ["EADDRNOTAVAIL", ["unreachable", "cannot be reached (no local address left to connect from)"]],
  ["EMFILE", ["other", "cannot be reached (this process has too many files open)"]],
  ["ENOTFOUND", ["dns", "is not a known name (check the host in the server's address)"]],
  ["EAI_AGAIN", ["dns", "could not be resolved (the name server does not respond)"]],
  ["ENODATA", ["dns", "has no address"]],
]);

const tlsCodes: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "its certificate has expired; it must be renewed on the server"],
  ["CERT_NOT_YET_VALID", "its certificate is not yet valid; compare the clocks of both machines"],
  ["CERT_REVOKED", "its certificate has been revoked"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is signed by an authority we do not trust; check certificate-authority"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed; add it, or its authority, to certificate-authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is signed by an authority we do not trust; check certificate-authority"],
  ["UNABLE_TO_GET_ISSUER_CERT", "its certificate is signed by an authority we do not trust; check certificate-authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate is signed by an authority we do not trust; check certificate-authority"],
  ["CERT_SIGNATURE_FAILURE", "its certificate is not signed by the authority of that name; certificate-authority may be an old one"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name; check the server's address or set tls-server-name"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "it does not speak TLS on this port; check http and https in the server's address"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "it offers no TLS version we accept; 1.2 is the oldest"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "it offers no TLS version we accept; 1.2 is the oldest"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "it requires a client certificate; set client-certificate and client-key"],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "it does not accept our client certificate"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "it does not trust the authority of our client certificate"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "our client certificate has expired"],
]);

/** Classifies the error of a socket, a handshake or an HTTP parser. */
export function classifyError(error: unknown): ClassifiedError {
  const code = codeOf(error);
  const system = systemCodes.get(code);
  if (system !== undefined) return { reason: system[0], code, what: system[1] };
  const tls = tlsCodes.get(code);
  if (tls !== undefined) return { reason: "tls", code, what: `failed the TLS handshake: ${tls}` };
  if (/^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|ERR_OSSL_|EPROTO$)/.test(code))
    return { reason: "tls", code, what: `failed the TLS handshake (${code})` };
  if (code === "HPE_HEADER_OVERFLOW") return { reason: "garbage", code, what: "answered with headers that are larger than allowed" };
  if (code.startsWith("HPE_")) return { reason: "garbage", code, what: `answered with something that is not HTTP (${code})` };
  if (/^ERR_HTTP2_(?:STREAM_ERROR|SESSION_ERROR|INVALID_SESSION|INVALID_STREAM|GOAWAY_SESSION)$/.test(code))
    return { reason: "reset", code, what: `reset the request (${textOf(error)})` };
  if (/^(?:ERR_INVALID_|ERR_UNESCAPED_|ERR_HTTP_|ERR_HTTP2_)/.test(code))
    return { reason: "invalid-request", code, what: `got no request: ${textOf(error)}` };
  if (code.startsWith("Z_")) return { reason: "garbage", code, what: `answered with a body that cannot be decompressed (${code})` };
  return { reason: "other", ...(code === "" ? {} : { code }), what: `failed: ${textOf(error)}` };
}

/** More addresses than a name has. */
const addressesMax = 1000;

function codeOf(error: unknown): string {
  // Several addresses were tried: report the last failure.
  return errorCode(errorsOf(error, addressesMax).at(-1) ?? error) ?? "";
}

const textOf = (error: unknown): string => (isError(error) ? errorText(error) : "unknown");
