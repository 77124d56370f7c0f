import { definedOnly, ApiError, isApiError, newGone, newResourceExpired } from "@drover/machinery";
import type { KubeList, KubeObject, ListOptions, Status } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAll, listItems, listPages } from "./pager.ts";
import type { PageSource, PagerOptions } from "./pager.ts";

const nameOf = (index: number): string => `pod-${String(index).padStart(4, "0")}`;

/**
 * A server with `count` pods whose tokens are positions. At request `expireAt` the version of the first page has expired;
 * the 410 offers a token for the newest version, as servers do.
 */
function pagedServer(
  count: number,
  { expireAt, expired = newResourceExpired }: { readonly expireAt?: number; readonly expired?: (message: string) => Status } = {},
) {
  const asked: ListOptions[] = [];
  let version = 10;
  const source: PageSource<KubeObject> = async (options) => {
    asked.push(options);
    const isFresh = options.continue?.startsWith("fresh ") === true;
    if (asked.length === expireAt && options.continue !== undefined) {
      version = 20;
      const status = expired("The provided continue parameter is too old");
      throw new ApiError({ ...status, metadata: { continue: `fresh ${options.continue}` } });
    }
    const start = Number(options.continue?.replace("fresh ", "") ?? 0);
    const end = options.limit === undefined ? count : Math.min(count, start + options.limit);
    return {
      apiVersion: "v1",
      kind: "PodList",
      metadata: {
        resourceVersion: String(version),
        ...(end < count ? { continue: `${isFresh ? "fresh " : ""}${end}`, remainingItemCount: count - end } : {}),
      },
      items: Array.from({ length: end - start }, (_, index) => ({
        metadata: { name: nameOf(start + index), uid: `uid-${start + index}` },
      })),
    };
  };
  return { source, asked };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}
const names = (items: readonly KubeObject[]): (string | undefined)[] => items.map(({ metadata }) => metadata.name);
const expectedNames = (count: number): string[] => Array.from({ length: count }, (_, index) => nameOf(index));

