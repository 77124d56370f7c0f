/** A listener with TLS and HTTP/2 clients for tests. */
import { once } from "node:events";
import { connect } from "node:http2";
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  SecureClientSessionOptions,
} from "node:http2";
import type { Transport } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import { certificateAuthority } from "@drover/machinery/x509";
import { listen } from "../listener.ts";
import type { Listener } from "../listener.ts";
import type { ListenOptions } from "../listen-options.ts";
import { nodeCrypto } from "@drover/machinery/node";

export interface Http2Server extends Listener {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly authorityPem: string;
  readonly open: (options?: SecureClientSessionOptions) => Promise<ClientHttp2Session>;
  /** Begins the shutdown; resolves when it is over. */
  readonly end: () => Promise<void>;
}

/** Starts a listener with a certificate of its own, on a manual clock. */
export async function startHttp2(handle: Transport, options: Partial<ListenOptions> = {}): Promise<Http2Server> {
  const clock = new ManualClock();
  const log = recordingLog(clock);
  const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
  const tls = authority.issue({ commonName: "server", dnsNames: ["localhost"], ips: ["127.0.0.1"], usage: "server" });
  const listener = await listen({
    connection: () => handle,
    tls: { ...tls, clientAuthorityPem: authority.certificatePem },
    clock,
    log,
    ...options,
  });
  const control = new AbortController();
  const ended = listener.run(control.signal);
  return {
    ...listener,
    clock,
    log,
    authorityPem: authority.certificatePem,
    open: async (given = {}) => {
      const session = connect(listener.url, { ca: authority.certificatePem, ...given });
      session.on("error", () => undefined);
      await once(session, "remoteSettings");
      return session;
    },
    end: () => {
      control.abort();
      return ended;
    },
  };
}

export interface Http2Answer {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Why the stream was closed: 0 without an error. */
  readonly code: number;
}

/** Sends a request and resolves when its stream is closed. */
export async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Uint8Array): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return await answerOn(stream);
}

/** Resolves when the stream is closed. */
export async function answerOn(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let head: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  stream
    .on("error", () => undefined)
    .on("response", (headers) => void (head = headers))
    .on("data", (chunk: Buffer) => void chunks.push(chunk));
  if (!stream.closed) await new Promise<void>((resolve) => void stream.on("close", () => resolve()));
  return {
    status: Number(head[":status"] ?? 0),
    headers: head,
    text: Buffer.concat(chunks).toString(),
    code: stream.rstCode,
  };
}
