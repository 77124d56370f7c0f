import { parseStatus } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ScriptedApi } from "./scripted-api.ts";
import type { ScriptedApiOptions } from "./scripted-api.ts";

function stage(options: Partial<ScriptedApiOptions> = {}) {
  const clock = new ManualClock();
  const api = new ScriptedApi({ clock, random: testRuntime({ clock }).random, ...options });
  const get = (query: string, signal?: AbortSignal): Promise<HttpResponse> =>
    api.transport({ method: "GET", path: `/api/v1/configmaps${query}`, headers: {}, ...(signal === undefined ? {} : { signal }) });
  const put = (...names: readonly string[]): void => {
    for (const name of names) api.put({ metadata: { namespace: "shop", name, labels: { app: name } } });
  };
  return { clock, api, get, put };
}

interface ListBody {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const json = (response: HttpResponse): unknown => JSON.parse(typeof response.body === "string" ? response.body : "null");
const listed = (response: HttpResponse): unknown => {
  const { metadata, items } = json(response) as ListBody;
  return [metadata.resourceVersion, ...items.map((item) => item.metadata.name)];
};
const refusal = (response: HttpResponse): unknown => [response.status, parseStatus(json(response))?.reason];

/** The lines received so far, in short: "ADDED a @2". Ends with "end" or "broken" after the stream. */
function reading(response: HttpResponse): string[] {
  const lines: string[] = [];
  void (async () => {
    try {
      for await (const chunk of response.body as AsyncIterable<string | Uint8Array>) {
        const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
        try {
          const { type, object } = JSON.parse(text) as {
            type: string;
            object: { metadata: { name?: string; resourceVersion?: string; annotations?: object }; reason?: string };
          };
          lines.push(
            [
              type,
              object.reason ?? object.metadata.name,
              object.metadata.resourceVersion === undefined ? undefined : `@${object.metadata.resourceVersion}`,
              object.metadata.annotations === undefined ? undefined : "end of state",
            ]
              .filter((part) => part !== undefined)
              .join(" "),
          );
        } catch {
          lines.push(`junk ${text.length}`);
        }
      }
      lines.push("end");
    } catch {
      lines.push("broken");
    }
  })();
  return lines;
}

describe("ScriptedApi: lists", () => {
  it("are sorted, selected and paged, each page of the same state", async () => {
    const { api, get, put } = stage();
    put("c", "a", "b");
    const first = json(await get("?limit=2")) as ListBody;
    expect([first.items.map((item) => item.metadata.name), first.metadata.remainingItemCount]).toEqual([["a", "b"], 1]);
    put("d");
    api.remove("shop/c");
    expect(listed(await get(`?limit=2&continue=${encodeURIComponent(first.metadata.continue ?? "")}`))).toEqual(["4", "c"]);
    expect(listed(await get("?labelSelector=app%3Da"))).toEqual(["6", "a"]);
    expect(listed(await get("?fieldSelector=metadata.name%3Db"))).toEqual(["6", "b"]);
  });

  it("reject versions that are too old or too new", async () => {
    const { api, get, put } = stage();
    put("a", "b");
    const { metadata } = json(await get("?limit=1")) as ListBody;
    put("c");
    api.compact();
    expect(refusal(await get(`?limit=1&continue=${encodeURIComponent(metadata.continue ?? "")}`))).toEqual([410, "Expired"]);
    expect(refusal(await get("?resourceVersion=2&resourceVersionMatch=Exact"))).toEqual([410, "Expired"]);
    expect(refusal(await get("?resourceVersion=99&resourceVersionMatch=NotOlderThan"))).toEqual([504, "Timeout"]);
    expect(listed(await get("?resourceVersion=2&resourceVersionMatch=NotOlderThan"))).toEqual(["4", "a", "b", "c"]);
    expect(listed(await get("?resourceVersion=0"))).toEqual(["4", "a", "b", "c"]);
  });

  it("of a lagging server are old except for the newest state, and always old if it is blind", async () => {
    const { api, get, put } = stage();
    put("a", "b", "c");
    api.lagBy(2);
    expect(listed(await get("?resourceVersion=0"))).toEqual(["2", "a"]);
    expect(listed(await get(""))).toEqual(["4", "a", "b", "c"]);
    expect(refusal(await get("?resourceVersion=4&resourceVersionMatch=NotOlderThan"))).toEqual([504, "Timeout"]);
    api.lagBy(2, { blind: true });
    expect(listed(await get(""))).toEqual(["2", "a"]);
  });

  it("are rejected for other resources, in the server's words", async () => {
    const { api, get } = stage({ watchList: false });
    const at = (path: string, method = "GET"): Promise<HttpResponse> => api.transport({ method, path, headers: {} });
    expect(refusal(await at("/api/v1/pods"))).toEqual([404, "NotFound"]);
    expect(refusal(await at("/api/v1/namespaces/shop/configmaps/a"))).toEqual([404, "NotFound"]);
    expect(refusal(await at("/api/v1/configmaps", "POST"))).toEqual([405, "MethodNotAllowed"]);
    expect(refusal(await get("?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"))).toEqual([422, "Invalid"]);
  });
});

describe("ScriptedApi: watches", () => {
  it("send events after their version, new events and bookmarks, and end after their timeout", async () => {
    const { clock, api, get, put } = stage({ bookmarkMs: 1000 });
    put("a", "b");
    const lines = reading(await get("?watch=true&resourceVersion=2&allowWatchBookmarks=true&timeoutSeconds=2"));
    put("a");
    api.remove("shop/b");
    await clock.advance(1500);
    expect(lines).toEqual(["ADDED b @3", "MODIFIED a @4", "DELETED b @5", "BOOKMARK @5"]);
    await clock.advance(1000);
    expect(lines.at(-1)).toBe("end");
    expect([api.watches.length, clock.pending]).toEqual([0, []]);
  });

  it("start with the current state and mark its end", async () => {
    const { clock, get, put } = stage();
    put("a", "b");
    const lines = reading(await get("?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"));
    put("c");
    await clock.settle();
    expect(lines).toEqual(["ADDED a @2", "ADDED b @3", "BOOKMARK @3 end of state", "ADDED c @4"]);
  });

  it("send ADDED and DELETED when a label change enters or leaves the selection", async () => {
    const { clock, api, get } = stage();
    const lines = reading(await get("?watch=true&resourceVersion=1&labelSelector=app"));
    const put = (labels: Record<string, string>): unknown => api.put({ metadata: { namespace: "shop", name: "a", labels } });
    put({});
    put({ app: "x" });
    put({ app: "y" });
    put({});
    put({});
    await clock.settle();
    expect(lines).toEqual(["ADDED a @3", "MODIFIED a @4", "DELETED a @5"]);
  });

  it.each([
    ["status", [410, "Expired"]],
    ["too-large-status", [504, "Timeout"]],
  ] as const)("from before the history are refused: %s", async (goneAs, wanted) => {
    const { api, get, put } = stage({ goneAs });
    put("a", "b");
    api.compact();
    expect(refusal(await get("?watch=true&resourceVersion=2"))).toEqual(wanted);
  });

  it.each([
    ["expired-event", ["ERROR Expired", "end"]],
    ["gone-event", ["ERROR Gone", "end"]],
    ["silent", ["end"]],
  ] as const)("from before the history are opened and ended: %s", async (goneAs, wanted) => {
    const { clock, api, get, put } = stage({ goneAs });
    put("a", "b");
    api.compact();
    const lines = reading(await get("?watch=true&resourceVersion=2"));
    await clock.settle();
    expect(lines).toEqual(wanted);
  });

  it("from a future version send nothing until the server reaches it", async () => {
    const { clock, get, put } = stage({ bookmarkMs: 1000 });
    const lines = reading(await get("?watch=true&resourceVersion=3&allowWatchBookmarks=true"));
    put("a", "b");
    await clock.advance(1500);
    put("c");
    await clock.settle();
    expect(lines).toEqual(["BOOKMARK @3", "ADDED c @4"]);
  });

  it("of a lagging server get what it has, and the rest when it catches up", async () => {
    const { clock, api, get, put } = stage();
    put("a", "b");
    api.lagBy(1);
    const lines = reading(await get("?watch=true&resourceVersion=1"));
    await clock.settle();
    expect(lines).toEqual(["ADDED a @2"]);
    api.lagBy(0);
    await clock.settle();
    expect(lines).toEqual(["ADDED a @2", "ADDED b @3"]);
  });

  it("can break, close and go silent, and are dropped when the client disconnects", async () => {
    const { clock, api, get, put } = stage();
    const open = (): Promise<HttpResponse> => get("?watch=true&resourceVersion=1");
    const cut = reading(await open());
    api.cut();
    const closed = reading(await open());
    api.close();
    const dead = reading(await open());
    api.halfOpen();
    put("a");
    const stopped = new AbortController();
    await get("?watch=true&resourceVersion=1", stopped.signal);
    expect(api.watches).toHaveLength(2);
    stopped.abort();
    await clock.settle();
    expect([cut, closed, dead]).toEqual([["broken"], ["end"], []]);
    expect(api.watches).toHaveLength(1);
  });

  it.each([
    ["duplicate", ["ADDED a @2", "ADDED a @2"]],
    ["junk", ["junk 11", "ADDED a @2"]],
    ["close", ["end"]],
    ["halfOpen", []],
  ] as const)("suffer by chance: %s", async (fault, wanted) => {
    const { clock, api, get, put } = stage();
    api.chances = { [fault]: 1 };
    const lines = reading(await get("?watch=true&resourceVersion=1"));
    put("a");
    await clock.settle();
    expect(lines).toEqual(wanted);
  });

  it("deliver delayed lines in order, and can break within a line", async () => {
    const { clock, api, get, put } = stage();
    const late = reading(await get("?watch=true&resourceVersion=1"));
    api.chances = { delay: 1 };
    put("a");
    api.chances = {};
    put("b");
    await clock.settle();
    expect(late).toEqual([]);
    await clock.advance(10_001);
    expect(late).toEqual(["ADDED a @2", "ADDED b @3"]);
    api.chances = { cut: 1 };
    put("c");
    await clock.settle();
    expect(late.at(-1)).toBe("broken");
    api.chances = { replay: 1 };
    const again = reading(await get("?watch=true&resourceVersion=4"));
    await clock.settle();
    expect(again.length).toBeGreaterThan(0);
  });
});

describe("ScriptedApi: faults", () => {
  it("lose events: lists have the objects, watches do not get the events", async () => {
    const { clock, api, get, put } = stage();
    put("a");
    const lines = reading(await get("?watch=true&resourceVersion=2"));
    api.unseen(() => {
      put("b");
      api.remove("shop/a");
    });
    put("c");
    await clock.settle();
    expect(lines).toEqual(["ADDED c @5"]);
    expect(listed(await get(""))).toEqual(["5", "b", "c"]);
  });

  it("apply to the next matching requests, and can be cancelled", async () => {
    const { api, get } = stage();
    api.fault(({ verb }) => (verb === "list" ? new Error("refused") : undefined), { times: 2 });
    await get("?watch=true&resourceVersion=1");
    await expect(get("")).rejects.toThrow("refused");
    await expect(get("")).rejects.toThrow("refused");
    expect((await get("")).status).toBe(200);
    api.fault(() => new Error("again"), { times: 5 });
    api.repair();
    expect((await get("")).status).toBe(200);
  });

  it("make requests hang until the client aborts", async () => {
    const { api, get } = stage();
    api.fault(() => "hang");
    const stopped = new AbortController();
    const answer = get("", stopped.signal);
    stopped.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
  });

  it("restart breaks connections and drops the history; restore also resets versions", async () => {
    const { clock, api, get, put } = stage();
    put("a");
    const backup = api.snapshot();
    put("b");
    const lines = reading(await get("?watch=true&resourceVersion=3"));
    api.restart();
    await clock.settle();
    expect(lines).toEqual(["broken"]);
    expect(refusal(await get("?watch=true&resourceVersion=2"))).toEqual([410, "Expired"]);
    api.restore(backup);
    expect(listed(await get(""))).toEqual(["2", "a"]);
  });

  it("cut truncates lists", async () => {
    const { api, get, put } = stage();
    put("a");
    api.chances = { cutList: 1 };
    const { body } = await get("");
    await expect(
      (async () => {
        for await (const _ of body as AsyncIterable<unknown>);
      })(),
    ).rejects.toThrow("reset");
  });
});