describe("listAll", () => {
  it.each([
    [0, 1],
    [5, 1],
    [10, 1],
    [11, 2],
    [20, 2],
    [25, 3],
  ])("fetches a list of %i items in pages of ten: %i requests", async (count, requests) => {
    const { source, asked } = pagedServer(count);
    const list = await listAll(source, {}, { pageSize: 10 });
    expect(names(list.items)).toEqual(expectedNames(count));
    expect(list.metadata).toEqual({ resourceVersion: "10" });
    expect(asked).toHaveLength(requests);
  });

  it("returns a list of one page unchanged", async () => {
    const { source } = pagedServer(3);
    expect(await listAll(source)).toMatchObject({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "10" } });
  });

  it("requests 500 items per page, pageSize, or the limit of the options", async () => {
    for (const [options, pager, limit] of [
      [{}, {}, 500],
      [{}, { pageSize: 7 }, 7],
      [{ limit: 3 }, { pageSize: 7 }, 3],
    ] as const) {
      const { source, asked } = pagedServer(0);
      await listAll(source, options, pager);
      expect(asked[0]?.limit).toBe(limit);
    }
  });

  it("sends version and match on the first page only, selectors on each", async () => {
    const { source, asked } = pagedServer(25);
    await listAll(source, { resourceVersion: "5", resourceVersionMatch: "NotOlderThan", labelSelector: "a=b" }, { pageSize: 10 });
    expect(asked).toEqual([
      { limit: 10, labelSelector: "a=b", resourceVersion: "5", resourceVersionMatch: "NotOlderThan" },
      { limit: 10, labelSelector: "a=b", continue: "10" },
      { limit: 10, labelSelector: "a=b", continue: "20" },
    ]);
  });

  it("falls back to one full list at the first version when a later page has expired", async () => {
    const { source, asked } = pagedServer(25, { expireAt: 2 });
    const list = await listAll(source, { resourceVersion: "5", resourceVersionMatch: "NotOlderThan" }, { pageSize: 10 });
    expect(names(list.items)).toEqual(expectedNames(25));
    expect(list.metadata.resourceVersion).toBe("20");
    expect(asked.at(-1)).toEqual({ resourceVersion: "5", resourceVersionMatch: "NotOlderThan" });
    expect(asked).toHaveLength(3);
  });

  it("recognises the older form of 410", async () => {
    const { source } = pagedServer(25, { expireAt: 3, expired: newGone });
    expect((await listAll(source, {}, { pageSize: 10 })).items).toHaveLength(25);
  });

  it("throws the expiry with whenExpired 'throw'", async () => {
    const { source, asked } = pagedServer(25, { expireAt: 2 });
    await expect(listAll(source, {}, { pageSize: 10, whenExpired: "throw" })).rejects.toMatchObject({ reason: "Expired" });
    expect(asked).toHaveLength(2);
  });

  it("continues after the last item with 'inconsistent', and keeps the first version", async () => {
    const { source, asked } = pagedServer(25, { expireAt: 2 });
    const list = await listAll(source, {}, { pageSize: 10, whenExpired: "inconsistent" });
    expect(names(list.items)).toEqual(expectedNames(25));
    expect(list.metadata.resourceVersion).toBe("10");
    expect(asked.map((options) => options.continue)).toEqual([undefined, "10", "fresh 10", "fresh 20"]);
  });

  it("throws the expiry if the server offers no token to continue", async () => {
    const source: PageSource<KubeObject> = async (options) => {
      if (options.continue !== undefined) throw new ApiError(newResourceExpired("too old"));
      return { metadata: { continue: "x" }, items: [] };
    };
    await expect(listAll(source, {}, { whenExpired: "inconsistent" })).rejects.toMatchObject({ reason: "Expired" });
  });

  it("throws for an expired first page, also with a token of the caller", async () => {
    let calls = 0;
    const expired: PageSource<KubeObject> = async () => {
      calls++;
      throw new ApiError(newResourceExpired("too old"));
    };
    await expect(listAll(expired)).rejects.toMatchObject({ reason: "Expired" });
    await expect(listAll(expired, { continue: "mine" })).rejects.toMatchObject({ reason: "Expired" });
    expect(calls).toBe(2);
  });

  describe("with a server that always pages", () => {
    const page = (index: number, token?: string): KubeList => ({
      metadata: definedOnly({ continue: token }),
      items: [{ metadata: { name: nameOf(index) } }],
    });
    const expired = new ApiError(newResourceExpired("too old"));
    const scripted =
      (script: (KubeList | ApiError)[]): PageSource<KubeObject> =>
      async () => {
        const answer = script.shift();
        if (answer === undefined || answer instanceof ApiError) throw answer ?? new Error("asked once more");
        return answer;
      };
    const script = () => [page(0, "a"), expired, page(0, "b"), page(1, "c"), page(2)];
    it("keeps every page after the restart and none from before it", async () => {
      expect(names((await listAll(scripted(script()))).items)).toEqual(expectedNames(3));
      expect((await all(listPages(scripted(script())))).map(({ isRestart }) => isRestart)).toEqual([false, true, false, false]);
    });
    it("restarts only once", async () => {
      await expect(listAll(scripted([page(0, "a"), expired, page(0, "b"), expired]))).rejects.toBe(expired);
    });
  });

  it("ends with a server whose fresh tokens have already expired", async () => {
    let asked = 0;
    const source: PageSource<KubeObject> = async ({ continue: token }) => {
      if (asked++ > 10) throw new Error("round in circles");
      if (token === undefined) return { metadata: { continue: "first" }, items: [] };
      throw new ApiError({ ...newResourceExpired("old"), metadata: { continue: `fresh ${asked}` } });
    };
    await expect(listAll(source, {}, { whenExpired: "inconsistent" })).rejects.toMatchObject({ reason: "Expired" });
    expect(asked).toBe(3);
  });

  it("throws any other failure of any page", async () => {
    const { source } = pagedServer(25);
    let calls = 0;
    const failing: PageSource<KubeObject> = async (options, call) => {
      if (++calls === 2) throw new Error("boom");
      return source(options, call);
    };
    await expect(listAll(failing, {}, { pageSize: 10 })).rejects.toThrow("boom");
  });
});

