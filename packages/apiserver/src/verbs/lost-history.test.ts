import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory-store.ts";
import { StoreUnavailableError } from "../storage/store.ts";
import { testServer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

describe("a server whose store was restored from a backup", () => {
  it("tells clients to list again: open watches, watches and reads at lost revisions get a 410", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const { call, watch } = await testServer({ store });
    await call("POST", maps, map("kept"));
    const backup = store.snapshot();
    const { object } = await call("POST", maps, map("lost"));
    const { resourceVersion } = object["metadata"] as { readonly resourceVersion: string };
    const open = await watch(`${maps}?watch=1&resourceVersion=${resourceVersion}`);
    const next = open.next();
    store.restore(backup, { isLost: true });
    const gone = { type: "ERROR", object: { code: 410, reason: "Expired" } };
    expect(await next).toMatchObject(gone);
    expect(await open.next()).toBeUndefined();
    const again = await watch(`${maps}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await again.next()).toMatchObject(gone);
    for (const match of ["", "&resourceVersionMatch=Exact", "&resourceVersionMatch=NotOlderThan"])
      expect((await call("GET", `${maps}?resourceVersion=${resourceVersion}${match}`)).status).toBe(410);
    const list = await call("GET", maps);
    expect((list.object["items"] as readonly unknown[]).length).toBe(1);
    expect((await call("GET", `${maps}?resourceVersion=0`)).status).toBe(200);
    // From there, everything is as ever.
    const { resourceVersion: from } = list.object["metadata"] as { readonly resourceVersion: string };
    const fresh = await watch(`${maps}?watch=1&resourceVersion=${from}`);
    const event = fresh.next();
    await call("POST", maps, map("new"));
    expect(await event).toMatchObject({ type: "ADDED", object: { metadata: { name: "new" } } });
    fresh.stop();
  });
});

describe("a server whose store does not answer", () => {
  it("answers reads and writes with kube-apiserver's 500, or 504 if nothing answers at all", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const { call } = await testServer({ store });
    for (const [isSilent, code, message] of [
      [false, 500, "etcdserver: request timed out: why"],
      [true, 504, "Timeout: request did not complete within requested timeout - context deadline exceeded"],
    ] as const) {
      store.get = () => Promise.reject(new StoreUnavailableError("why", { isSilent }));
      for (const answer of [await call("GET", `${maps}/a`), await call("DELETE", `${maps}/a`)])
        expect(answer.object).toMatchObject({ status: "Failure", code, message });
    }
  });
});
