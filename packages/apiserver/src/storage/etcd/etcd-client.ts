/**
 * A client of an etcd cluster: one of several endpoints at a time, and another one after a failure.
 *
 *     EtcdStore, EtcdMirror, EtcdLeases → EtcdClient → EtcdTransport
 *
 * Reads are repeated on another endpoint. A write is repeated only if it certainly did not reach etcd; otherwise the caller gets an
 * {@link UnknownOutcomeError}.
 */
import { budget, errorText, isInstanceOf, sleep } from "@drover/machinery";
import type { Budget, Clock } from "@drover/machinery";
import type { Revision } from "../store.ts";
import * as messages from "./etcd-messages.ts";
import type { EtcdLeaseId, RangeRequest, RangeResponse, TxnRequest, TxnResponse } from "./etcd-messages.ts";
import { EtcdError, grpcCode } from "./etcd-transport.ts";
import type { EtcdStream, EtcdTransport } from "./etcd-transport.ts";

export interface EtcdClientOptions {
  readonly clock: Clock;
  /** One per endpoint, at least one. */
  readonly transports: readonly EtcdTransport[];
  /** A user of etcd. @default none */
  readonly user?: EtcdUser;
}

export interface EtcdUser {
  readonly name: string;
  readonly password: string;
}

/** kube-apiserver gives requests up to a minute; most of that is for the client's own retries. */
const callTime: Budget = budget({
  name: "apiserver/etcd-call-time",
  limit: 10_000,
  unit: "milliseconds",
  atLimit: "The call to etcd fails; a read is repeated on another endpoint, a write gets a 504: its outcome is unknown.",
  uncounted: "The request that waits gets the error.",
});
const readTime: Budget = budget({
  name: "apiserver/etcd-read-time",
  limit: 20_000,
  unit: "milliseconds",
  atLimit: "The read fails, whichever endpoint it waits for; the request gets a 504.",
  uncounted: "The request that waits gets the error.",
});
const readAttempts: Budget = budget({
  name: "apiserver/etcd-read-attempts",
  limit: 3,
  unit: "items",
  atLimit: "The read fails on every endpoint that often; the request gets a 504, or a 500 with the error of etcd.",
  uncounted: "The request that waits gets the error.",
});
const retryMs = 100;

/** Whether a write was carried out is unknown: etcd may have carried it out and its answer was lost. */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";
}

/**
 * Statuses with which etcd answers before it proposes a write, by the beginning of their message. All other statuses of the code
 * `unavailable`, such as a timeout or a change of the leader, say nothing about the write.
 */
const refusals: readonly string[] = ["etcdserver: no leader", "etcdserver: not capable", "etcdserver: rpc not supported for learner"];

/** Codes of answers: etcd has decided about the request. */
const decided: ReadonlySet<number> = new Set([
  grpcCode.invalidArgument,
  grpcCode.notFound,
  grpcCode.permissionDenied,
  grpcCode.resourceExhausted,
  grpcCode.failedPrecondition,
  grpcCode.outOfRange,
  grpcCode.unimplemented,
  grpcCode.unauthenticated,
]);

/** Whether etcd has decided about the request: repeating it would change nothing. */
export const isDecided = ({ code }: EtcdError): boolean => decided.has(code);

export class EtcdClient {
  readonly #clock: Clock;
  readonly #transports: readonly EtcdTransport[];
  readonly #user: EtcdUser | undefined;
  #current = 0;
  #token: Promise<string> | undefined;

  constructor({ clock, transports, user }: EtcdClientOptions) {
    this.#clock = clock;
    this.#transports = transports;
    this.#user = user;
  }

  /** The endpoints, for messages. */
  get endpoints(): string {
    return this.#transports.map(({ endpoint }) => endpoint).join(", ");
  }

