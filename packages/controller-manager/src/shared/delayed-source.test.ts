import { Pod } from "@drover/api/core/v1";
import { needOf } from "@drover/controller";
import type { KeyRequest, Source } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { delayedSource } from "./delayed-source.ts";

const web = objectKey("web", "shop");
const request: KeyRequest = { priority: 3, cause: { type: "external", source: "pods" } };
const source: Source = {
  name: "pods",
  needs: [needOf(Pod, ["list", "watch"])],
  run: (sink) => {
    sink.waitingFor("the server");
    sink.request(web, request);
    sink.request(web, { ...request, afterMs: 5000 });
    sink.synced();
    return Promise.resolve();
  },
};

async function told(asked: Source): Promise<readonly unknown[]> {
  const words: unknown[] = [];
  await asked.run(
    { request: (key, what) => words.push([key, what]), synced: () => words.push("synced"), waitingFor: (why) => words.push(why) },
    new AbortController().signal,
  );
  return words;
}

describe("delayedSource", () => {
  it("delays requests, and reports sync at once", async () => {
    const delayed = delayedSource(source, 1000);
    expect([delayed.name, delayed.needs]).toEqual([source.name, source.needs]);
    expect(await told(delayed)).toEqual([
      "the server",
      [web, { ...request, afterMs: 1000 }],
      [web, { ...request, afterMs: 5000 }],
      "synced",
    ]);
  });

  it("is the source itself without a delay", () => {
    expect(delayedSource(source, 0)).toBe(source);
  });
});
