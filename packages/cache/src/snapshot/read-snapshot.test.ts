import { ConfigMap } from "@drover/api/core/v1";
import { TurnKeeper, objectKey } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { listWatcher } from "../source/late-list-watcher.ts";
import { versionOf } from "../source/parsed-version.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { VersionRestorer } from "../source/version-source.ts";
import { MemorySnapshots } from "../testing/memory-snapshots.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { ReadSnapshot } from "./read-snapshot.ts";
import { SnapshotProblem, encodeBlock, encodeDocument } from "./snapshot-block.ts";
import { writeSnapshot } from "./write-snapshot.ts";

const clock = new ManualClock();
const turns = new TurnKeeper({ clock });
const { signal } = new AbortController();
const head = { server: "s", collection: "all", resourceVersion: "17", newestMinor: 0 };
const objects: readonly ObjectVersion<ConfigMap>[] = ["a", "b"].map((name) =>
  versionOf<ConfigMap>({ metadata: { name, namespace: "shop", uid: `uid-${name}`, resourceVersion: "7" }, data: { text: `${name} €` } }),
);

async function written(versions: readonly ObjectVersion<ConfigMap>[], newestMinor = 0): Promise<Uint8Array> {
  const store = new MemorySnapshots();
  const writer = await store.write("x");
  const options = { head: { ...head, newestMinor }, clock, turns, bytesMax: 1e9, bytesPerSecond: Infinity, signal };
  const bytes = await writeSnapshot(versions, writer, options);
  await writer.commit();
  const file = store.files.get("x") ?? new Uint8Array();
  expect(file.length).toBe(bytes);
  return file;
}

let restorer: VersionRestorer<ConfigMap>;
beforeAll(async () => {
  const source = listWatcher({ transport: () => Promise.reject(new Error("none")), clock, kind: ConfigMap });
  restorer = (await source.restorer?.()) as VersionRestorer<ConfigMap>;
});

async function read(file: Uint8Array): Promise<ReadSnapshot<ConfigMap>> {
  const store = new MemorySnapshots();
  store.files.set("x", file);
  const reader = await store.read("x");
  if (reader === undefined) throw new Error("there is a file");
  return readSnapshot(reader, { restorer, shelf: undefined, collection: "all", bytesMax: 1e9, turns, signal });
}

const problem = async (file: Uint8Array): Promise<string> =>
  read(file).then(
    () => "none",
    (error: unknown) => {
      if (!(error instanceof SnapshotProblem)) throw error;
      return error.message;
    },
  );

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe("readSnapshot", () => {
  it("returns the objects that writeSnapshot was given", async () => {
    const { head: found, versions } = await read(await written(objects));
    expect(found).toEqual(head);
    expect(versions.map(({ key, uid, resourceVersion }) => ({ key, uid, resourceVersion }))).toEqual(
      ["a", "b"].map((name) => ({ key: objectKey(name, "shop"), uid: `uid-${name}`, resourceVersion: "7" })),
    );
    expect(versions.map(({ object }) => object.data)).toEqual([{ text: "a €" }, { text: "b €" }]);
  });

  it("reads an empty snapshot, and one of many blocks", async () => {
    expect((await read(await written([]))).versions).toEqual([]);
    const text = "x".repeat(100_000);
    const many = Array.from({ length: 9 }, (_, index) =>
      versionOf<ConfigMap>({ metadata: { name: `n${index}`, uid: `u${index}`, resourceVersion: "1" }, data: { text } }),
    );
    expect((await read(await written(many))).versions.map(({ key }) => key)).toEqual(many.map(({ key }) => key));
  });

  it("finds the corruption of every byte", async () => {
    const file = await written(objects);
    for (let at = 0; at < file.length; at++) {
      for (const change of [0x01, 0x80, 0xff]) {
        const changed = file.slice();
        changed[at] = (changed[at] ?? 0) ^ change;
        expect([at, await problem(changed)]).not.toEqual([at, "none"]);
      }
    }
  });

  it("finds a truncation at every byte, and bytes after the end", async () => {
    const file = await written(objects);
    for (let length = 0; length < file.length; length++)
      expect([length, await problem(file.slice(0, length))]).not.toEqual([length, "none"]);
    expect(await problem(joined(file, new Uint8Array(1)))).toBe("there are bytes after its end");
    expect(await problem(joined(file, file))).toBe("there are bytes after its end");
  });

  it("refuses blocks that are valid but out of order, and other formats", async () => {
    const document = (type: "head" | "tail", place: number, content: object): Uint8Array =>
      encodeBlock(type, place, [encodeDocument(content)]);
    const [first, tail] = [document("head", 0, head), document("tail", 1, { objects: 0 })];
    expect(await problem(joined(first, tail))).toBe("none");
    expect(await problem(joined(first, document("head", 1, head)))).toBe("its blocks are not in order");
    expect(await problem(document("tail", 0, { objects: 0 }))).toBe("its first block is missing");
    expect(await problem(joined(first, document("tail", 1, { objects: 1 })))).toBe("its blocks are not in order");
    expect(await problem(joined(first, document("tail", 2, { objects: 0 })))).toBe("block 1 is damaged");
    expect(await problem(joined(document("head", 0, { ...head, resourceVersion: "" }), tail))).toBe("its first block lacks a field");
    expect(await problem(joined(document("head", 0, ["x"]), tail))).toBe("it is damaged");
    expect(await problem(new TextEncoder().encode('{"kind":"ConfigMapList","items":[]}'))).toBe(
      "it is damaged, or of another version of the format",
    );
  });

  it("refuses protobuf of a newer version than this process decodes", async () => {
    expect(await problem(await written(objects, 99))).toBe(
      "it contains protobuf of a newer version of Kubernetes than this program decodes",
    );
  });
});
