/**
 * `CallWebhook` over sockets: HTTPS with kept-alive connections. Errors read like those of Go's HTTP client.
 *
 *     WebhookCall → node:https → WebhookReply, or a WebhookFailure
 */
import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { errorText } from "@drover/machinery";
import type { CallWebhook, WebhookCall, WebhookReply } from "../webhook/webhook-call.ts";
import { responseTooLarge, WebhookFailure } from "../webhook/webhook-call.ts";

/** Idle connections kept per webhook, and for how long; Go keeps one for 90 s. */
const idleMax = 8;
const idleMs = 60_000;

/** Returns a function that sends calls over connections of its own. Idle connections do not keep the process alive. */
export function webhookSockets(): CallWebhook {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: idleMax, timeout: idleMs, maxCachedSessions: 100 });
  return async (call) => {
    for (;;) {
      try {
        return await exchange(agent, call);
      } catch (error) {
        // The webhook has closed an idle connection and has not seen the request. Each attempt uses up one such connection; a new
        // connection is never stale.
        if (error instanceof StaleConnection) continue;
        call.signal.throwIfAborted();
        // Anything else is a URL or a certificate that Node refuses.
        throw error instanceof WebhookFailure ? error : new WebhookFailure(errorText(error));
      }
    }
  };
}

/** A reused connection ended before the response. */
class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

function exchange(agent: Agent, { url, connectTo, caBundle, body, responseBytesMax, signal }: WebhookCall): Promise<WebhookReply> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search, host } = new URL(url);
    const serverName = hostname.replace(/^\[(.*)\]$/, "$1");
    const [toHost, toPort] = connectTo === undefined ? [serverName, Number(port || 443)] : [connectTo.host, connectTo.port];
    const sent = request(
      {
        agent,
        host: toHost,
        port: toPort,
        // An address is not a name; Node then compares the certificate with the host.
        servername: isIP(serverName) === 0 ? serverName : "",
        // As Go does, every certificate of the bundle is trusted, not only those of authorities that sign themselves.
        ...(caBundle === undefined ? {} : { ca: caBundle, allowPartialTrustChain: true }),
        method: "POST",
        path: `${pathname}${search}`,
        headers: {
          host,
          "content-type": "application/json",
          accept: "application/json, */*",
          "user-agent": "drover-apiserver",
          "content-length": Buffer.byteLength(body),
        },
        signal,
      },
      (response) => {
        readBody(response, responseBytesMax, signal).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: text }),
          reject,
        );
      },
    );
    sent.on("error", (error: NodeError) => {
      if (signal.aborted) reject(signal.reason);
      else if (sent.reusedSocket && isEnd(error)) reject(new StaleConnection(error.message));
      else reject(new WebhookFailure(goText(error, joined(toHost, toPort), serverName)));
    });
    sent.end(body);
  });
}

async function readBody(response: IncomingMessage, bytesMax: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    const why = isEnd(error as NodeError) ? "unexpected EOF" : goText(error as NodeError, "", "");
    throw new WebhookFailure(`unexpected error when reading response body. Please retry. Original error: ${why}`, { hasResponse: true });
  }
  if (bytes > bytesMax) {
    response.destroy();
    throw responseTooLarge(bytesMax);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const headersOf = ({ headers }: IncomingMessage): WebhookReply["headers"] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

interface NodeError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

const ends: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);
const isEnd = ({ code = "" }: NodeError): boolean => ends.has(code);

const joined = (host: string, port: number): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_UNTRUSTED",
]);

/** The error of a connection in the words of Go. */
function goText(error: NodeError, address: string, serverName: string): string {
  const { code = "", message } = error;
  const invalid = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;
  if (code === "ECONNREFUSED") return `dial tcp ${address}: connect: connection refused`;
  if (code === "EHOSTUNREACH") return `dial tcp ${address}: connect: no route to host`;
  if (code === "ENETUNREACH") return `dial tcp ${address}: connect: network is unreachable`;
  if (code === "ETIMEDOUT") return `dial tcp ${address}: i/o timeout`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `dial tcp: lookup ${address.replace(/:\d+$/, "")}: no such host`;
  if (untrusted.has(code)) return invalid("certificate signed by unknown authority");
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") return invalid("certificate has expired or is not yet valid");
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return invalid(namesText(error, serverName));
  // The code differs between versions of Node.
  if (/wrong version number|packet length too long/.test(message)) return "http: server gave HTTP response to HTTPS client";
  if (isEnd(error)) return "EOF";
  return message;
}

/**
 * Says for what a certificate is valid, from the reason that Node gives: "Host: c. is not in the cert's altnames: DNS:a, DNS:b", or
 * "IP: 1.2.3.4 is not in the cert's list: 5.6.7.8".
 */
function namesText({ reason = "" }: NodeError, serverName: string): string {
  const [, names = ""] = /(?:altnames|list): (.*)$/.exec(reason) ?? [];
  const listed = names.split(", ").filter((name) => name !== "");
  if (isIP(serverName) !== 0)
    return listed.length === 0
      ? `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`
      : `certificate is valid for ${listed.join(", ")}, not ${serverName}`;
  const valid = listed.flatMap((name) => (name.startsWith("DNS:") ? [name.slice("DNS:".length)] : []));
  return valid.length === 0
    ? `certificate is not valid for any names, but wanted to match ${serverName}`
    : `certificate is valid for ${valid.join(", ")}, not ${serverName}`;
}
