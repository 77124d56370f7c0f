import { describe, expect, it } from "vitest";
import { guardedBody, isWhole } from "./guarded-body.ts";

async function* chunks(...given: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const chunk of given) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

describe("guardedBody", () => {
  it("passes every chunk on, and calls `over` once", async () => {
    let ends = 0;
    const read: unknown[] = [];
    for await (const chunk of guardedBody(chunks("a", "b"), { failed: (error) => error, over: () => ends++ })) read.push(chunk);
    expect([read, ends]).toEqual([["a", "b"], 1]);
  });

  it("replaces the error, and calls `over`", async () => {
    let ends = 0;
    const body = guardedBody(chunks("a", new Error("reset")), { failed: (cause) => new RangeError("lost", { cause }), over: () => ends++ })[
      Symbol.asyncIterator
    ]();
    await body.next();
    await expect(body.next()).rejects.toMatchObject({ name: "RangeError", cause: { message: "reset" } });
    expect(ends).toBe(1);
  });

  it("drops the source when it is dropped itself", async () => {
    let ends = 0;
    const source = chunks("a", "b");
    for await (const _ of guardedBody(source, { failed: (error) => error, over: () => ends++ })) break;
    expect([ends, await source.next()]).toEqual([1, { done: true, value: undefined }]);
  });
});

it("isWhole recognises bodies that can be sent again", () => {
  expect([undefined, "", new Uint8Array(), chunks()].map((body) => isWhole(body))).toEqual([true, true, true, false]);
});
