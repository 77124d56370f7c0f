import { expect, it } from "vitest";
import { untilAborted } from "./until-aborted.ts";

it("untilAborted resolves when the signal aborts, and immediately if it already has", async () => {
  const stop = new AbortController();
  let isOver = false;
  const over = untilAborted(stop.signal).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  stop.abort(new Error("whatever"));
  await over;
  await untilAborted(stop.signal);
});
