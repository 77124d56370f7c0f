import { describe, expect, it } from "vitest";
import { isKeyError, KeyError } from "./cache/key-func.ts";
import type * as KeyFuncModule from "./cache/key-func.ts";
import { newFIFO } from "./cache/fifo.ts";
import { ErrRequeue, FifoClosedError, isErrRequeue, isFifoClosedError } from "./cache/queue.ts";
import type * as QueueModule from "./cache/queue.ts";
import { isRequestError, RequestError } from "./rest/request.ts";
import type * as RequestModule from "./rest/request.ts";

/** Loads a module once more, as a program does that has two copies of a package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

describe("predicates on errors of a second copy of the package", () => {
  it("isErrRequeue recognises them, and pop requeues", async () => {
    const copy = await secondCopy<typeof QueueModule>("./cache/queue.ts");
    const error = new copy.ErrRequeue();
    expect([error instanceof ErrRequeue, isErrRequeue(error), isErrRequeue(new Error("x"))]).toEqual([false, true, false]);
    const fifo = newFIFO<string>((key) => key);
    fifo.add("a");
    await fifo.pop(() => {
      throw error;
    });
    expect(fifo.listKeys()).toEqual(["a"]);
  });

  it("isFifoClosedError recognises them", async () => {
    const copy = await secondCopy<typeof QueueModule>("./cache/queue.ts");
    const error = new copy.FifoClosedError();
    expect([error instanceof FifoClosedError, isFifoClosedError(error), isFifoClosedError(new ErrRequeue())]).toEqual([false, true, false]);
  });

  it("isKeyError recognises them", async () => {
    const copy = await secondCopy<typeof KeyFuncModule>("./cache/key-func.ts");
    const error = new copy.KeyError({}, "no name");
    expect([error instanceof KeyError, isKeyError(error), isKeyError(undefined)]).toEqual([false, true, false]);
  });

  it("isRequestError recognises them", async () => {
    const copy = await secondCopy<typeof RequestModule>("./rest/request.ts");
    const error = new copy.RequestError("no name");
    expect([error instanceof RequestError, isRequestError(error), isRequestError("RequestError")]).toEqual([false, true, false]);
  });
});
