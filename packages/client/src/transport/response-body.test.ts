import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ResponseBody } from "./response-body.ts";
import type { ByteSource, ResponseBodyOptions } from "./response-body.ts";

/** A source that does as it is told. */
function source(): ByteSource & { readonly push: (text: string) => void; readonly tell: (event: string, error?: unknown) => void; readonly destroyed: () => boolean } {
  const chunks: Uint8Array[] = [];
  const listeners: { readonly event: string; readonly listener: (error?: unknown) => void }[] = [];
  let destroyed = false;
  const tell = (event: string, error?: unknown): void => {
    for (const each of listeners) if (each.event === event) each.listener(error);
  };
  return {
    read: () => chunks.shift() ?? null, on: (event, listener) => listeners.push({ event, listener }), destroy: () => (destroyed = true), destroyed: () => destroyed, tell,
    push: (text) => {
      chunks.push(new TextEncoder().encode(text));
      tell("readable");
    },
  };
}

function bodyOf(given: Partial<ResponseBodyOptions> = {}): { readonly body: ResponseBody; readonly from: ReturnType<typeof source>; readonly clock: ManualClock; readonly abandoned: () => number } {
  const from = source();
  const clock = new ManualClock();
  let abandoned = 0;
  const body = new ResponseBody(from, {
    clock, idleMs: 100, unreadMs: 500, bytesMax: 10, signal: undefined, failed: (failure) => new Error(failure.kind === "broken" ? `broken: ${String(failure.error)}` : failure.kind), abandon: () => void abandoned++, ...given,
  });
  return { body, from, clock, abandoned: () => abandoned };
}

const read = async (body: ResponseBody): Promise<string | undefined> => {
  const { value } = await body.next();
  return value === undefined ? undefined : new TextDecoder().decode(value);
};

describe("ResponseBody", () => {
  it("yields what comes, waits for what does not, and ends", async () => {
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

  it("fails after silence while somebody waits, and not while nobody does", async () => {
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

  it("fails when nobody begins to read", async () => {
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
    expect(abandoned()).toBe(1);
  });

  it("fails with the first thing that goes wrong", async () => {
    const { body, from } = bodyOf();
    from.tell("error", "first");
    from.tell("error", "second");
    from.tell("close");
    await expect(read(body)).rejects.toThrow("broken: first");
    const closed = bodyOf();
    closed.from.tell("close");
    await expect(read(closed.body)).rejects.toThrow("broken: undefined");
  });

  it("lets go when it is dropped, read or unread", async () => {
    for (const reads of [true, false]) {
      const { body, from, abandoned, clock } = bodyOf();
      from.push("a");
      if (reads) for await (const bytes of body) if (bytes.length > 0) break;
      await body.return();
      expect([abandoned(), from.destroyed(), clock.pending]).toEqual([1, true, []]);
      expect(await read(body)).toBeUndefined();
    }
  });

  it("ends with the signal's reason, also when it was aborted before", async () => {
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
