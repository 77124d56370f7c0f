import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { EtcdClient } from "./etcd-client.ts";
import { EtcdProbe } from "./etcd-probe.ts";
import { EtcdError, grpcCode } from "./etcd-transport.ts";
import type { EtcdCallOptions, EtcdTransport } from "./etcd-transport.ts";

/** An endpoint that answers, or waits until the time of the call is over. */
function endpoint(clock: ManualClock): { readonly transport: EtcdTransport; readonly state: { answers: boolean; calls: number } } {
  const state = { answers: true, calls: 0 };
  const call = (_method: string, _message: Uint8Array, { timeoutMs }: EtcdCallOptions): Promise<Uint8Array> => {
    state.calls++;
    if (state.answers) return Promise.resolve(new Uint8Array());
    const silence = new EtcdError(grpcCode.deadlineExceeded, "no answer", { isSent: true });
    return new Promise((_resolve, reject) => void clock.timer(timeoutMs, () => reject(silence)));
  };
  const open = (): never => {
    throw new Error("no streams here");
  };
  return { transport: { endpoint: "http://a:2379", call, open, close: () => undefined }, state };
}

describe("EtcdProbe", () => {
  it("reports within two seconds that etcd does not answer, asks at most once per second, and reports its recovery", async () => {
    const clock = new ManualClock();
    const { transport, state } = endpoint(clock);
    const probe = new EtcdProbe(new EtcdClient({ clock, transports: [transport] }), clock, "/registry/health");
    await Promise.all([probe.run(), probe.run()]);
    await probe.run();
    expect([probe.problem, state.calls]).toEqual([undefined, 1]);
    state.answers = false;
    await clock.advance(1000);
    const asked = [probe.run(), probe.run()];
    await clock.advance(2000);
    await Promise.all(asked);
    expect([probe.problem, state.calls]).toEqual(["etcd at http://a:2379 does not answer: no answer", 2]);
    state.answers = true;
    await probe.run();
    expect(probe.problem).toBeUndefined();
  });
});
