import { createClient } from "@drover/client";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { requestLease } from "./lease-request.ts";
import type { LeaseOutcome, LeaseRequest } from "./lease-request.ts";
import { LeaseServer } from "./testing/lease-server.ts";

const place = { namespace: "shop", name: "web" };
const spec = { holderIdentity: "me" };

function rig(transport?: Transport) {
  const { clock, log } = testRuntime();
  const server = new LeaseServer();
  const errors: unknown[] = [];
  const stop = new AbortController();
  const client = createClient({ transport: transport ?? server.transport, clock, log, namespace: "default" });
  const ask = (action: LeaseRequest): Promise<LeaseOutcome> =>
    requestLease(action, { client, lease: place, timeoutMs: 5000, signal: stop.signal, onError: (error) => void errors.push(error) });
  return { clock, server, errors, stop, ask };
}

describe("requestLease", () => {
  it("reads, creates and updates", async () => {
    const { server, errors, ask } = rig();
    expect(await ask({ kind: "read" })).toEqual({ kind: "absent" });
    expect(await ask({ kind: "create", lease: { metadata: place, spec } })).toMatchObject({
      kind: "written",
      lease: { metadata: { resourceVersion: "1" } },
    });
    expect(await ask({ kind: "read" })).toMatchObject({ kind: "read", lease: { spec } });
    expect(
      await ask({ kind: "update", lease: { metadata: { ...place, resourceVersion: "1" }, spec: { holderIdentity: "you" } } }),
    ).toMatchObject({ kind: "written" });
    expect([server.lease?.spec, errors]).toEqual([{ holderIdentity: "you" }, []]);
  });

  it("returns conflict if the lease has changed, exists already, or is gone", async () => {
    const { server, errors, ask } = rig();
    expect(await ask({ kind: "update", lease: { metadata: { ...place, resourceVersion: "1" }, spec } })).toEqual({ kind: "conflict" });
    server.put(spec);
    server.put(spec);
    expect(await ask({ kind: "update", lease: { metadata: { ...place, resourceVersion: "1" }, spec } })).toEqual({ kind: "conflict" });
    expect(await ask({ kind: "create", lease: { metadata: place, spec } })).toEqual({ kind: "conflict" });
    expect(errors).toEqual([]);
  });

  it("returns a failure and reports the error if there is no valid response", async () => {
    const { errors, ask } = rig(() => Promise.reject(new Error("down")));
    expect([await ask({ kind: "read" }), await ask({ kind: "update", lease: { metadata: place } })]).toEqual([
      { kind: "read-failed" },
      { kind: "write-failed" },
    ]);
    expect(errors).toHaveLength(2);
  });

  it("ends at its timeout, also with a transport that ignores its signal", async () => {
    const { clock, errors, ask } = rig(() => new Promise(() => undefined));
    const asked = ask({ kind: "read" });
    await clock.advance(5000);
    expect([await asked, String(errors[0]), clock.pending]).toEqual([{ kind: "read-failed" }, "TimeoutError: timed out after 5000 ms", []]);
  });

  it("does not report an aborted request", async () => {
    const { errors, stop, ask } = rig(() => new Promise(() => undefined));
    const asked = ask({ kind: "create", lease: { metadata: place } });
    stop.abort();
    expect([await asked, errors]).toEqual([{ kind: "write-failed" }, []]);
  });
});
