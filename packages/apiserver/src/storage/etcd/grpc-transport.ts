/**
 * Sockets to one endpoint of etcd, by the package `@grpc/grpc-js`, which is loaded when a program first uses etcd.
 *
 *     connectEtcd({ endpoints, tls }) → EtcdTransport[]
 */
import { createRequire } from "node:module";
import { budget, errorCode, errorText } from "@drover/machinery";
import type { Budget, Clock } from "@drover/machinery";
import type * as Grpc from "@grpc/grpc-js";
import { EtcdAddressError, EtcdError, grpcCode } from "./etcd-transport.ts";
import type { EtcdCallOptions, EtcdStream, EtcdStreamOptions, EtcdTransport } from "./etcd-transport.ts";

/** Files in PEM. */
export interface EtcdTls {
  /** Authorities that etcd's certificate must come from. @default those of Node */
  readonly ca?: string;
  /** A client certificate; needs `key`. @default none */
  readonly certificate?: string;
  /** The key of the certificate. @default none */
  readonly key?: string;
}

const connectTime: Budget = budget({
  name: "apiserver/etcd-connect-time",
  limit: 5000,
  unit: "milliseconds",
  atLimit: "The endpoint of etcd counts as unreachable, and the request goes to the next one.",
  uncounted: "The request that waits gets the error if no endpoint answers.",
});
/** etcd's own limit on a request is 1.5 MiB; a page of a list can be larger, and is read again in smaller pages when it exceeds this. */
const messageBytes: Budget = budget({
  name: "apiserver/etcd-message",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "A page of a list is read again with half as many keys; another message fails the call.",
  uncounted: "Lists continue in smaller pages.",
});

/** Connects when a call needs it. Throws an `EtcdAddressError` if the package `@grpc/grpc-js` is missing or an address is not usable. */
export function connectEtcd(
  endpoints: readonly string[],
  { clock, tls = {} }: { readonly clock: Clock; readonly tls?: EtcdTls },
): readonly EtcdTransport[] {
  const addresses = endpoints.map((endpoint) => addressOf(endpoint));
  if (addresses.length === 0) throw new EtcdAddressError("no endpoint of etcd is given; write one such as http://127.0.0.1:2379");
  const secure = addresses.filter(({ isSecure }) => isSecure).length;
  if (secure > 0 && secure < addresses.length) throw new EtcdAddressError("endpoints of etcd must be all https or all http");
  if (secure === 0 && Object.values(tls).some((file) => file !== undefined))
    throw new EtcdAddressError("certificates are given for etcd, but its endpoints are http; write https://");
  if ((tls.certificate === undefined) !== (tls.key === undefined))
    throw new EtcdAddressError("a client certificate for etcd needs both the certificate and its key");
  const grpc = loadGrpc();
  const credentials = secure === 0 ? grpc.credentials.createInsecure() : secureCredentials(grpc, tls);
  return addresses.map(
    ({ endpoint, target }) => new GrpcTransport(grpc, clock, endpoint, new grpc.Client(target, credentials, channelOptions)),
  );
}

/** By `require`, because the command `drover` runs from compiled code, which cannot import. */
function loadGrpc(): typeof Grpc {
  try {
    return createRequire(import.meta.url)("@grpc/grpc-js") as typeof Grpc;
  } catch (error) {
    if (errorCode(error) !== "MODULE_NOT_FOUND") throw error;
    throw new EtcdAddressError("a store on etcd needs the package @grpc/grpc-js, which is not installed; run: npm install @grpc/grpc-js", {
      cause: error,
    });
  }
}

function secureCredentials(grpc: typeof Grpc, { ca, certificate, key }: EtcdTls): Grpc.ChannelCredentials {
  const bytes = (pem: string | undefined): Buffer | null => (pem === undefined ? null : Buffer.from(pem));
  try {
    return grpc.credentials.createSsl(bytes(ca), bytes(key), bytes(certificate));
  } catch (error) {
    throw new EtcdAddressError(`the certificates for etcd cannot be used: ${errorText(error)}`, { cause: error });
  }
}

interface Address {
  readonly endpoint: string;
  readonly isSecure: boolean;
  /** As gRPC wants it. */
  readonly target: string;
}

function addressOf(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.pathname.length > 1 || url.username !== "")
    throw new EtcdAddressError(`"${text}" is not the address of an etcd; write one such as http://127.0.0.1:2379`);
  const port = url.port === "" ? "2379" : url.port;
  return { endpoint: `${url.protocol}//${url.hostname}:${port}`, isSecure: url.protocol === "https:", target: `${url.hostname}:${port}` };
}

