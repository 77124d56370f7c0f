import { chmod, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost as serverHost } from "@drover/apiserver/node";
import type { SnapshotStore } from "@drover/cache";
import { connect } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { nodeRuntime } from "./node-runtime.ts";
import { snapshotFolder } from "./snapshot-folder.ts";

const call = { signal: new AbortController().signal };
let outside = "";
let folder = "";

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "drover-snapshots-"));
  folder = join(outside, "a", "b");
});
afterEach(() => rm(outside, { recursive: true, force: true }));

async function write(store: SnapshotStore, name: string, text: string): Promise<void> {
  const writer = await store.write(name, call);
  await writer.write(new TextEncoder().encode(text));
  await writer.commit();
}

async function read(store: SnapshotStore, name: string): Promise<string | undefined> {
  const reader = await store.read(name, call);
  if (reader === undefined) return undefined;
  const bytes = await reader.read(1000);
  await reader.close();
  return new TextDecoder().decode(bytes);
}

describe("snapshotFolder", () => {
  it("returns what was committed, also to another process, and nothing before", async () => {
    const store = snapshotFolder(folder);
    expect(await read(store, "pods")).toBeUndefined();
    await write(store, "pods", "one");
    expect(await read(snapshotFolder(folder), "pods")).toBe("one");
    await write(store, "pods", "two");
    expect(await read(store, "pods")).toBe("two");
    expect(await readdir(folder)).toEqual(["pods.snapshot"]);
  });

  it("reads the requested number of bytes, and fewer at the end", async () => {
    const store = snapshotFolder(folder);
    await write(store, "pods", "abcdef");
    const reader = await store.read("pods", call);
    const lengths = [await reader?.read(4), await reader?.read(4), await reader?.read(4)].map((bytes) => bytes?.length);
    await reader?.close();
    expect(lengths).toEqual([4, 2, 0]);
  });

  it("is readable for its owner only", async () => {
    await write(snapshotFolder(folder), "pods", "one");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "pods.snapshot"))).mode & 0o777).toBe(0o600);
  });

  it("keeps the old snapshot while a new one is written, and when it is discarded", async () => {
    const store = snapshotFolder(folder);
    await write(store, "pods", "one");
    const [first, second] = [await store.write("pods", call), await store.write("pods", call)];
    await first.write(new TextEncoder().encode("tw"));
    await second.write(new TextEncoder().encode("three"));
    expect(await read(store, "pods")).toBe("one");
    await first.discard();
    expect(await read(store, "pods")).toBe("one");
    await second.commit();
    expect(await read(store, "pods")).toBe("three");
    expect(await readdir(folder)).toEqual(["pods.snapshot"]);
  });

  it("removes drafts of crashed processes and snapshots that nobody replaces, and no other file", async () => {
    const store = snapshotFolder(folder);
    await write(store, "old", "one");
    await write(store, "young", "one");
    const crashed = await store.write("crashed", call);
    await writeFile(join(folder, "notes.txt"), "mine");
    for (const name of await readdir(folder)) {
      const days = name.startsWith("young") ? 6 : 8;
      const past = new Date(Date.now() - days * 24 * 3600_000);
      await utimes(join(folder, name), past, past);
    }
    await write(store, "new", "one");
    expect((await readdir(folder)).toSorted()).toEqual(["new.snapshot", "notes.txt", "young.snapshot"]);
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("mine");
    await crashed.discard();
  });

  it("names the path and the fix in its errors", async () => {
    expect(() => snapshotFolder("")).toThrow("name a folder that only this program uses");
    await writeFile(join(outside, "file"), "");
    await expect(snapshotFolder(join(outside, "file")).write("pods", call)).rejects.toThrow(join(outside, "file"));
    const store = snapshotFolder(folder);
    for (const name of ["../pods", "", ".pods", "a/b"])
      await expect(async () => store.read(name, call)).rejects.toThrow("cannot be called");
    await write(store, "pods", "one");
    if (process.getuid?.() !== 0) {
      await chmod(join(folder, "pods.snapshot"), 0o000);
      await expect(store.read("pods", call)).rejects.toThrow("permission denied");
    }
  });
});

describe("connect with a folder of snapshots", () => {
  const kubeconfig = {
    text: JSON.stringify({
      "current-context": "c",
      clusters: [{ name: "c", cluster: { server: "https://api.example" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u", namespace: "default" } }],
      users: [{ name: "u", user: {} }],
    }),
  };

  it("delivers to the next process what was deleted while none was running", async () => {
    const runtime = nodeRuntime({ write: () => undefined });
    const server = await createApiServer({ runtime, host: serverHost });
    const transport = Object.assign((request: Parameters<typeof server.handle>[0]) => server.handle(request), { close: () => undefined });
    const open = (): Promise<Connection> =>
      connect({
        kubeconfig,
        runtime,
        sockets: { transport: () => transport, webSocket: () => () => Promise.reject(new Error("no WebSockets in this test")) },
        snapshot: { store: snapshotFolder(folder) },
      });
    const told: string[] = [];
    const during = async (connection: Connection): Promise<void> => {
      const stop = new AbortController();
      const { informer } = connection.cluster.informers.acquire(ConfigMap, { namespace: "default" });
      const running = connection.cluster.run(stop.signal);
      const registration = informer.addHandler(({ type, key }) => void told.push(`${type} ${key}`));
      await informer.synced(stop.signal);
      await registration.synced(stop.signal);
      stop.abort();
      await running;
      await connection.close();
    };
    const { client } = await open();
    for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
    await during(await open());
    expect((await readdir(folder)).map((name) => name.split("-")[0])).toEqual(["configmaps"]);
    await client.delete(ConfigMap, "a");
    told.length = 0;
    await during(await open());
    expect(told.filter((line) => line.startsWith("deleted"))).toEqual(["deleted default/a"]);
    server.close();
  });
});
