import { getEventListeners } from "node:events";
import { parseQuery } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { scriptedTransport, textResponse } from "../testing/scripted-transport.ts";
import { WatchSilenceError, defaultSilenceMs, watchLineBatches, watchLines } from "./watch-lines.ts";
import type { WatchBatchesOptions, WatchLinesOptions } from "./watch-lines.ts";

const about = { attempt: "watch pods in shop", method: "GET" };
const request = (query = "watch=true&allowWatchBookmarks=true") => ({
  method: "GET",
  path: `/api/v1/namespaces/shop/pods?${query}`,
  headers: {},
});
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

function setUp(options: Partial<WatchLinesOptions> = {}, query?: string) {
  const clock = new ManualClock();
  const stream = new ScriptedStream();
  const server = scriptedTransport([stream.response]);
  return { clock, stream, server, lines: watchLines(server, request(query), about, { clock, ...options }) };
}

describe("watchLines", () => {
  it("yields lines, skips empty ones, and ends with the stream", async () => {
    const controller = new AbortController();
    const { stream, lines, clock, server } = setUp({ signal: controller.signal });
    stream.push("a\r\n\nb");
    stream.push("c\n");
    stream.end();
    const seen: string[] = [];
    for await (const line of lines) seen.push(line);
    expect(seen).toEqual(["a", "bc"]);
    expect(await lines.next()).toEqual({ done: true, value: undefined });
    expect([stream.isDestroyed, clock.pending]).toEqual([false, []]);
    // After a complete read the connection can be reused: it must not be aborted.
    expect(server.requests[0]?.signal?.aborted).toBe(false);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("sends no request before the first read", async () => {
    const { server, clock, lines } = setUp();
    await clock.settle();
    expect(server.requests).toEqual([]);
    await lines.return?.();
    expect(server.requests).toEqual([]);
  });

  it("calls onOpen with the headers once the watch is open", async () => {
    const opened: HttpHeaders[] = [];
    const { stream, lines } = setUp({ onOpen: (headers) => void opened.push(headers) });
    stream.end();
    await lines.next();
    expect(opened).toEqual([{ "content-type": "application/json" }]);
  });

  it("reads a body that is not a stream", async () => {
    const server = scriptedTransport([textResponse("a\nb\n", { headers: { "content-type": "application/json;stream=watch" } })]);
    const seen: string[] = [];
    for await (const line of watchLines(server, request(), about, { clock: new ManualClock() })) seen.push(line);
    expect(seen).toEqual(["a", "b"]);
  });

  it("rejects a response that is not JSON", async () => {
    const server = scriptedTransport([textResponse("<html>", { headers: { "content-type": "text/html" } })]);
    expect(await failureOf(watchLines(server, request(), about, { clock: new ManualClock() }).next())).toMatchObject({
      reason: "content-type",
      message: "watch pods in shop: the server answered the watch with text/html instead of JSON",
    });
  });
});

describe("watchLines backpressure", () => {
  it("W15: reads a chunk only after the lines before it are consumed", async () => {
    const { stream, lines, clock } = setUp();
    for (const chunk of ["a\nb\n", "c\n", "d\n"]) stream.push(chunk);
    expect((await lines.next()).value).toBe("a");
    await clock.settle();
    expect(stream.taken).toBe(1);
    await lines.next();
    await clock.settle();
    expect(stream.taken).toBe(1);
    expect((await lines.next()).value).toBe("c");
    expect(stream.taken).toBe(2);
  });
});

describe("leaving watchLines", () => {
  it("W13: destroys the body when the loop is left, and leaves no timer or listener", async () => {
    const controller = new AbortController();
    const { stream, server, clock, lines } = setUp({ signal: controller.signal });
    stream.push("a\n");
    for await (const line of lines) {
      expect(line).toBe("a");
      break;
    }
    expect([stream.isDestroyed, server.requests[0]?.signal?.aborted, clock.pending]).toEqual([true, true, []]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  it("W13: destroys it at once, also while waiting for the next line", async () => {
    const { stream, clock, lines } = setUp();
    const next = lines.next();
    await clock.settle();
    await lines.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect([stream.isDestroyed, clock.pending]).toEqual([true, []]);
  });

  it("destroys it also if the transport ignores the signal", async () => {
    const stream = new ScriptedStream();
    const lines = watchLines(async () => stream.response, request(), about, { clock: new ManualClock() });
    stream.push("a\n");
    await lines.next();
    await lines.return?.();
    expect(stream.isDestroyed).toBe(true);
  });

  it("C18: rejects with the signal's reason before, while opening, while reading, and between lines", async () => {
    const reason = new Error("enough");
    const before = setUp({ signal: AbortSignal.abort(reason) });
    expect(await failureOf(before.lines.next())).toBe(reason);
    expect(before.server.requests).toEqual([]);

    const opening = new AbortController();
    const pending = failureOf(
      watchLines(
        scriptedTransport(() => new Promise(() => undefined)),
        request(),
        about,
        { clock: new ManualClock(), signal: opening.signal },
      ).next(),
    );
    opening.abort(reason);
    expect(await pending).toBe(reason);

    const reading = new AbortController();
    const { stream, lines, clock } = setUp({ signal: reading.signal });
    stream.push("a\n");
    await lines.next();
    const next = failureOf(lines.next());
    await clock.settle();
    reading.abort(reason);
    expect(await next).toBe(reason);
    expect([stream.isDestroyed, clock.pending]).toEqual([true, []]);

    const between = new AbortController();
    const other = setUp({ signal: between.signal });
    other.stream.push("a\nb\n");
    await other.lines.next();
    between.abort(reason);
    expect(await failureOf(other.lines.next())).toBe(reason);
    expect(other.stream.isDestroyed).toBe(true);
  });
});

describe("W1: silence of a watch", () => {
  it("ends it after 125 s with bookmarks, and destroys the connection", async () => {
    const { stream, server, clock, lines } = setUp();
    stream.push("a\n");
    await lines.next();
    const next = failureOf(lines.next());
    await clock.advance(124_999);
    expect(stream.isDestroyed).toBe(false);
    await clock.advance(1);
    const error = await next;
    expect(error).toBeInstanceOf(WatchSilenceError);
    expect(error).toMatchObject({
      attempt: "watch pods in shop",
      silenceMs: 125_000,
      message: "watch pods in shop: no data from the server for 125000 ms; the connection counts as dead",
    });
    expect([stream.isDestroyed, server.requests[0]?.signal?.aborted, clock.pending]).toEqual([true, true, []]);
  });

  it("is ended by any byte, also of a partial line", async () => {
    const { stream, clock, lines } = setUp({ silenceMs: 1000 });
    const next = lines.next();
    for (const chunk of ["a", "b", "\n"]) {
      await clock.advance(999);
      stream.push(chunk);
      await clock.settle();
    }
    expect((await next).value).toBe("ab");
  });

  it("does not include the time of a slow reader", async () => {
    const { stream, clock, lines } = setUp({ silenceMs: 1000 });
    stream.push("a\n");
    await lines.next();
    await clock.advance(600_000);
    stream.push("b\n");
    expect((await lines.next()).value).toBe("b");
  });

  it("counts while waiting for response headers; a late response is destroyed", async () => {
    const clock = new ManualClock();
    const stream = new ScriptedStream();
    let answer: (() => void) | undefined;
    const lines = watchLines(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(stream.response);
        }),
      request(),
      about,
      { clock, silenceMs: 1000 },
    );
    const next = failureOf(lines.next());
    await clock.advance(1000);
    expect(await next).toBeInstanceOf(WatchSilenceError);
    answer?.();
    await clock.settle();
    expect(stream.isDestroyed).toBe(true);
  });

  it("counts while reading the body of an error", async () => {
    const clock = new ManualClock();
    const stream = new ScriptedStream({ status: 500 });
    const next = failureOf(watchLines(scriptedTransport([stream.response]), request(), about, { clock, silenceMs: 1000 }).next());
    await clock.advance(1000);
    expect(await next).toBeInstanceOf(WatchSilenceError);
  });

  it.each([
    ["watch=1&allowWatchBookmarks=true", 125_000],
    ["watch=1&allowWatchBookmarks=1&timeoutSeconds=300", 125_000],
    ["watch=1&timeoutSeconds=300", 330_000],
    ["watch=1", Infinity],
    ["watch=1&allowWatchBookmarks=false", Infinity],
  ])("is limited by default as the query says: %s", (query, silenceMs) => {
    expect(defaultSilenceMs(parseQuery(query))).toBe(silenceMs);
  });

  it("is not limited without bookmarks", async () => {
    const { stream, clock, lines } = setUp({}, "watch=true");
    const next = lines.next();
    await clock.advance(86_400_000);
    stream.push("a\n");
    expect((await next).value).toBe("a");
  });
});

describe("C11: a proxy or the network cuts the connection of a watch", () => {
  it("after complete lines: they are yielded, then the loss is thrown with the attempt", async () => {
    const { stream, lines } = setUp();
    stream.push("a\n");
    stream.fail(new Error("read ECONNRESET"));
    expect((await lines.next()).value).toBe("a");
    expect(await failureOf(lines.next())).toMatchObject({
      name: "ResponseError",
      reason: "lost",
      message: "watch pods in shop: the connection was lost while reading the response: read ECONNRESET",
    });
  });
  it("before the response: the failure names the attempt", async () => {
    const lines = watchLines(scriptedTransport([new Error("connect ECONNREFUSED")]), request(), about, { clock: new ManualClock() });
    expect(await failureOf(lines.next())).toMatchObject({ reason: "unanswered", message: "watch pods in shop: connect ECONNREFUSED" });
  });
});

describe("W16: framing of watch lines", () => {
  it("rejects a line beyond the limit and accepts one at it", async () => {
    const { stream, lines } = setUp({ maxLineLength: 5 });
    stream.push("12345\n");
    stream.push("123456");
    expect((await lines.next()).value).toBe("12345");
    expect(await failureOf(lines.next())).toMatchObject({
      name: "WatchFrameError",
      truncated: false,
      message: expect.stringContaining("watch pods in shop: a line of the stream is longer than 5 characters") as unknown,
    });
    expect(stream.isDestroyed).toBe(true);
  });
  it("rejects invalid UTF-8; a partial character at the end is a truncated line", async () => {
    const wrong = setUp();
    wrong.stream.push(new Uint8Array([0xff, 0x0a]));
    expect(await failureOf(wrong.lines.next())).toMatchObject({ name: "WatchFrameError", truncated: false });
    const cut = setUp();
    cut.stream.push(new Uint8Array([0x61, 0xc3]));
    cut.stream.end();
    expect(await failureOf(cut.lines.next())).toMatchObject({ name: "WatchFrameError", truncated: true });
  });
  it("does not split at U+2028, U+2029 or U+0085", async () => {
    const { stream, lines } = setUp();
    stream.push("a\u2028b\u2029c\u0085d\n");
    expect((await lines.next()).value).toBe("a\u2028b\u2029c\u0085d");
  });
});

describe("watchLineBatches", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it("yields the lines of one chunk together, and marks an unterminated last line", async () => {
    const stream = new ScriptedStream();
    const batches = watchLineBatches(scriptedTransport([stream.response]), request(), about, { clock: new ManualClock() });
    stream.push("a\nb\nc");
    stream.push("d");
    stream.push("e\nf");
    stream.end();
    const seen: unknown[] = [];
    for await (const batch of batches) seen.push(batch);
    expect(seen).toEqual([
      { framing: "lines", lines: [bytes("a"), bytes("b")], isUnterminated: false },
      { framing: "lines", lines: [bytes("cde")], isUnterminated: false },
      { framing: "lines", lines: [bytes("f")], isUnterminated: true },
    ]);
    expect(stream.isDestroyed).toBe(false);
  });

  it("destroys the stream when the reader leaves, also while it waits", async () => {
    const stream = new ScriptedStream();
    const batches = watchLineBatches(scriptedTransport([stream.response]), request(), about, { clock: new ManualClock() });
    stream.push("a\n");
    expect(await batches.next()).toEqual({ done: false, value: { framing: "lines", lines: [bytes("a")], isUnterminated: false } });
    const waiting = batches.next();
    await batches.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(stream.isDestroyed).toBe(true);
  });

  describe("of a protobuf watch", () => {
    const frame = (text: string): number[] => [0, 0, 0, bytes(text).length, ...bytes(text)];
    const open = (contentType: string, options: Partial<WatchBatchesOptions>) => {
      const stream = new ScriptedStream();
      const response = { ...stream.response, headers: { "content-type": contentType } };
      return {
        stream,
        batches: watchLineBatches(scriptedTransport([response]), request(), about, { clock: new ManualClock(), ...options }),
      };
    };
    const protobuf = "application/vnd.kubernetes.protobuf;stream=watch";

    it("yields the messages of one chunk together, and marks an unfinished last one", async () => {
      const { stream, batches } = open(protobuf, { acceptsMessages: true });
      stream.push(Uint8Array.from([...frame("a\n"), ...frame("b"), ...frame("cd").slice(0, 5)]));
      stream.push(Uint8Array.from([...frame("cd").slice(5), 0, 0]));
      stream.end();
      const seen: unknown[] = [];
      for await (const batch of batches) seen.push(batch);
      expect(seen).toEqual([
        { framing: "messages", lines: [bytes("a\n"), bytes("b")], isUnterminated: false },
        { framing: "messages", lines: [bytes("cd")], isUnterminated: false },
        { framing: "messages", lines: [Uint8Array.of(0, 0)], isUnterminated: true },
      ]);
    });

    it("refuses protobuf that was not requested", async () => {
      for (const options of [{}, { acceptsMessages: false }]) {
        const { stream, batches } = open(protobuf, options);
        stream.push(Uint8Array.from(frame("a")));
        expect(await failureOf(batches.next())).toMatchObject({ reason: "content-type" });
        expect(stream.isDestroyed).toBe(true);
      }
    });

    it("yields lines if the server answers in JSON", async () => {
      for (const contentType of ["application/json", "application/json;stream=watch", ""]) {
        const { stream, batches } = open(contentType, { acceptsMessages: true });
        stream.push("a\n");
        expect((await batches.next()).value).toEqual({ framing: "lines", lines: [bytes("a")], isUnterminated: false });
        await batches.return?.();
      }
    });

    it("refuses a page of text, and a message that is too long", async () => {
      const page = open("text/html", { acceptsMessages: true });
      page.stream.push("<html>\n");
      expect(await failureOf(page.batches.next())).toMatchObject({ reason: "content-type" });
      const long = open(protobuf, { acceptsMessages: true, maxLineLength: 3 });
      long.stream.push(Uint8Array.from([...frame("abc"), ...frame("d")]));
      expect((await long.batches.next()).value).toMatchObject({ lines: [bytes("abc"), bytes("d")] });
      long.stream.push(Uint8Array.of(0, 0, 0, 4));
      expect(await failureOf(long.batches.next())).toMatchObject({
        name: "WatchFrameError",
        truncated: false,
        message: expect.stringContaining("watch pods in shop: an event of the stream is longer than 3 bytes") as string,
      });
      expect(long.stream.isDestroyed).toBe(true);
    });
  });
});
