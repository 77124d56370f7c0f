import { describe, expect, it } from "vitest";
import type { HandlerRegistration, HandlerState } from "../handlers/handler-runner.ts";
import type { Informer } from "./informer.ts";
import { JoinedInformer } from "./joined-informer.ts";
import type { TestPod } from "../testing/pod-version.ts";

/** A part that supports only handlers. */
function part(name: string, state: Partial<HandlerState>, removed: string[]): Informer<TestPod> {
  const whole: HandlerState = { name: "mine", hasSynced: true, pendingKeys: 0, running: undefined, errors: 0, givenUp: 0, ...state };
  const registration: HandlerRegistration = {
    name: "mine",
    hasSynced: whole.hasSynced,
    synced: () => Promise.resolve(),
    remove: () => {
      removed.push(name);
    },
    state: () => whole,
  };
  return { name, size: 1, hasSynced: true, indexNames: [], addHandler: () => registration } as unknown as Informer<TestPod>;
}

describe("JoinedInformer", () => {
  it("combines the handler states of its parts, and has synced when all have", () => {
    const removed: string[] = [];
    const running = { key: "shop/web", ms: 5 } as HandlerState["running"];
    const joined = new JoinedInformer<TestPod>(
      [part("a", { pendingKeys: 1, errors: 2 }, removed), part("b", { hasSynced: false, pendingKeys: 3, givenUp: 1, running }, removed)],
      { group: "", resource: "pod" },
    );
    const registration = joined.addHandler(() => undefined);
    expect(registration.state()).toEqual({ name: "mine", hasSynced: false, pendingKeys: 4, running, errors: 2, givenUp: 1 });
    expect([joined.name, joined.size, registration.hasSynced]).toEqual(["a, b", 2, false]);
    registration.remove();
    joined.release();
    expect(removed).toEqual(["a", "b"]);
  });

  it("removes its handlers and indexes when it is released", () => {
    const removed: string[] = [];
    const joined = new JoinedInformer<TestPod>([part("a", {}, removed)], { group: "", resource: "pod" });
    joined.addHandler(() => undefined);
    joined.addHandler(() => undefined);
    joined.release();
    expect(removed).toEqual(["a", "a"]);
    expect(() => joined.addHandler(() => undefined)).toThrow("this lease was released; acquire another");
  });
});
