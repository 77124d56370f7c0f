/** The client on scripted endpoints: what is repeated, where, and what never is. */
import { ProtobufWriter } from "@drover/machinery/protobuf";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { EtcdClient, UnknownOutcomeError } from "./etcd-client.ts";
import type { TxnRequest } from "./etcd-messages.ts";
import { EtcdError, grpcCode } from "./etcd-transport.ts";
import type { EtcdCallOptions, EtcdTransport } from "./etcd-transport.ts";

type Answer = EtcdError | Uint8Array;

/** An endpoint that gives these answers in order; the last one stays. */
class ScriptedEndpoint implements EtcdTransport {
  readonly calls: string[] = [];
  readonly endpoint: string;
  readonly #answers: Answer[];

  constructor(endpoint: string, ...answers: readonly Answer[]) {
    this.endpoint = endpoint;
    this.#answers = [...answers];
  }

  readonly call = (method: string, _message: Uint8Array, { token }: EtcdCallOptions): Promise<Uint8Array> => {
    this.calls.push(token === undefined ? method : `${method} ${token}`);
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    return answer instanceof Uint8Array ? Promise.resolve(answer) : Promise.reject(answer);
  };
  readonly open = (): never => {
    throw new Error("no streams here");
  };
  readonly close = (): void => undefined;
}

/** A transaction at this revision that wrote. */
function answerAt(revision: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, () => writer.int64(3, revision));
  writer.bool(2, true);
  return writer.finish();
}

/** A read at this revision that found nothing. */
function nothingAt(revision: number): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, () => writer.int64(3, revision));
  return writer.finish();
}

function tokenAnswer(text: string): Uint8Array {
  const writer = new ProtobufWriter();
  writer.string(2, text);
  return writer.finish();
}

const failed = (code: number, message: string, isSent: boolean): EtcdError => new EtcdError(code, message, { isSent });
const unreachable = failed(grpcCode.unavailable, "no connection", false);
const lost = failed(grpcCode.unavailable, "read ECONNRESET", true);
const txn = "etcdserverpb.KV/Txn";
const write: TxnRequest = {
  condition: { key: "/a", field: "modRevision", equals: 0 },
  write: { kind: "put", key: "/a", value: new Uint8Array([1]) },
};

function clientOf(...transports: readonly ScriptedEndpoint[]): { readonly client: EtcdClient; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { client: new EtcdClient({ clock, transports }), clock };
}

describe("EtcdClient", () => {
  it("sends a write that did not reach one endpoint to the next, and stays there", async () => {
    const [one, other] = [new ScriptedEndpoint("one", unreachable), new ScriptedEndpoint("other", answerAt(7))];
    const { client } = clientOf(one, other);
    expect(await client.txn(write)).toEqual({ isWritten: true, revision: 7, found: undefined });
    await client.txn(write);
    expect([one.calls.length, other.calls.length]).toEqual([1, 2]);
  });
  it("never repeats a write whose answer was lost, whatever the code", async () => {
    for (const code of [grpcCode.unavailable, grpcCode.deadlineExceeded, grpcCode.cancelled, grpcCode.internal, grpcCode.unknown]) {
      const [one, other] = [new ScriptedEndpoint("one", failed(code, "lost", true)), new ScriptedEndpoint("other", answerAt(7))];
      await expect(clientOf(one, other).client.txn(write)).rejects.toBeInstanceOf(UnknownOutcomeError);
      expect([one.calls, other.calls]).toEqual([[txn], []]);
    }
  });
  it("repeats a write that etcd refused before proposing it, and not one that timed out in etcd", async () => {
    const noLeader = failed(grpcCode.unavailable, "etcdserver: no leader", true);
    expect(
      await clientOf(new ScriptedEndpoint("one", noLeader), new ScriptedEndpoint("other", answerAt(7))).client.txn(write),
    ).toMatchObject({
      revision: 7,
    });
    const slow = failed(grpcCode.unavailable, "etcdserver: request timed out", true);
    const { client } = clientOf(new ScriptedEndpoint("one", slow), new ScriptedEndpoint("other", answerAt(7)));
    await expect(client.txn(write)).rejects.toThrow("etcd at one did not answer: etcdserver: request timed out");
  });
  it("passes on etcd's decision about a write", async () => {
    const full = failed(grpcCode.resourceExhausted, "etcdserver: mvcc: database space exceeded", true);
    const endpoint = new ScriptedEndpoint("one", full);
    await expect(clientOf(endpoint).client.txn(write)).rejects.toBe(full);
    expect(endpoint.calls).toHaveLength(1);
  });
  it("repeats a read on other endpoints a limited number of times", async () => {
    const [one, other] = [new ScriptedEndpoint("one", lost), new ScriptedEndpoint("other", unreachable, nothingAt(9))];
    const { client, clock } = clientOf(one, other);
    const read = client.range({ key: "/a" });
    await clock.advance(1000);
    expect(await read).toMatchObject({ revision: 9 });
    const dead = new ScriptedEndpoint("dead", unreachable);
    const alone = clientOf(dead);
    const failing = expect(alone.client.range({ key: "/a" })).rejects.toBe(unreachable);
    for (let count = 0; count < 10; count++) await alone.clock.advance(1000);
    await failing;
    expect(dead.calls).toHaveLength(3);
  });
  it("gets a new token when etcd does not accept the old one, and repeats the call once", async () => {
    const stale = failed(grpcCode.unauthenticated, "etcdserver: invalid auth token", true);
    const endpoint = new ScriptedEndpoint("one", tokenAnswer("t1"), answerAt(2), stale, tokenAnswer("t2"), answerAt(3));
    const client = new EtcdClient({ clock: new ManualClock(), transports: [endpoint], user: { name: "root", password: "p" } });
    await client.txn(write);
    expect(await client.txn(write)).toMatchObject({ revision: 3 });
    const authenticate = "etcdserverpb.Auth/Authenticate";
    expect(endpoint.calls).toEqual([authenticate, `${txn} t1`, `${txn} t1`, authenticate, `${txn} t2`]);
  });
  it("names the user when etcd refuses the password", async () => {
    const wrong = failed(grpcCode.invalidArgument, "etcdserver: authentication failed, invalid user ID or password", true);
    const client = new EtcdClient({
      clock: new ManualClock(),
      transports: [new ScriptedEndpoint("one", wrong)],
      user: { name: "root", password: "p" },
    });
    await expect(client.txn(write)).rejects.toThrow("etcd refuses the user root");
  });
});