const channelOptions: Readonly<Record<string, number>> = {
  // kube-apiserver's: a dead connection is noticed within 40 seconds.
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.max_receive_message_length": messageBytes.limit,
  "grpc.max_send_message_length": messageBytes.limit,
  // The client decides about repetitions: a library must not repeat writes.
  "grpc.enable_retries": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2000,
  // Two stores in one process share no connection.
  "grpc.use_local_subchannel_pool": 1,
};

const asIs = (message: Uint8Array): Buffer => Buffer.from(message.buffer, message.byteOffset, message.byteLength);

class GrpcTransport implements EtcdTransport {
  readonly endpoint: string;
  readonly #grpc: typeof Grpc;
  readonly #client: Grpc.Client;
  readonly #clock: Clock;
  /** Shared by all calls that wait for a connection. */
  #connecting: Promise<void> | undefined;

  constructor(grpc: typeof Grpc, clock: Clock, endpoint: string, client: Grpc.Client) {
    this.endpoint = endpoint;
    this.#grpc = grpc;
    this.#clock = clock;
    this.#client = client;
  }

  readonly call = async (method: string, message: Uint8Array, { token, timeoutMs }: EtcdCallOptions): Promise<Uint8Array> => {
    // A failure to connect differs from a failure after the request was sent.
    await this.#connected();
    return await new Promise<Uint8Array>((resolve, reject) => {
      const call = this.#client.makeUnaryRequest<Uint8Array, Uint8Array>(
        `/${method}`,
        asIs,
        (bytes) => bytes,
        message,
        this.#metadata(token),
        (error, answer) => {
          cancelTimer();
          if (error !== null) reject(this.#failure(error));
          else if (answer === undefined) reject(new EtcdError(grpcCode.internal, `${this.endpoint} sent no answer`, { isSent: true }));
          else resolve(answer);
        },
      );
      const cancelTimer = this.#clock.timer(timeoutMs, () => {
        reject(new EtcdError(grpcCode.deadlineExceeded, `no answer within ${timeoutMs} ms`, { isSent: true }));
        call.cancel();
      });
    });
  };

  readonly open = (method: string, { token, signal }: EtcdStreamOptions): EtcdStream => {
    const metadata = this.#metadata(token);
    // A member without a leader would leave the stream silent.
    metadata.set("hasleader", "true");
    const stream = this.#client.makeBidiStreamRequest<Uint8Array, Uint8Array>(`/${method}`, asIs, (bytes) => bytes, metadata);
    const cancel = (): void => stream.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    const failure = (error: unknown): unknown => (signal.aborted ? signal.reason : this.#failure(error as Grpc.ServiceError));
    return {
      send: (message) => void stream.write(message),
      [Symbol.asyncIterator]: () =>
        received(stream, failure, () => {
          signal.removeEventListener("abort", cancel);
          cancel();
        }),
    };
  };

  readonly close = (): void => this.#client.close();

  async #connected(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    const connecting = this.#connecting;
    await new Promise<void>((resolve, reject) => {
      const fail = (cause?: unknown): void =>
        reject(new EtcdError(grpcCode.unavailable, `no connection to etcd at ${this.endpoint}`, { isSent: false, cause }));
      const cancel = this.#clock.timer(connectTime.limit, fail);
      connecting.then(resolve, fail).finally(cancel);
    });
  }

  /** Fails at once when the endpoint refuses the connection; the library tries again by itself meanwhile. */
  #connect(): Promise<void> {
    const channel = this.#client.getChannel();
    const { READY, TRANSIENT_FAILURE, SHUTDOWN } = this.#grpc.connectivityState;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const state = channel.getConnectivityState(true);
        if (state === READY) resolve();
        else if (state === TRANSIENT_FAILURE || state === SHUTDOWN) reject(new Error("connection refused, closed or not trusted"));
        else channel.watchConnectivityState(state, Infinity, (error) => (error === undefined ? look() : reject(error)));
      };
      look();
    });
  }

  #metadata(token: string | undefined): Grpc.Metadata {
    const metadata = new this.#grpc.Metadata();
    if (token !== undefined) metadata.set("token", token);
    return metadata;
  }

  #failure(error: Grpc.ServiceError): EtcdError {
    const text = typeof error.details === "string" && error.details !== "" ? error.details : errorText(error);
    return new EtcdError(typeof error.code === "number" ? error.code : grpcCode.unknown, text, { isSent: true, cause: error });
  }
}

async function* received(
  stream: Grpc.ClientDuplexStream<Uint8Array, Uint8Array>,
  failure: (error: unknown) => unknown,
  end: () => void,
): AsyncGenerator<Uint8Array, void> {
  // A cancelled call emits an error after the loop has ended.
  stream.on("error", () => undefined);
  try {
    for await (const message of stream) yield message as Uint8Array;
  } catch (error) {
    throw failure(error);
  } finally {
    end();
  }
}
