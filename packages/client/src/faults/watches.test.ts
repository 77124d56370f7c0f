import { ConfigMap } from "@drover/api/core/v1";
import {
  isExpired,
  isForbidden,
  isNotFound,
  isTooLargeResourceVersion,
  newForbidden,
  newNotFound,
  newResourceExpired,
  newTooLargeResourceVersion,
} from "@drover/machinery";
import type { Status, WatchEvent } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { watchEventError } from "../rest/watch-stream.ts";
import { clusterRig } from "../testing/cluster-rig.ts";
import { faultServer } from "../testing/fault-server.ts";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { statusResponse } from "../testing/scripted-transport.ts";

// Responses to a watch other than events, over the whole client. wire.test.ts tests faults of the wire.

function watching(response: ScriptedStream["response"], more: { readonly retriesMax?: number } = {}) {
  const runtime = testRuntime();
  const network = faultServer({ clock: runtime.clock, serve: () => Promise.resolve(response) });
  const { client } = clusterRig({ runtime, connect: network.connect, deps: { retry: more } });
  return { runtime, network, watch: client.watch(ConfigMap, { resourceVersion: "7", allowWatchBookmarks: true }) };
}

const resource = { group: "", resource: "configmaps" } as const;
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a watch that the server refuses", () => {
  const tooOld = newResourceExpired("too old resource version: 7 (900)");

  it.each<[string, Status, (error: unknown) => boolean]>([
    ["W4: 410", tooOld, isExpired],
    ["W4: 504, a version that the server has not seen yet", newTooLargeResourceVersion("7", "3", 1), isTooLargeResourceVersion],
    ["W21: 404, the definition is gone", newNotFound(resource, ""), isNotFound],
    ["W21: 403, the permission is gone", newForbidden(resource, "", "not any more"), isForbidden],
  ])("%s: a typed error, and the connection is reused", async (_, status, is) => {
    const { watch, network } = watching(statusResponse(status), { retriesMax: 0 });
    expect(is(await failure(watch.next()))).toBe(true);
    expect(network.open()).toBe(1);
  });

  it("W4: 410 within the stream is a value, follows earlier events, and ends the stream", async () => {
    const stream = new ScriptedStream();
    stream.event("ADDED", { metadata: { name: "a", resourceVersion: "8" } });
    stream.event("ERROR", tooOld);
    const { watch } = watching(stream.response);
    const events: WatchEvent<ConfigMap>[] = [];
    for await (const event of watch) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "ERROR"]);
    const last = events[1];
    expect(last?.type === "ERROR" && isExpired(watchEventError(last, { attempt: "watch configmaps", method: "GET" }))).toBe(true);
  });

  it("W4: a watch that is closed at once ends cleanly, so the caller can count such ends", async () => {
    const stream = new ScriptedStream();
    stream.end();
    expect(await watching(stream.response).watch.next()).toEqual({ done: true, value: undefined });
  });
});

describe("a watch with unexpected content", () => {
  it.each([
    ["a truncated event", '{"type":"ADDED","object":{"metadata"\n'],
    ["a web page", "<html>Sign in</html>\n"],
    ["an event without an object", '{"type":"ADDED"}\n'],
    ["an event of unknown type", '{"type":"RENAMED","object":{}}\n'],
  ])("W14, C13: a line that is not an event but %s is an error, never skipped, and the connection is closed", async (_, line) => {
    const stream = new ScriptedStream();
    stream.event("ADDED", { metadata: { name: "a", resourceVersion: "8" } });
    stream.push(line);
    stream.event("ADDED", { metadata: { name: "b", resourceVersion: "9" } });
    stream.end();
    const { watch, network } = watching(stream.response);
    expect((await watch.next()).value).toMatchObject({ object: { metadata: { name: "a" } } });
    expect(await failure(watch.next())).toMatchObject({
      name: "WatchFrameError",
      message: expect.stringContaining("watch configmaps in shop") as unknown,
    });
    expect(network.open()).toBe(0);
  });

  it("W17: an object of an unexpected shape is yielded unchanged, and so is the next one", async () => {
    const stream = new ScriptedStream();
    stream.event("ADDED", { metadata: { name: "a", resourceVersion: "8" }, data: "no mapping" });
    stream.event("ADDED", { metadata: { name: "b", resourceVersion: "9" } });
    const { watch } = watching(stream.response);
    expect((await watch.next()).value).toMatchObject({ object: { data: "no mapping" } });
    expect((await watch.next()).value).toMatchObject({ object: { metadata: { name: "b" } } });
  });

  it("W15, W10: a slow reader slows the server down; nothing is read ahead, reordered or lost", async () => {
    const stream = new ScriptedStream();
    for (let event = 0; event < 1000; event++) stream.event("ADDED", { metadata: { name: `m${event}`, resourceVersion: String(event) } });
    stream.end();
    const { watch, runtime } = watching(stream.response);
    const names: (string | undefined)[] = [];
    for await (const event of watch) {
      if (event.type !== "ERROR") names.push(event.object.metadata.name);
      if (names.length % 100 === 0) await runtime.clock.advance(600_000);
      expect(stream.taken).toBeLessThanOrEqual(names.length + 2);
    }
    expect(names).toEqual(Array.from({ length: 1000 }, (_, event) => `m${event}`));
  });
});
