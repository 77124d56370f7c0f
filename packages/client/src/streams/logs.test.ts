import { newBadRequest, newInternalError, newNotFound, newTooManyRequests } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { scriptedTransport, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import type { Script } from "../testing/scripted-transport.ts";
import { logs } from "./logs.ts";
import type { PodLogOptions } from "./logs.ts";

const pod = { namespace: "shop", name: "web-0" };
const breaks = (...chunks: readonly string[]): ScriptedStream["response"] => {
  const stream = new ScriptedStream();
  for (const chunk of chunks) stream.push(chunk);
  stream.fail(new Error("socket hang up"));
  return stream.response;
};

async function read(script: Script, options?: PodLogOptions): Promise<{ lines: string[]; paths: string[]; error: unknown }> {
  const server = scriptedTransport(script);
  const lines: string[] = [];
  const error: unknown = await (async () => {
    for await (const line of logs(server, pod, options)) lines.push(line);
  })().catch((failure: unknown) => failure);
  return { lines, paths: server.requests.map(({ path }) => path), error };
}

describe("logs", () => {
  it("sends no query without options", async () => {
    const { paths, lines } = await read([textResponse("a\nb\n")]);
    expect(paths).toEqual(["/api/v1/namespaces/shop/pods/web-0/log"]);
    expect(lines).toEqual(["a", "b"]);
  });

  it("sends every option in the query", async () => {
    const { paths } = await read([textResponse("")], {
      container: "app",
      follow: true,
      previous: true,
      sinceSeconds: 5,
      timestamps: true,
      tailLines: 0,
      limitBytes: 100,
      stream: "Stderr",
      insecureSkipTlsVerifyBackend: true,
    });
    expect(paths[0]?.split("?")[1]).toBe(
      "container=app&follow=true&insecureSkipTLSVerifyBackend=true&limitBytes=100&previous=true&sinceSeconds=5&stream=Stderr&tailLines=0&timestamps=true",
    );
    expect((await read([textResponse("")], { sinceTime: "2026-01-01T00:00:00Z", follow: false })).paths[0]).toContain(
      "/log?sinceTime=2026-01-01T00%3A00%3A00Z",
    );
  });

  it("yields every line unchanged for any chunk boundaries", async () => {
    const text = "first\n\n  indented\r\nünïcode 😀\nlast without end";
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 6 }), async (cuts) => {
        const stream = new ScriptedStream();
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        for (const [index, end] of places.slice(1).entries()) stream.push(bytes.subarray(places[index], end));
        stream.end();
        expect((await read([stream.response])).lines).toEqual(text.split("\n"));
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 10) },
    );
  });

  it("throws the server's error with the attempt", async () => {
    const { error } = await read([statusResponse(newBadRequest('container "app" in pod "web-0" is waiting to start: ContainerCreating'))]);
    expect(error).toMatchObject({
      name: "ApiError",
      code: 400,
      message: 'container "app" in pod "web-0" is waiting to start: ContainerCreating',
      attempt: "read the log of pods/web-0 in shop",
    });
    expect((await read([textResponse("upstream died", { status: 502 })])).error).toMatchObject({ name: "ApiError", code: 502 });
  });

  it("yields what arrived, then throws, when the connection breaks", async () => {
    const { lines, error } = await read([breaks("one\ntw")]);
    expect(lines).toEqual(["one", "tw"]);
    expect(error).toMatchObject({
      name: "StreamError",
      reason: "lost",
      message: "read the log of pods/web-0 in shop: the connection broke: socket hang up",
    });
  });

  it("rejects a line beyond the limit, by default 16 MiB", async () => {
    expect((await read([textResponse("12345\n")], { lineBytesMax: 4 })).error).toMatchObject({ name: "LineError" });
    expect((await read([textResponse("x".repeat(16 * 1024 * 1024))])).error).toBeUndefined();
    expect((await read([textResponse("x".repeat(16 * 1024 * 1024 + 1))])).error).toMatchObject({ name: "LineError" });
  });

  it("closes the connection when the loop is left, and reads chunks on demand", async () => {
    const stream = new ScriptedStream();
    for (const chunk of ["a\n", "b\n", "c\n"]) stream.push(chunk);
    for await (const line of logs(scriptedTransport([stream.response]), pod, { follow: true })) {
      expect(line).toBe("a");
      break;
    }
    expect(stream.isDestroyed).toBe(true);
    expect(stream.taken).toBe(1);
  });

  it("throws the signal's reason unchanged", async () => {
    const controller = new AbortController();
    const stream = new ScriptedStream();
    stream.push("a\n");
    const reason = new Error("enough");
    const reading = (async () => {
      for await (const _ of logs(scriptedTransport([stream.response]), pod, { follow: true, signal: controller.signal }))
        controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });

  it("rejects options that exclude each other", () => {
    const { clock, random } = testRuntime();
    expect(() => logs(scriptedTransport([]), pod, { sinceSeconds: 1, sinceTime: "2026-01-01T00:00:00Z" })).toThrow("at most one of");
    expect(() => logs(scriptedTransport([]), pod, { limitBytes: 1, resume: { clock, random } })).toThrow("cannot be resumed");
  });
});

