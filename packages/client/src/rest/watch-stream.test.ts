import {
  encodeWatchEvent,
  initialEventsEndAnnotation,
  isExpired,
  isInitialEventsEnd,
  newForbidden,
  newInvalid,
  newResourceExpired,
  newServiceUnavailable,
  newTooLargeResourceVersion,
} from "@drover/machinery";
import type { HttpResponse, WatchEvent } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { scriptedTransport, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import { watchEventError, watchStream } from "./watch-stream.ts";
import type { WatchStreamOptions } from "./watch-stream.ts";

const about = { attempt: "watch pods in shop", method: "GET", resource: { group: "", resource: "pods" } };
const request = { method: "GET", path: "/api/v1/namespaces/shop/pods?allowWatchBookmarks=true&watch=true", headers: {} };
const pod = (name: string, resourceVersion = "1") => ({ apiVersion: "v1", kind: "Pod", metadata: { name, resourceVersion } });
const watched = (response: HttpResponse, options: Partial<WatchStreamOptions> = {}) =>
  watchStream(scriptedTransport([response]), request, about, { clock: new ManualClock(), ...options });
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Returns the events, and the error at the end. */
async function collected(events: AsyncIterable<WatchEvent>): Promise<{ readonly events: readonly WatchEvent[]; readonly error: unknown }> {
  const seen: WatchEvent[] = [];
  try {
    for await (const event of events) seen.push(event);
  } catch (error) {
    return { events: seen, error };
  }
  return { events: seen, error: undefined };
}

function streamOf(chunks: readonly (string | Uint8Array)[], failure?: Error): HttpResponse {
  const stream = new ScriptedStream();
  for (const chunk of chunks) stream.push(chunk);
  if (failure === undefined) stream.end();
  else stream.fail(failure);
  return stream.response;
}

// Every content that was ever split wrongly: characters of two to four bytes, escapes, both line endings, blank lines, big
// numbers.
const recording = [
  encodeWatchEvent("ADDED", '{"metadata":{"name":"ü€🐎","uid":"1"}}'),
  encodeWatchEvent(
    "MODIFIED",
    String.raw`{"metadata":{"name":"a","annotations":{"x":"\ud83d\udc0e \"\\\n"}},"spec":{"n":9007199254740993}}`,
  ).replace("\n", "\r\n"),
  "\n",
  encodeWatchEvent("BOOKMARK", '{"metadata":{"resourceVersion":"12"}}'),
  encodeWatchEvent("DELETED", '{"metadata":{"name":"line\u2028separators\u2029"}}'),
  encodeWatchEvent("ERROR", JSON.stringify(newResourceExpired("too old"))),
].join("");
const recordingBytes = new TextEncoder().encode(recording);

describe("A12, W16: watchStream with any chunk boundaries", () => {
  it("yields the same events for every single boundary, and byte by byte", async () => {
    const whole = await collected(watched(streamOf([recordingBytes])));
    expect(whole.events.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "BOOKMARK", "DELETED", "ERROR"]);
    expect(whole.error).toBeUndefined();
    for (let cut = 0; cut <= recordingBytes.length; cut++) {
      expect(await collected(watched(streamOf([recordingBytes.subarray(0, cut), recordingBytes.subarray(cut)])))).toEqual(whole);
    }
    expect(await collected(watched(streamOf(Array.from(recordingBytes, (byte) => new Uint8Array([byte])))))).toEqual(whole);
    expect(await collected(watched(streamOf(Array.from(recording))))).toEqual(whole);
  });

  it("yields the same events for all combinations of boundaries", async () => {
    const whole = await collected(watched(streamOf([recording])));
    const numRuns = Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(recordingBytes.length), { maxLength: 40 }), async (cuts) => {
        const sorted = cuts.toSorted((a, b) => a - b);
        const chunks = [0, ...sorted].map((from, index) => recordingBytes.subarray(from, sorted[index] ?? recordingBytes.length));
        expect(await collected(watched(streamOf(chunks)))).toEqual(whole);
      }),
      { numRuns },
    );
  });

  it("loses and duplicates nothing if the connection breaks at any byte: the events before, then an error or the end", async () => {
    const whole = await collected(watched(streamOf([recordingBytes])));
    for (let cut = 0; cut < recordingBytes.length; cut++) {
      const lines = new TextDecoder()
        .decode(recordingBytes.subarray(0, cut))
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.trim() !== "").length;
      const broken = await collected(watched(streamOf([recordingBytes.subarray(0, cut)], new Error("reset"))));
      expect(broken.events).toEqual(whole.events.slice(0, lines));
      if (lines < whole.events.length) expect(broken.error).toMatchObject({ reason: "lost" });
      const closed = await collected(watched(streamOf([recordingBytes.subarray(0, cut)])));
      // A line that lacks only its line break is complete.
      expect(closed.events.length === lines ? closed.events : closed.events.slice(0, -1)).toEqual(whole.events.slice(0, lines));
      if (closed.error !== undefined) expect(closed.error).toMatchObject({ name: "WatchFrameError", truncated: true });
    }
  });
});

