/**
 * One endpoint of etcd as the client sees it: gRPC calls of encoded messages. `grpc-transport.ts` implements it on sockets.
 *
 *     EtcdClient → EtcdTransport → etcd
 */

/** etcd cannot be used as it is configured, or does not answer. The message says what to do. */
export class EtcdAddressError extends Error {
  override readonly name = "EtcdAddressError";
}

/** A call without an answer, or with an error of etcd as its answer. */
export class EtcdError extends Error {
  override readonly name = "EtcdError";
  /** The status code of gRPC. */
  readonly code: number;
  /** Whether the request may have reached etcd: if not, it was not and will not be carried out. */
  readonly isSent: boolean;

  constructor(code: number, message: string, { isSent, cause }: { readonly isSent: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.code = code;
    this.isSent = isSent;
  }
}

/** Status codes of gRPC. */
export const grpcCode = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export interface EtcdCallOptions {
  /** Of `Authenticate`. @default none */
  readonly token?: string;
  /** After this time the call fails with `deadlineExceeded`. */
  readonly timeoutMs: number;
}

export interface EtcdStreamOptions {
  /** Of `Authenticate`. @default none */
  readonly token?: string;
  readonly signal: AbortSignal;
}

/** A call with many messages in both directions. Iterating rejects with an {@link EtcdError} when the stream breaks. */
export interface EtcdStream extends AsyncIterable<Uint8Array> {
  readonly send: (message: Uint8Array) => void;
}

export interface EtcdTransport {
  /** As in messages: "https://10.0.0.1:2379". */
  readonly endpoint: string;
  /** Calls a method such as "etcdserverpb.KV/Range". Rejects with an {@link EtcdError}. */
  readonly call: (method: string, message: Uint8Array, options: EtcdCallOptions) => Promise<Uint8Array>;
  /** Opens a stream that etcd ends when it has no leader. */
  readonly open: (method: string, options: EtcdStreamOptions) => EtcdStream;
  readonly close: () => void;
}