  /** `timeoutMs` is for all attempts together. */
  async range(request: RangeRequest, { timeoutMs = readTime.limit }: { readonly timeoutMs?: number } = {}): Promise<RangeResponse> {
    return messages.decodeRange(await this.#read("etcdserverpb.KV/Range", messages.encodeRange(request), timeoutMs));
  }

  /**
   * Carries out a transaction at most once. Rejects with an `EtcdError` if etcd did not carry it out, and with an
   * {@link UnknownOutcomeError} if that is unknown.
   */
  async txn(request: TxnRequest): Promise<TxnResponse> {
    return messages.decodeTxn(await this.#write("etcdserverpb.KV/Txn", messages.encodeTxn(request)));
  }

  /** Drops the history before a revision. Repeating it does no harm. */
  async compact(revision: Revision): Promise<void> {
    await this.#read("etcdserverpb.KV/Compact", messages.encodeCompaction(revision));
  }

  /** Grants a lease. One whose answer was lost expires unused. */
  async grantLease(ttlSeconds: number): Promise<EtcdLeaseId> {
    return messages.decodeLeaseGrant(await this.#read("etcdserverpb.Lease/LeaseGrant", messages.encodeLeaseGrant(ttlSeconds)));
  }

  /** Extends a lease to its full time. Returns the seconds it has, 0 if it does not exist. */
  async keepLeaseAlive(id: EtcdLeaseId): Promise<number> {
    const ending = new AbortController();
    try {
      const stream = await this.#open("etcdserverpb.Lease/LeaseKeepAlive", ending.signal);
      stream.send(messages.encodeLeaseKeepAlive(id));
      for await (const message of stream) return messages.decodeLeaseKeepAlive(message);
    } finally {
      ending.abort();
    }
    throw new EtcdError(grpcCode.unavailable, "etcd ended the stream of a lease without an answer", { isSent: true });
  }

  /** Opens a watch stream on the current endpoint. After a failure, the next call uses the next endpoint. */
  async watch(prefix: string, from: Revision, signal: AbortSignal): Promise<EtcdStream> {
    const stream = await this.#open("etcdserverpb.Watch/Watch", signal);
    stream.send(messages.encodeWatchCreate(prefix, from));
    return stream;
  }

  /** Leaves the current endpoint, whose stream has failed. */
  switchEndpoint(): void {
    this.#leave(this.#current);
  }

  close(): void {
    for (const transport of this.#transports) transport.close();
  }

  async #open(method: string, signal: AbortSignal): Promise<EtcdStream> {
    return this.#transport(this.#current).open(method, { ...(await this.#authorization()), signal });
  }

  /** Repeats a call that changes nothing, or nothing more the second time. */
  async #read(method: string, message: Uint8Array, totalMs = readTime.limit): Promise<Uint8Array> {
    const end = this.#clock.monotonic() + totalMs;
    for (let attempt = 1; ; attempt++) {
      const at = this.#current;
      try {
        return await this.#callAuthorized(at, method, message, Math.min(callTime.limit, end - this.#clock.monotonic()));
      } catch (error) {
        if (!isInstanceOf(error, EtcdError) || isDecided(error)) throw error;
        this.#leave(at);
        if (attempt >= readAttempts.limit * this.#transports.length || this.#clock.monotonic() + retryMs >= end) throw error;
        if (attempt % this.#transports.length === 0) await sleep(this.#clock, retryMs);
      }
    }
  }

  /** Repeats a call only while it has not reached etcd. */
  async #write(method: string, message: Uint8Array): Promise<Uint8Array> {
    for (let attempt = 1; ; attempt++) {
      const at = this.#current;
      try {
        return await this.#callAuthorized(at, method, message);
      } catch (error) {
        if (!isInstanceOf(error, EtcdError) || isDecided(error)) throw error;
        this.#leave(at);
        if (error.isSent && !refusals.some((refusal) => error.message.startsWith(refusal)))
          throw new UnknownOutcomeError(`etcd at ${this.#transport(at).endpoint} did not answer: ${error.message}`, { cause: error });
        if (attempt >= readAttempts.limit * this.#transports.length) throw error;
        if (attempt % this.#transports.length === 0) await sleep(this.#clock, retryMs);
      }
    }
  }

  /** Gets a new token once, because tokens expire and changes of etcd's users make them invalid. */
  async #callAuthorized(at: number, method: string, message: Uint8Array, timeoutMs = callTime.limit): Promise<Uint8Array> {
    const token = this.#token;
    try {
      return await this.#call(at, method, message, timeoutMs);
    } catch (error) {
      if (this.#user === undefined || !isInstanceOf(error, EtcdError) || !isStaleToken(error)) throw error;
      if (this.#token === token) this.#token = undefined;
      return await this.#call(at, method, message, timeoutMs);
    }
  }

  async #call(at: number, method: string, message: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return await this.#transport(at).call(method, message, { ...(await this.#authorization()), timeoutMs });
  }

  async #authorization(): Promise<{ readonly token?: string }> {
    if (this.#user === undefined) return {};
    const token = (this.#token ??= this.#authenticate(this.#user));
    try {
      return { token: await token };
    } catch (error) {
      if (this.#token === token) this.#token = undefined;
      throw error;
    }
  }

  async #authenticate({ name, password }: EtcdUser): Promise<string> {
    const message = messages.encodeAuthenticate(name, password);
    const failures: string[] = [];
    for (let count = 0; count < this.#transports.length; count++) {
      const at = this.#current;
      try {
        return messages.decodeAuthenticate(
          await this.#transport(at).call("etcdserverpb.Auth/Authenticate", message, { timeoutMs: callTime.limit }),
        );
      } catch (error) {
        if (!isInstanceOf(error, EtcdError) || isDecided(error))
          throw new EtcdError(grpcCode.unauthenticated, `etcd refuses the user ${name}: ${errorText(error)}`, {
            isSent: false,
            cause: error,
          });
        failures.push(error.message);
        this.#leave(at);
      }
    }
    throw new EtcdError(grpcCode.unavailable, failures.join("; "), { isSent: false });
  }

  #transport(at: number): EtcdTransport {
    const transport = this.#transports[at];
    if (transport === undefined) throw new TypeError("an etcd client needs at least one endpoint");
    return transport;
  }

  /** Concurrent failures of one endpoint leave it once. */
  #leave(failed: number): void {
    if (this.#current === failed) this.#current = (failed + 1) % this.#transports.length;
  }
}

const isStaleToken = ({ code, message }: EtcdError): boolean =>
  (code === grpcCode.unauthenticated && !message.startsWith("etcd refuses")) || message.includes("revision of auth store is old");