describe("logs with resume", () => {
  const at = (second: number, text: string): string => `2026-01-01T00:00:0${second}.5Z ${text}\n`;

  async function readResumed(
    script: Script,
    options: PodLogOptions = {},
    waitMs = 600_000,
  ): Promise<{ lines: string[]; paths: string[]; error: unknown }> {
    const { clock, random } = testRuntime();
    const reading = read(script, { follow: true, ...options, resume: { clock, random, ...options.resume } });
    await clock.advance(waitMs);
    return reading;
  }

  it("requests again from the last second, and yields no line twice and none truncated", async () => {
    const { lines, paths, error } = await readResumed(
      [
        breaks(at(1, "a"), at(2, "b"), at(2, "b"), "2026-01-01T00:00:02.5Z cut o"),
        textResponse([at(2, "b"), at(2, "b"), at(2, "cut off"), at(3, "c")].join("")),
      ],
      { tailLines: 10 },
    );
    expect(error).toBeUndefined();
    expect(lines).toEqual(["a", "b", "b", "cut off", "c"]);
    expect(paths.map((path) => path.split("?")[1])).toEqual([
      "follow=true&tailLines=10&timestamps=true",
      "follow=true&sinceTime=2026-01-01T00%3A00%3A02Z&timestamps=true",
    ]);
  });

  it("keeps requested timestamps", async () => {
    expect((await readResumed([textResponse(at(1, "a"))], { timestamps: true })).lines).toEqual(["2026-01-01T00:00:01.5Z a"]);
  });

  it("repeats the first request if there was no line yet", async () => {
    const { paths } = await readResumed([breaks(), textResponse("")], { sinceSeconds: 60 });
    expect(paths.map((path) => path.split("?")[1])).toEqual(Array.from({ length: 2 }, () => "follow=true&sinceSeconds=60&timestamps=true"));
  });

  it("backs off while the server is down, and as long as Retry-After says", async () => {
    const { clock, random } = testRuntime();
    const times: number[] = [];
    const reading = read(
      [
        () => {
          times.push(clock.monotonic());
          return breaks(at(1, "a"));
        },
        () => {
          times.push(clock.monotonic());
          throw new Error("connection refused");
        },
        () => {
          times.push(clock.monotonic());
          return statusResponse(newInternalError("etcd"));
        },
        () => {
          times.push(clock.monotonic());
          return statusResponse(newTooManyRequests("later", 9));
        },
        () => {
          times.push(clock.monotonic());
          return textResponse(at(2, "b"));
        },
      ],
      { follow: true, resume: { clock, random, backoff: { duration: 1000, factor: 2, steps: 10 } } },
    );
    await clock.advance(60_000);
    expect((await reading).lines).toEqual(["a", "b"]);
    expect(times).toEqual([0, 1000, 3000, 7000, 16_000]);
  });

  it("stops at an error that is final", async () => {
    const { error, paths } = await readResumed([breaks(at(1, "a")), statusResponse(newNotFound({ group: "", resource: "pods" }, "web-0"))]);
    expect(error).toMatchObject({ code: 404 });
    expect(paths).toHaveLength(2);
  });

  it("throws if the first request fails", async () => {
    expect((await readResumed([new Error("connection refused")])).error).toMatchObject({ message: "connection refused" });
    expect((await readResumed([statusResponse(newInternalError("x"))])).error).toMatchObject({ code: 500 });
  });

  it("does not resume after a line that is too long", async () => {
    const { error, paths } = await readResumed([breaks(at(1, "long"))], { lineBytesMax: 5 });
    expect(error).toMatchObject({ name: "LineError" });
    expect(paths).toHaveLength(1);
  });

  it("stops waiting when the signal aborts", async () => {
    const { clock, random } = testRuntime();
    const controller = new AbortController();
    const reason = new Error("enough");
    const reading = read([breaks(at(1, "a"))], { follow: true, signal: controller.signal, resume: { clock, random } });
    await clock.settle();
    expect(clock.pending).toHaveLength(1);
    controller.abort(reason);
    expect((await reading).error).toBe(reason);
    expect(clock.pending).toEqual([]);
  });
});
