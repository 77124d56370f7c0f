import { describe, expect, it } from "vitest";
import { operator } from "./operator.ts";
import { threadRole } from "./thread-role.ts";
import { entryModule, takeSeat, threadNumber } from "./worker-threads.ts";

const seat = {
  thread: 2,
  threads: 3,
  layout: { count: 1, by: "hash" as const },
  leases: [],
  leaseDurationMs: 1,
  buffer: new SharedArrayBuffer(32),
};

describe("threadRole", () => {
  it("rejects numbers of threads that make no sense, and names the option", async () => {
    for (const threads of [0, 1.5, 1000, -2, "2", null, true, { count: 0 }, { count: "2" }, {}])
      expect(() => threadRole("web", threads as never)).toThrow(/^threads must be a whole number from 1 to 64, not /);
    await expect(operator({ name: "web" }).run({ threads: 1.5 })).rejects.toThrow("threads must be a whole number from 1 to 64, not 1.5");
  });

  it("is a program without threads for one thread", () => {
    expect(threadRole("web")).toEqual({});
    expect(threadRole("web", 1)).toEqual({});
    expect(threadRole("web", { count: 1 })).toEqual({});
  });

  it("starts threads of the given module in the main thread", () => {
    expect(threadRole("web", { count: 2, entry: new URL("file:///app/main.js") })).toMatchObject({ threads: { count: 2 } });
    expect(() => threadRole("web", { count: 2, entry: "main.js" as never })).toThrow("threads.entry must be a URL");
  });

  it("starts threads with the given limits of their heaps, which a program without threads does not ask for", async () => {
    const code = "import { parentPort, resourceLimits } from 'node:worker_threads'; parentPort.postMessage(resourceLimits);";
    const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const role = threadRole("web", { count: 2, entry }, () => ({ maxYoungGenerationSizeMb: 12 }));
    if (role === "elsewhere" || role.threads === undefined) throw new Error("this is the main thread");
    const { start } = role.threads;
    const limits = await new Promise((message) => start(seat, { message, exited: message }));
    expect(limits).toMatchObject({ maxYoungGenerationSizeMb: 12 });
    const never = (): never => expect.unreachable();
    expect(threadRole("web", 1, never)).toEqual({});
  });
});

describe("takeSeat", () => {
  it("gives a thread to the program it was started for, once, and to no other", () => {
    const data = { "drover.thread": { name: "web", seat, isTaken: false } };
    expect(takeSeat("other", data)).toBe("taken");
    expect(takeSeat("web", data)).toMatchObject({ seat: { thread: 2 } });
    expect(takeSeat("web", data)).toBe("taken");
    expect(threadNumber(data)).toBe(2);
  });

  it("finds nothing in a thread of another library", () => {
    for (const data of [undefined, null, "x", {}, { thread: 1 }])
      expect([takeSeat("web", data), threadNumber(data)]).toEqual([undefined, undefined]);
  });
});

describe("entryModule", () => {
  it("is the file that Node was started with, and required if there is none", () => {
    expect(entryModule(undefined, "/app/main.js").href).toBe("file:///app/main.js");
    expect(() => entryModule(undefined, "")).toThrow("set threads.entry");
  });
});
