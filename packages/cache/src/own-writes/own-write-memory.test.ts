import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Change } from "../store/change.ts";
import { DeletedChange } from "../store/change.ts";
import { OwnWriteMemory } from "./own-write-memory.ts";
import type { OwnWriteMemoryOptions } from "./own-write-memory.ts";
import type { OwnWrite } from "./own-write.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";

const { signal } = new AbortController();
const web = keyOf("shop/web");
const write = (at: number, uid = "shop/web-uid"): OwnWrite => ({
  key: web,
  uid,
  seen: { type: "version", resourceVersion: String(at) },
  resourceVersion: String(at),
  object: undefined,
});
const gone = (uid = "shop/web-uid"): OwnWrite => ({ key: web, uid, seen: { type: "gone" }, resourceVersion: "", object: undefined });

function stage(): { runtime: TestRuntime; memory: OwnWriteMemory; cache: { at: number | undefined }; tell: (change: Change) => void } {
  const runtime = testRuntime();
  const cache: { at: number | undefined } = { at: 1 };
  let tell: (change: Change) => unknown = () => undefined;
  const informer = {
    getVersion: () => (cache.at === undefined ? undefined : podVersion("shop/web", cache.at)),
    addHandler: (handler: (change: Change) => unknown) => {
      tell = handler;
      return { remove: () => undefined };
    },
  } as unknown as OwnWriteMemoryOptions["informer"];
  return {
    runtime,
    cache,
    memory: new OwnWriteMemory({ runtime, name: "pods", informer, waitMaxMs: 1000, writesMax: 10, shows: () => true }),
    tell: (change) => void tell(change),
  };
}

describe("OwnWriteMemory", () => {
  it("checks the cache itself, which may be ahead of the delivered changes", async () => {
    const { runtime, memory, cache } = stage();
    memory.remember(write(5));
    cache.at = 6;
    expect([await memory.caughtUp(web, signal), memory.size, runtime.clock.pending]).toEqual([true, 0, []]);
  });

  it("keeps a deletion when an older response arrives after it", () => {
    const { memory } = stage();
    memory.remember(gone());
    memory.remember(write(5));
    expect(memory.get(web)?.seen.type).toBe("gone");
    memory.remember(write(7, "another"));
    expect(memory.get(web)).toMatchObject({ uid: "another" });
  });

  it("remembers deletions during a write in flight, and forgets them afterwards", () => {
    const { memory, cache, tell } = stage();
    const deleted = new DeletedChange({ version: podVersion("shop/web", 6), isFinalStateUnknown: false });
    cache.at = undefined;
    memory.writeBegins();
    tell(deleted);
    memory.remember(write(5));
    expect(memory.size).toBe(0);
    memory.writeEnds();
    memory.remember(write(5));
    expect(memory.size).toBe(1);
    tell(deleted);
    expect(memory.size).toBe(0);
  });
});
