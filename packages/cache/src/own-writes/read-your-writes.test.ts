import { prometheusText } from "@drover/machinery";
import type { HttpBody, HttpRequest, Kind, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createInformer } from "../informer/informer.ts";
import type { Informer } from "../informer/informer.ts";
import { createReadYourWrites } from "./read-your-writes.ts";
import type { OwnWritesReader, ReadYourWritesOptions } from "./read-your-writes.ts";
import { handFedSource } from "../testing/hand-fed-source.ts";
import type { HandFedSource } from "../testing/hand-fed-source.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const podKind: Kind<TestPod> = {
  group: "",
  version: "v1",
  kind: "Pod",
  listKind: "PodList",
  plural: "pods",
  singular: "pod",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: [],
  subresources: {},
};
const call = { signal: new AbortController().signal };
const web = keyOf("shop/web");

interface Stage {
  readonly runtime: TestRuntime;
  readonly source: HandFedSource<TestPod>;
  readonly informer: Informer<TestPod>;
  readonly reader: OwnWritesReader<TestPod>;
  /** Sends a request and reads the whole response, as the client does. */
  readonly send: (method: string, name: string, body: unknown, status?: number) => Promise<string>;
}

async function stage(options: Partial<ReadYourWritesOptions> = {}, bodyOf: (text: string) => HttpBody = (text) => text): Promise<Stage> {
  const runtime = testRuntime();
  const source = handFedSource([podVersion("shop/web", 1)], "1");
  const informer = createInformer<TestPod>({ source, runtime });
  void informer.run(new AbortController().signal);
  await runtime.clock.settle();
  const own = createReadYourWrites({ runtime, ...options });
  const reader = own.reader(podKind, informer);
  await runtime.clock.advance(0);
  let answer = { status: 200, body: "" };
  const transport: Transport = own.transport((_: HttpRequest) =>
    Promise.resolve({ status: answer.status, headers: {}, body: bodyOf(answer.body) }),
  );
  return {
    runtime,
    source,
    informer,
    reader,
    send: async (method, name, body, status = 200) => {
      answer = { status, body: JSON.stringify(body) };
      const response = await transport({ method, path: `/api/v1/namespaces/shop/pods${name === "" ? "" : `/${name}`}`, headers: {} });
      if (typeof response.body === "string" || response.body instanceof Uint8Array) return response.body.toString();
      const pieces: Uint8Array[] = [];
      for await (const chunk of response.body) pieces.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      return new TextDecoder().decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
    },
  };
}

/** Reports whether a promise has settled, and its result. */
async function settled<T>(runtime: TestRuntime, promise: Promise<T>): Promise<T | "waiting"> {
  let result: T | "waiting" = "waiting";
  void promise.then((value) => {
    result = value;
  });
  await runtime.clock.settle();
  return result;
}