describe("watchStream yields what the server sends", () => {
  it.each([
    ["W4: 410, the version is too old", newResourceExpired("too old resource version: 1 (2)"), "Expired", 410],
    ["W4: 504, the version is too new", newTooLargeResourceVersion("10", "5", 1), "Timeout", 504],
    ["W2: any other error", newServiceUnavailable("etcd is gone"), "ServiceUnavailable", 503],
  ])("%s", async (_, status, reason, code) => {
    const stream = new ScriptedStream();
    stream.event("ADDED", pod("a"));
    stream.event("ERROR", status);
    const { events, error } = await collected(watched(stream.response));
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: "ADDED", object: pod("a") },
      { type: "ERROR", object: status },
    ]);
    const last = events.at(-1);
    if (last?.type !== "ERROR") throw new Error("no error event");
    expect(watchEventError(last, about)).toMatchObject({ name: "ApiError", reason, code, attempt: "watch pods in shop" });
    expect(isExpired(watchEventError(last, about))).toBe(code === 410);
  });

  it("ends the stream after an ERROR event and destroys the rest", async () => {
    const stream = new ScriptedStream();
    stream.event("ERROR", newResourceExpired("x"));
    stream.event("ADDED", pod("never seen"));
    expect((await collected(watched(stream.response))).events).toHaveLength(1);
    expect(stream.isDestroyed).toBe(true);
  });

  it("creates a Status for an ERROR event without one", async () => {
    const { events } = await collected(watched(streamOf(['{"type":"ERROR","object":{"oops":1}}\n'])));
    expect(events).toMatchObject([{ type: "ERROR", object: { kind: "Status", code: 500, reason: "InternalError" } }]);
  });

  it("A17: bookmarks are events, one of them ends the initial state", async () => {
    const stream = new ScriptedStream();
    stream.event("ADDED", pod("a"));
    stream.event("BOOKMARK", { metadata: { resourceVersion: "5", annotations: { [initialEventsEndAnnotation]: "true" } } });
    stream.event("BOOKMARK", { metadata: { resourceVersion: "9" } });
    stream.end();
    const { events } = await collected(watched(stream.response));
    expect(events.map(isInitialEventsEnd)).toEqual([false, true, false]);
  });

  it("W20: an object that no longer matches the selector arrives as DELETED, with its last state", async () => {
    const stream = new ScriptedStream();
    stream.event("DELETED", pod("a", "7"));
    stream.end();
    expect((await collected(watched(stream.response))).events).toEqual([{ type: "DELETED", object: pod("a", "7") }]);
  });

  it("W12, A16: yields a repeated event twice: caches compare versions", async () => {
    const line = encodeWatchEvent("ADDED", JSON.stringify(pod("a")));
    expect((await collected(watched(streamOf([line + line])))).events).toHaveLength(2);
  });

  it("W17: yields an object of any shape unchanged", async () => {
    expect((await collected(watched(streamOf(['{"type":"ADDED","object":{"spec":7}}\n'])))).events).toEqual([
      { type: "ADDED", object: { spec: 7 } },
    ]);
  });
});

