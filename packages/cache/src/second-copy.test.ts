import { errorBrand } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { NotSyncedError, isNotSyncedError } from "./informer/not-synced-error.ts";
import { failureOf, isWatchProtocolError, WatchProtocolError } from "./reflector/reflector-failure.ts";
import { isWatchListIncompleteError, WatchListIncompleteError } from "./reflector/watch-list.ts";
import { PoisonObjectError, isPoisonObjectError } from "./source/poison-object-error.ts";
import type * as NotSyncedErrorModule from "./informer/not-synced-error.ts";
import type * as ReflectorFailureModule from "./reflector/reflector-failure.ts";
import type * as WatchListModule from "./reflector/watch-list.ts";
import type * as PoisonObjectErrorModule from "./source/poison-object-error.ts";

/** Loads a module once more, as a program does that has two copies of a package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

describe("predicates on errors of a second copy of the package", () => {
  it("isPoisonObjectError recognises them", async () => {
    const copy = await secondCopy<typeof PoisonObjectErrorModule>("./source/poison-object-error.ts");
    const error = new copy.PoisonObjectError("it is not JSON");
    expect([error instanceof PoisonObjectError, isPoisonObjectError(error)]).toEqual([false, true]);
  });

  it("isNotSyncedError recognises them", async () => {
    const copy = await secondCopy<typeof NotSyncedErrorModule>("./informer/not-synced-error.ts");
    const error = new copy.NotSyncedError([], 5);
    expect([error instanceof NotSyncedError, isNotSyncedError(error)]).toEqual([false, true]);
  });

  it("isWatchProtocolError and isWatchListIncompleteError recognise them", async () => {
    const protocol = new (await secondCopy<typeof ReflectorFailureModule>("./reflector/reflector-failure.ts")).WatchProtocolError("x");
    const incomplete = new (await secondCopy<typeof WatchListModule>("./reflector/watch-list.ts")).WatchListIncompleteError("x");
    expect([protocol instanceof WatchProtocolError, isWatchProtocolError(protocol), isWatchProtocolError(incomplete)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([incomplete instanceof WatchListIncompleteError, isWatchListIncompleteError(incomplete)]).toEqual([false, true]);
    expect(failureOf(protocol, "event").kind).toBe("protocol");
  });

  it("failureOf classifies errors of another copy of the client", () => {
    class ForeignSilence extends Error {
      static {
        errorBrand<ForeignSilence>("WatchSilenceError").mark(this);
      }
    }
    class ForeignResponse extends Error {
      readonly reason = "unanswered";
      static {
        errorBrand<ForeignResponse>("ResponseError").mark(this);
      }
    }
    expect([new ForeignSilence(), new ForeignResponse(), new Error("x")].map((error) => failureOf(error, "request").kind)).toEqual([
      "silent",
      "unreachable",
      "other",
    ]);
  });
});
