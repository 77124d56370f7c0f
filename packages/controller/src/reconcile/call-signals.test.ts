import { describe, expect, it } from "vitest";
import { CallSignals } from "./call-signals.ts";

function run(): { readonly abort: (reason: unknown) => void; readonly listeners: () => number; readonly calls: CallSignals } {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  return { abort: (reason) => controller.abort(reason), listeners: () => listeners, calls: new CallSignals({ signal }) };
}

describe("CallSignals", () => {
  it("abort with the run, all with its reason, through one listener", () => {
    const { abort, listeners, calls } = run();
    const signals = [1, 2, 3].map(() => calls.begin(undefined).signal);
    expect([signals.map(({ aborted }) => aborted), listeners()]).toEqual([[false, false, false], 1]);
    abort("over");
    expect(signals.map(({ reason }) => reason as unknown)).toEqual(["over", "over", "over"]);
    expect(calls.begin(undefined).signal.reason).toBe("over");
  });

  it("abort with the call's own signal as well", () => {
    const { abort, calls } = run();
    const own = new AbortController();
    const [first, second] = [calls.begin(own.signal).signal, calls.begin(new AbortController().signal).signal];
    own.abort("enough");
    expect([first.reason as unknown, second.aborted]).toEqual(["enough", false]);
    abort("over");
    expect(second.reason).toBe("over");
  });

  it("do not abort once released", () => {
    const { abort, calls } = run();
    const { signal, release } = calls.begin(undefined);
    release();
    abort("over");
    expect(signal.aborted).toBe(false);
  });
});