describe("watchStream throws failures of the stream", () => {
  it.each([
    ["forbidden", statusResponse(newForbidden({ group: "", resource: "pods" }, "", "no")), "Forbidden", 403],
    ["forbidden without a body", textResponse("", { status: 403 }), "Forbidden", 403],
    ["W4: 410 as the status code", statusResponse(newResourceExpired("too old")), "Expired", 410],
    ["W21: the resource is gone", textResponse("404 page not found", { status: 404 }), "NotFound", 404],
    ["a server without WatchList", statusResponse(newInvalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", [])), "Invalid", 422],
    ["204 is not a watch", { status: 204, headers: {}, body: "" }, "", 204],
  ])("%s", async (_, response, reason, code) => {
    expect(await failureOf(watched(response).next())).toMatchObject({ name: "ApiError", reason, code, attempt: "watch pods in shop" });
  });

  it.each([
    ["junk", "junk\n", false],
    ["an unknown type", '{"type":"CHANGED","object":{}}\n', false],
    ["no object", '{"type":"ADDED"}\n', false],
    ["a truncated object", '{"type":"ADDED","obj', true],
  ])("A15, W14: %s is an error that names the attempt, and no line is skipped", async (_, text, truncated) => {
    const stream = streamOf([encodeWatchEvent("ADDED", JSON.stringify(pod("a"))), text]);
    const { events, error } = await collected(watched(stream));
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({
      name: "WatchFrameError",
      truncated,
      message: expect.stringMatching(
        /^unable to decode an event from the watch stream: watch pods in shop: (?!unable to decode an event)/,
      ) as unknown,
    });
  });

  it("A15: blank lines and CRLF are ignored", async () => {
    expect((await collected(watched(streamOf(["\n\r\n", encodeWatchEvent("ADDED", "{}").replace("\n", "\r\n"), "\n"])))).events).toEqual([
      { type: "ADDED", object: {} },
    ]);
  });

  it("A13: a line beyond the limit ends the stream; one of 3 MiB is an event", async () => {
    const large = encodeWatchEvent("ADDED", JSON.stringify({ data: "x".repeat(3 * 1024 * 1024) }));
    expect((await collected(watched(streamOf([large])))).events).toHaveLength(1);
    expect((await collected(watched(streamOf([large]), { maxLineLength: 1024 }))).error).toMatchObject({
      name: "WatchFrameError",
      truncated: false,
    });
  });

  it("T13: a clean close ends the loop, as after timeoutSeconds", async () => {
    expect(await collected(watched(streamOf([])))).toEqual({ events: [], error: undefined });
  });
});

describe("reading watchStream", () => {
  it("drops managed fields only on request", async () => {
    const line = encodeWatchEvent("ADDED", '{"metadata":{"name":"a","managedFields":[{"manager":"m"}]}}');
    expect((await collected(watched(streamOf([line]), { dropManagedFields: true }))).events).toEqual([
      { type: "ADDED", object: { metadata: { name: "a" } } },
    ]);
    expect((await collected(watched(streamOf([line])))).events).toEqual([
      { type: "ADDED", object: { metadata: { name: "a", managedFields: [{ manager: "m" }] } } },
    ]);
  });

  it("W13: return() ends it at once, also while waiting for the next event (§3.3)", async () => {
    const clock = new ManualClock();
    const stream = new ScriptedStream();
    const events = watched(stream.response, { clock });
    const next = events.next();
    await clock.settle();
    await events.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect([stream.isDestroyed, clock.pending]).toEqual([true, []]);
  });

  it("W14: rethrows the reader's exception and destroys the body", async () => {
    const stream = new ScriptedStream();
    stream.event("ADDED", pod("a"));
    const reading = async (): Promise<void> => {
      for await (const { type } of watched(stream.response)) throw new Error(`handler of ${type}`);
    };
    await expect(reading()).rejects.toThrow("handler");
    expect(stream.isDestroyed).toBe(true);
  });

  it("W15: decodes an event only on demand", async () => {
    const stream = new ScriptedStream();
    stream.push(`${encodeWatchEvent("ADDED", "{}")}junk\n`);
    const events = watched(stream.response);
    expect((await events.next()).done).toBe(false);
    expect(await failureOf(events.next())).toMatchObject({ name: "WatchFrameError" });
  });
});
