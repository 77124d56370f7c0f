import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { RetryQueue } from "./retry-queue.ts";

describe("RetryQueue", () => {
  it("lets the writers of one key in one by one, in order, and those of other keys at once", async () => {
    const queue = new RetryQueue();
    const clock = new ManualClock();
    const log: string[] = [];
    const work = async (name: string, key: string): Promise<void> => {
      const leave = await queue.enter(key, clock);
      log.push(`${name} in`);
      for (let n = 0; n < 10; n++) await Promise.resolve();
      log.push(`${name} out`);
      leave();
    };
    await Promise.all([work("a", "k"), work("b", "k"), work("c", "k")]);
    expect(log).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
    const leave = await queue.enter("k", clock);
    (await queue.enter("other", clock))();
    leave();
  });

  it("waits no longer than a second, for a writer that waits for itself", async () => {
    const queue = new RetryQueue();
    const clock = new ManualClock();
    await queue.enter("k", clock);
    const second = queue.enter("k", clock);
    await clock.advance(1000);
    (await second)();
  });
});

describe("a hundred writers of one object", () => {
  it("write it with little more work than one after the other", async () => {
    let admitted = 0;
    const count = { name: "count", mutate: () => void admitted++ };
    const server = await testServer({ admission: [count] });
    const maps = "/api/v1/namespaces/default/configmaps";
    await server.call("POST", maps, { metadata: { name: "contended" } });
    admitted = 0;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        server.call("PATCH", `${maps}/contended`, { data: { [`k${n}`]: "v" } }, { "content-type": "application/merge-patch+json" }),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(Object.keys((await server.call("GET", `${maps}/contended`)).object["data"] ?? {}).length).toBe(100);
    expect(admitted).toBeLessThan(300);
    server.close();
  });
});