describe("createReadYourWrites: reads", () => {
  it("wait until the informer has observed the write, and delay no event (§9.20, §9.23)", async () => {
    const { runtime, source, informer, reader, send } = await stage();
    await send("PUT", "web", podVersion("shop/web", 5).object);
    const read = reader.get(web, call).then((pod) => pod?.metadata?.resourceVersion);
    const list = reader.list({}, call).then((pods) => pods.length);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 4) });
    expect(await settled(runtime, read)).toBe("waiting");
    expect([informer.getVersion(web)?.resourceVersion, reader.peek(web)?.metadata?.resourceVersion, reader.waiting]).toEqual(["4", "5", 1]);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 6) });
    expect([await settled(runtime, read), await settled(runtime, list), reader.waiting]).toEqual(["6", 1, 0]);
    expect(reader.peek(web)?.metadata?.resourceVersion).toBe("6");
    expect(runtime.clock.pending.filter((ms) => ms === 10_000)).toEqual([]);
  });

  it("do not wait for other objects, nor for writes that the informer has observed (A27)", async () => {
    const { runtime, source, reader, send } = await stage();
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 9) });
    await runtime.clock.settle();
    await send("PUT", "web", podVersion("shop/web", 8).object);
    expect(reader.waiting).toBe(0);
    await send("POST", "", podVersion("shop/new", 10).object);
    expect((await settled(runtime, reader.get(web, call))) === "waiting").toBe(false);
    expect(await settled(runtime, reader.caughtUp(undefined, call))).toBe("waiting");
  });

  it("report without waiting whether they would wait, based on the store, which is ahead of handlers", async () => {
    const { runtime, source, informer, reader, send } = await stage();
    await send("PUT", "web", podVersion("shop/web", 5).object);
    expect([reader.isCaughtUp(web), reader.isCaughtUp(keyOf("shop/other"))]).toEqual([false, true]);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 5) });
    for (let turn = 0; turn < 100 && informer.getVersion(web)?.resourceVersion !== "5"; turn++) await Promise.resolve();
    expect([reader.isCaughtUp(web), reader.waiting]).toEqual([true, 0]);
    await runtime.clock.settle();
  });

  it("do not wait for writes that the informer will not observe", async () => {
    const { runtime, informer } = await stage();
    const own = createReadYourWrites({ runtime });
    const asked: unknown[] = [];
    const reader = own.reader(podKind, informer, {
      shows: ({ key, uid, labels }) => {
        asked.push({ key, uid, labels });
        return labels?.["app"] === "web";
      },
    });
    const send = async (body: unknown): Promise<void> => {
      await own.transport(() => Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(body) }))({
        method: "PUT",
        path: "/api/v1/namespaces/shop/pods/web",
        headers: {},
      });
    };
    await send(podVersion("shop/web", 5, { labels: { app: "db" } }).object);
    expect([reader.waiting, asked]).toEqual([0, [{ key: "shop/web", uid: "shop/web-uid", labels: { app: "db" } }]]);
    await send(podVersion("shop/web", 6, { labels: { app: "web" } }).object);
    expect(reader.waiting).toBe(1);
  });

  it("call onWritten for each confirmed write, with or without a reader, and not for rejected writes", async () => {
    const own = createReadYourWrites({ runtime: testRuntime() });
    const written: unknown[] = [];
    const send = async (method: string, name: string, body: unknown, status = 200): Promise<void> => {
      await own.transport(
        () => Promise.resolve({ status, headers: {}, body: JSON.stringify(body) }),
        (write) => written.push(write),
      )({ method, path: `/api/v1/namespaces/shop/pods${name}`, headers: {} });
    };
    const terminating = podVersion("shop/web", 6).object;
    await send("POST", "", podVersion("shop/web", 5).object, 201);
    await send("GET", "/web", podVersion("shop/web", 5).object);
    await send("PUT", "/web", { kind: "Status", status: "Failure" }, 409);
    await send("DELETE", "/web", { ...terminating, metadata: { ...terminating.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    await send("DELETE", "/web", { kind: "Status", status: "Success", details: { uid: "shop/web-uid" } });
    const pod = { group: "", resource: "pods", key: "shop/web", uid: "shop/web-uid" };
    expect(written).toEqual([
      { ...pod, resourceVersion: "5" },
      { ...pod, resourceVersion: "6" },
      { ...pod, resourceVersion: "" },
    ]);
  });

  it("wait for a deletion, or for the deletion timestamp of an object with finalizers", async () => {
    const { runtime, source, reader, send } = await stage();
    await send("DELETE", "web", { kind: "Status", status: "Success", details: { uid: "shop/web-uid" } });
    const read = reader.get(web, call);
    expect([await settled(runtime, read), reader.peek(web)]).toEqual(["waiting", undefined]);
    source.send({ type: "DELETED", version: podVersion("shop/web", 2) });
    expect(await settled(runtime, read)).toBeUndefined();
    expect(reader.waiting).toBe(0);
  });

  it("are released when the object is deleted before the write is observed", async () => {
    const { runtime, source, reader, send } = await stage();
    await send("PUT", "web", podVersion("shop/web", 5).object);
    const read = reader.caughtUp(web, call);
    source.send({ type: "DELETED", version: podVersion("shop/web", 6) });
    expect([await settled(runtime, read), reader.waiting]).toEqual([true, 0]);
  });

  it("are not delayed by a response that arrives after the deletion of its object (§9.21)", async () => {
    let answer = (_: string): void => undefined;
    const late = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const { runtime, source, reader, send } = await stage({}, () =>
      (async function* () {
        yield await late;
      })(),
    );
    const sent = send("POST", "", {});
    await runtime.clock.settle();
    source.send({ type: "ADDED", version: podVersion("shop/brief", 5) }, { type: "DELETED", version: podVersion("shop/brief", 6) });
    await runtime.clock.settle();
    answer(JSON.stringify(podVersion("shop/brief", 5).object));
    await sent;
    expect(reader.waiting).toBe(0);
  });

  it("wait for the last of several writes, in any order of the responses", async () => {
    const { runtime, source, reader, send } = await stage();
    await send("PUT", "web", podVersion("shop/web", 5).object);
    const first = reader.caughtUp(web, call);
    await send("PUT", "web", podVersion("shop/web", 9).object);
    await send("PUT", "web", podVersion("shop/web", 7).object);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 8) });
    expect([await settled(runtime, first), reader.waiting]).toEqual(["waiting", 1]);
    source.send({ type: "MODIFIED", version: podVersion("shop/web", 9) });
    expect([await settled(runtime, first), reader.waiting]).toEqual([true, 0]);
  });

  it("continue after the timeout, with a warning", async () => {
    const { runtime, reader, send } = await stage({ waitMaxMs: 500 });
    await send("PUT", "web", podVersion("shop/web", 5).object);
    const reached = reader.caughtUp(web, call);
    await runtime.clock.advance(499);
    expect(await settled(runtime, reached)).toBe("waiting");
    await runtime.clock.advance(1);
    expect([await reached, (await reader.get(web, call))?.metadata?.resourceVersion, reader.waiting]).toEqual([false, "1", 0]);
    expect(runtime.log.entries.at(-1)).toMatchObject({ level: "warn", fields: { resource: "pods", key: "shop/web" } });
    expect(prometheusText(runtime.metrics)).toContain('informer_own_writes_late_total{resource="pods"} 1');
  });

  it("reject with the signal's reason, and end when they are closed", async () => {
    const { reader, send, informer } = await stage();
    await send("PUT", "web", podVersion("shop/web", 5).object);
    await expect(reader.get(web, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    const waiting = reader.caughtUp(web, call);
    reader.close();
    expect([await waiting, informer.state().handlers]).toEqual([false, []]);
    await send("PUT", "web", podVersion("shop/web", 6).object);
    expect(reader.waiting).toBe(0);
  });

  it("remember at most writesMax writes, the newest (§9.15)", async () => {
    const { reader, send } = await stage({ writesMax: 2 });
    for (const name of ["a", "b", "c"]) await send("PUT", name, podVersion(`shop/${name}`, 5).object);
    expect([reader.waiting, reader.peek(keyOf("shop/a")), reader.peek(keyOf("shop/c"))?.metadata?.name]).toEqual([2, undefined, "c"]);
  });

  it("ignore error responses, other texts and failed connections, and leave every response unchanged", async () => {
    const { reader, send } = await stage();
    const conflict = { kind: "Status", status: "Failure", code: 409 };
    expect(JSON.parse(await send("PUT", "web", conflict, 409))).toEqual(conflict);
    expect(await send("PUT", "web", "just text")).toBe('"just text"');
    expect(reader.waiting).toBe(0);
  });

  it("read responses as bytes or chunks split anywhere, and ignore those that are too large", async () => {
    const object = {
      ...podVersion("shop/web", 5).object,
      metadata: { name: "web", namespace: "shop", uid: "u", resourceVersion: "5", annotations: { text: "größer\u{1f600}" } },
    };
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const cut = async function* (text: string): AsyncGenerator<Uint8Array> {
      for (const byte of bytes(text)) yield Uint8Array.of(byte);
    };
    for (const bodyOf of [bytes, cut]) {
      const { reader, send } = await stage({}, bodyOf);
      await send("PUT", "web", object);
      expect(reader.peek(web)).toEqual(object);
      const small = await stage({ bodyBytesMax: 100 }, bodyOf);
      await small.send("PUT", "web", object);
      expect(small.reader.waiting).toBe(0);
    }
  });
});
