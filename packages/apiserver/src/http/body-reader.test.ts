import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { StatusError } from "../status-error.ts";
import { BodyReader } from "./body-reader.ts";

const reader = (bytesMax: number): BodyReader => new BodyReader({ bytesMax, nextTurn: setImmediate });
const cut = (): void => undefined;

describe("BodyReader.read", () => {
  it("joins the pieces of a body, and returns undefined for an empty one", async () => {
    const source = new PassThrough();
    const body = reader(10).read(source, { declaredBytes: 6, cut });
    source.write("abc");
    source.end("def");
    expect(Buffer.from((await body) as Uint8Array).toString()).toBe("abcdef");
    expect(await reader(10).read(new PassThrough().end(), { declaredBytes: 0, cut })).toBeUndefined();
  });

  it.each([
    ["by its declared length", 11, ""],
    ["by its bytes", 0, "x".repeat(11)],
  ])("returns a body that throws a 413 when it is too large %s", async (_, declaredBytes, sent) => {
    const source = new PassThrough();
    source.write(sent === "" ? "x" : sent);
    const body = (await reader(10).read(source, { declaredBytes, cut })) as AsyncIterable<unknown>;
    await expect(body[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(StatusError);
  });

  it("cuts off a body that is sixteen times too large", async () => {
    let cuts = 0;
    const source = new PassThrough();
    await reader(10).read(
      source.on("data", () => undefined),
      { declaredBytes: 11, cut: () => void cuts++ },
    );
    source.write("x".repeat(160));
    await new Promise(setImmediate);
    expect(cuts).toBe(0);
    source.write("x");
    await new Promise(setImmediate);
    expect(cuts).toBe(1);
  });

  it("rejects when the source closes before the end", async () => {
    const source = new PassThrough();
    const body = reader(10).read(source, { declaredBytes: 5, cut });
    source.write("abc");
    source.destroy();
    await expect(body).rejects.toThrow("connection closed before the end of the body");
  });
});
