import { expect, it } from "vitest";
import { untilAborted } from "../sources/until-aborted.ts";
import { Removable } from "./removable.ts";

it("Removable.remove stops a runnable with its own reason, waits for it, and prevents another start", async () => {
  const reasons: unknown[] = [];
  let starts = 0;
  const removable = new Removable({
    name: "web",
    run: async (signal) => {
      starts++;
      await untilAborted(signal);
      reasons.push(String(signal.reason));
    },
  });
  const { signal } = new AbortController();
  const over = removable.run(signal);
  await removable.warmUp(signal);
  await removable.ready(signal);
  await removable.remove();
  expect(reasons).toEqual(["AbortError: web was removed from its manager"]);
  await over;
  await removable.run(signal);
  expect(starts).toBe(1);
});

it("Removable passes the reason of the group unchanged", async () => {
  const stop = new AbortController();
  const reason = new Error("lost");
  const removable = new Removable({
    name: "web",
    run: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  });
  const over = expect(removable.run(stop.signal)).rejects.toBe(reason);
  stop.abort(reason);
  await over;
});
