import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ReflectorStream } from "./reflector-stream.ts";
import type { LazyWatchEvent, VersionSource } from "../source/version-source.ts";

const bookmark = (resourceVersion: string): LazyWatchEvent<KubeObject> => ({ type: "BOOKMARK", resourceVersion, endsInitialEvents: false });

function source(
  batches: readonly (readonly LazyWatchEvent<KubeObject>[])[],
  { hangs = false } = {},
): VersionSource<KubeObject> & { signal?: AbortSignal; returned: number } {
  const made: ReturnType<typeof source> = {
    description: "things",
    supportsWatchList: false,
    returned: 0,
    list: async () => {
      throw new Error("not here");
    },
    watch: (_, { signal }) => {
      made.signal = signal;
      let index = 0;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            const value = batches[index++];
            if (value === undefined && hangs) return new Promise(() => undefined);
            return Promise.resolve(value === undefined ? { done: true as const, value: undefined } : { done: false as const, value });
          },
          return: () => {
            made.returned++;
            return new Promise(() => undefined);
          },
        }),
      };
    },
  };
  return made;
}

describe("ReflectorStream", () => {
  it("returns batches, starting with events that were put back", async () => {
    const stream = new ReflectorStream(source([[bookmark("1"), bookmark("2")]]), {}, new AbortController().signal);
    const batch = await stream.next();
    stream.putBack(batch?.slice(1) ?? []);
    stream.putBack([]);
    expect(await stream.next()).toEqual([bookmark("2")]);
    expect(await stream.next()).toBeUndefined();
  });

  it("ends at once, even while the source hangs, and aborts the request", async () => {
    const hanging = source([], { hangs: true });
    const stream = new ReflectorStream(hanging, {}, new AbortController().signal);
    const next = stream.next();
    stream.end(new Error("enough"));
    stream.end(new Error("again"));
    await expect(next).rejects.toThrow("enough");
    await expect(stream.next()).rejects.toThrow("enough");
    expect([hanging.signal?.aborted, hanging.returned]).toEqual([true, 1]);
  });

  it("rejects with the error of a source that cannot start", async () => {
    const broken = {
      ...source([]),
      watch: () => {
        throw new Error("no such kind");
      },
    };
    await expect(new ReflectorStream(broken, {}, new AbortController().signal).next()).rejects.toThrow("no such kind");
  });

  it("ends with its parent signal, also if it is aborted already", async () => {
    const parent = new AbortController();
    const stream = new ReflectorStream(source([], { hangs: true }), {}, parent.signal);
    const next = stream.next();
    parent.abort(new Error("stop"));
    await expect(next).rejects.toThrow("stop");
    await expect(new ReflectorStream(source([[bookmark("1")]]), {}, parent.signal).next()).rejects.toThrow("stop");
  });
});