describe("listPages", () => {
  it("yields pages with the remaining count, and items with their kind", async () => {
    const pages = await all(listPages(pagedServer(25).source, {}, { pageSize: 10 }));
    expect(pages.map(({ items, remainingItemCount, isRestart }) => [items.length, remainingItemCount, isRestart])).toEqual([
      [10, 15, false],
      [10, 5, false],
      [5, undefined, false],
    ]);
    expect(pages[2]?.items[0]).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: nameOf(20), uid: "uid-20" } });
  });

  it("fetches a page on demand, and none after the loop is left", async () => {
    const { source, asked } = pagedServer(100);
    for await (const page of listPages(source, {}, { pageSize: 10 })) {
      expect(asked).toHaveLength(1);
      expect(page.items).toHaveLength(10);
      break;
    }
    expect(asked).toHaveLength(1);
  });

  it("A20: marks the full list after an expiry, so that earlier pages are discarded", async () => {
    const pages = await all(listPages(pagedServer(25, { expireAt: 3 }).source, {}, { pageSize: 10 }));
    expect(pages.map(({ items, isRestart }) => [items.length, isRestart])).toEqual([
      [10, false],
      [10, false],
      [25, true],
    ]);
  });

  it("stops with the signal's reason before the next page, and passes the signal to the current one", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { source, asked } = pagedServer(25);
    const signals: (AbortSignal | undefined)[] = [];
    const pages = listPages(
      async (options, call) => {
        signals.push(call.signal);
        return source(options, call);
      },
      {},
      { pageSize: 10, signal: controller.signal },
    );
    await pages.next();
    controller.abort(reason);
    await expect(pages.next()).rejects.toBe(reason);
    expect([asked.length, signals]).toEqual([1, [controller.signal]]);
  });

  it("rejects anything but a list, and reads null as no items", async () => {
    await expect(all(listPages(async () => ({ kind: "Pod" }) as never))).rejects.toThrow("returned object must be a list");
    await expect(all(listPages(async () => undefined as never))).rejects.toThrow("returned object must be a list");
    expect(await all(listPages(async () => ({ kind: "PodList", items: null }) as never))).toMatchObject([{ items: [] }]);
  });

  it("rejects a server that repeats the same token", async () => {
    await expect(all(listPages(async () => ({ metadata: { continue: "x" }, items: [] })))).rejects.toThrow("the same continue token twice");
  });
});

describe("listItems", () => {
  it("yields everything once, in order, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, pageSize) => {
        expect(names(await all(listItems(pagedServer(count).source, {}, { pageSize })))).toEqual(expectedNames(count));
      }),
    );
  });

  it("yields nothing twice after a restart at any page", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 11, max: 60 }),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom<PagerOptions["whenExpired"][]>("full-list", "inconsistent"),
        async (count, expireAt, whenExpired) => {
          const { source } = pagedServer(count, { expireAt });
          expect(names(await all(listItems(source, {}, { pageSize: 10, ...definedOnly({ whenExpired }) })))).toEqual(expectedNames(count));
        },
      ),
    );
  });

  it("distinguishes objects without a uid by namespace and name", async () => {
    const object = (namespace: string, name: string) => ({ metadata: { namespace, name } });
    const pages: (KubeList | ApiError)[] = [
      { metadata: { continue: "1" }, items: [object("a", "x"), object("b", "x")] },
      new ApiError(newResourceExpired("x")),
      { metadata: {}, items: [object("a", "x"), object("b", "x"), object("c", "x")] },
    ];
    const source: PageSource<KubeObject> = async () => {
      const page = pages.shift();
      if (page === undefined || isApiError(page)) throw page ?? new Error("no page left");
      return page;
    };
    expect((await all(listItems(source))).map(({ metadata }) => metadata.namespace)).toEqual(["a", "b", "c"]);
  });

  it("stops early without another request", async () => {
    const { source, asked } = pagedServer(100);
    for await (const item of listItems(source, {}, { pageSize: 10 })) if (item.metadata.name === nameOf(14)) break;
    expect(asked).toHaveLength(2);
  });
});
