import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ResponseBody } from "./response-body.ts";
import type { ByteSource, ResponseBodyOptions } from "./response-body.ts";

/** A source that the test controls. */
function source(): ByteSource & {
  readonly push: (text: string) => void;
  readonly tell: (event: string, error?: unknown) => void;
  readonly destroyed: () => boolean;
  readonly isPaused: () => boolean;
} {
  const chunks: Uint8Array[] = [];
  const listeners: { readonly event: string; readonly listener: (told: never) => void }[] = [];
  let destroyed = false;
  let isPaused = false;
  const tell = (event: string, told?: unknown): void => {
    for (const each of listeners) if (each.event === event) each.listener(told as never);
  };
  const flow = (): void => {
    if (isPaused || chunks.length === 0 || !listeners.some(({ event }) => event === "data")) return;
    tell("data", chunks.shift());
    flow();
  };
  return {
    on: (event: string, listener: (told: never) => void) => {
      listeners.push({ event, listener });
      flow();
    },
    pause: () => (isPaused = true),
    resume: () => {
      isPaused = false;
      flow();
    },
    destroy: () => (destroyed = true),
    destroyed: () => destroyed,
    isPaused: () => isPaused,
    tell,
    push: (text) => {
      chunks.push(new TextEncoder().encode(text));
      flow();
    },
  };
}

function bodyOf(given: Partial<ResponseBodyOptions> = {}): {
  readonly body: ResponseBody;
  readonly from: ReturnType<typeof source>;
  readonly clock: ManualClock;
  readonly abandoned: () => number;
} {
  const from = source();
  const clock = new ManualClock();
  let abandoned = 0;
  const body = new ResponseBody(from, {
    clock,
    idleMs: 100,
    unreadMs: 500,
    bytesMax: 10,
    aheadBytesMax: 100_000,
    signal: undefined,
    failed: (failure) => new Error(failure.kind === "broken" ? `broken: ${String(failure.error)}` : failure.kind),
    abandon: () => void abandoned++,
    ...given,
  });
  return { body, from, clock, abandoned: () => abandoned };
}

const read = async (body: ResponseBody): Promise<string | undefined> => {
  const { value } = await body.next();
  return value === undefined ? undefined : new TextDecoder().decode(value);
};

describe("ResponseBody", () => {
  it("yields available chunks, waits for others, and ends", async () => {
    const { body, from, clock, abandoned } = bodyOf();
    from.push("a");
    expect(await read(body)).toBe("a");
    const next = read(body);
    await clock.advance(99);
    from.push("b");
    expect(await next).toBe("b");
    from.tell("end");
    from.tell("close");
    expect(await read(body)).toBeUndefined();
    expect([abandoned(), clock.pending]).toEqual([0, []]);
  });

  it("fails after silence while a reader waits, and only then", async () => {
    const { body, from, clock, abandoned } = bodyOf();
    from.push("a");
    expect(await read(body)).toBe("a");
    await clock.advance(10_000);
    const next = read(body);
    next.catch(() => undefined);
    await clock.advance(100);
    await expect(next).rejects.toThrow("idle");
    await expect(read(body)).rejects.toThrow("idle");
    expect([abandoned(), from.destroyed()]).toEqual([1, true]);
  });

  it("fails if reading never starts", async () => {
    const { body, clock, abandoned } = bodyOf();
    await clock.advance(500);
    expect(abandoned()).toBe(1);
    await expect(read(body)).rejects.toThrow("unread");
  });

  it("fails beyond its limit, and not at it", async () => {
    const { body, from, abandoned } = bodyOf();
    from.push("0123456789");
    expect(await read(body)).toBe("0123456789");
    from.push("x");
    await expect(read(body)).rejects.toThrow("too-large");
    await expect(read(body)).rejects.toThrow("too-large");
    expect(abandoned()).toBe(1);
  });

  it("fails beyond its limit also if the rest arrived before it was read", async () => {
    const { body, from } = bodyOf();
    const first = read(body);
    from.push("0");
    from.push("0123456789");
    from.tell("end");
    expect(await first).toBe("0");
    await expect(read(body)).rejects.toThrow("too-large");
  });

  it("reads nothing ahead with aheadBytesMax 0", async () => {
    const { body, from } = bodyOf({ aheadBytesMax: 0 });
    const first = read(body);
    from.push("a");
    expect([await first, from.isPaused()]).toEqual(["a", true]);
    from.push("b");
    expect([await read(body), from.isPaused()]).toEqual(["b", true]);
  });

  it("yields what arrived before a failure, and nothing after an abort", async () => {
    const { body, from } = bodyOf();
    const first = read(body);
    for (const text of ["a", "b"]) from.push(text);
    from.tell("error", "broke");
    expect([await first, await read(body)]).toEqual(["a", "b"]);
    await expect(read(body)).rejects.toThrow("broken: broke");
    const controller = new AbortController();
    const aborted = bodyOf({ signal: controller.signal });
    const begun = read(aborted.body);
    for (const text of ["a", "b"]) aborted.from.push(text);
    controller.abort(new Error("enough"));
    expect(await begun).toBe("a");
    await expect(read(aborted.body)).rejects.toThrow("enough");
  });

  it("pauses the source while much is unread, resumes it after reading, and loses nothing", async () => {
    const { body, from } = bodyOf({ bytesMax: Infinity });
    const piece = "x".repeat(60_000);
    const first = read(body);
    for (let count = 0; count < 10; count++) from.push(piece);
    expect(from.isPaused()).toBe(true);
    expect(await first).toBe(piece);
    for (let count = 1; count < 10; count++) expect(await read(body)).toBe(piece);
    const last = read(body);
    expect(from.isPaused()).toBe(false);
    from.push("last");
    from.tell("end");
    from.tell("close");
    expect([await last, await read(body)]).toEqual(["last", undefined]);
  });

  it("fails with the first failure", async () => {
    const { body, from } = bodyOf();
    from.tell("error", "first");
    from.tell("error", "second");
    from.tell("close");
    await expect(read(body)).rejects.toThrow("broken: first");
    const closed = bodyOf();
    closed.from.tell("close");
    await expect(read(closed.body)).rejects.toThrow("broken: undefined");
  });

  it("releases the connection when dropped, read or unread", async () => {
    for (const reads of [true, false]) {
      const { body, from, abandoned, clock } = bodyOf();
      from.push("a");
      if (reads) for await (const bytes of body) if (bytes.length > 0) break;
      await body.return();
      // Chunks that a source still emits while closing are ignored.
      from.push("b");
      expect([abandoned(), from.destroyed(), clock.pending]).toEqual([1, true, []]);
      expect(await read(body)).toBeUndefined();
    }
  });

  it("ends with the signal's reason, also if it was aborted before", async () => {
    const controller = new AbortController();
    const { body, abandoned } = bodyOf({ signal: controller.signal });
    const next = read(body);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(abandoned()).toBe(1);
    await expect(read(bodyOf({ signal: controller.signal }).body)).rejects.toBe(reason);
  });
});
