import { describe, expect, it } from "vitest";
import type { FailureKind } from "./reflector-failure.ts";
import { initialReflectorState, stepReflector } from "./reflector-state.ts";
import type { ReflectorAction, ReflectorEffect, ReflectorInput, ReflectorRules, ReflectorState } from "./reflector-state.ts";

type Bare<Input> = Input extends ReflectorInput ? Omit<Input, "nowMs" | "chance"> : never;
const rules: ReflectorRules = { firstVersion: "", watchTimeoutMinSeconds: 300 };

/** The machine, driven by hand. */
class Machine {
  state: ReflectorState;
  effects: readonly ReflectorEffect[] = [];
  nowMs = 1000;
  chance = 0;
  readonly rules: ReflectorRules;

  constructor({ watchList = true, ...given }: { readonly watchList?: boolean } & Partial<ReflectorRules> = {}) {
    this.rules = { ...rules, ...given };
    this.state = initialReflectorState(watchList ? 0 : Infinity);
  }

  tell(input: Bare<ReflectorInput>, afterMs = 0): ReflectorEffect | undefined {
    this.nowMs += afterMs;
    [this.state, this.effects] = stepReflector(this.state, { ...input, nowMs: this.nowMs, chance: this.chance }, this.rules);
    return this.effects.at(-1);
  }

  fail(kind: FailureKind, { livedMs = 10, progressed = false, retryAfterMs = 0 } = {}): ReflectorEffect | undefined {
    const failure = { kind, retryAfterMs };
    return this.tell(
      this.state.phase.kind === "watching" ? { kind: "watch-ended", progressed, failure } : { kind: "list-failed", failure },
      livedMs,
    );
  }

  close({ livedMs = 10, progressed = false } = {}): ReflectorEffect | undefined {
    return this.tell({ kind: "watch-ended", progressed, failure: undefined }, livedMs);
  }

  /** Waits as long as it was told to. */
  wait(): ReflectorAction {
    const { phase } = this.state;
    if (phase.kind !== "backing-off") throw new Error(`it is ${phase.kind}`);
    return this.tell({ kind: "waited" }, phase.untilMs - this.nowMs) as ReflectorAction;
  }
}

function watching(version = "100"): Machine {
  const machine = new Machine({ watchList: false });
  machine.tell({ kind: "start" });
  machine.tell({ kind: "listed", version });
  return machine;
}

describe("the first list", () => {
  it("is the beginning of a watch, of the newest state, and goes on as the watch", () => {
    const machine = new Machine();
    expect(machine.tell({ kind: "start" })).toMatchObject({ kind: "list", by: "watch-list", resourceVersion: "" });
    machine.tell({ kind: "listed", version: "7" });
    expect(machine.effects).toEqual([{ kind: "replace", version: "7" }, { kind: "follow" }]);
  });

  it("is in pages when the source cannot do it otherwise, and is of the newest state, or of any as client-go asks", () => {
    expect(new Machine({ watchList: false }).tell({ kind: "start" })).toMatchObject({ by: "pages", resourceVersion: "" });
    expect(new Machine({ watchList: false, firstVersion: "0" }).tell({ kind: "start" })).toMatchObject({
      by: "pages",
      resourceVersion: "0",
    });
    expect(new Machine({ firstVersion: "0" }).tell({ kind: "start" })).toMatchObject({ by: "watch-list", resourceVersion: "" });
  });

  it("falls back to pages when the server does not know watch-list, and tries it again an hour later (§9.3)", () => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.fail("unsupported")).toMatchObject({ kind: "list", by: "pages" });
    expect(machine.effects[0]).toMatchObject({ kind: "watch-list-put-off" });
    machine.tell({ kind: "listed", version: "7" });
    machine.fail("expired", { livedMs: 59 * 60_000 });
    expect(machine.wait()).toMatchObject({ kind: "list", by: "pages", resourceVersion: "7" });
    machine.tell({ kind: "listed", version: "8" });
    machine.fail("expired", { livedMs: 60_000 });
    expect(machine.wait()).toMatchObject({ kind: "list", by: "watch-list", resourceVersion: "8" });
  });

  it("falls back to pages when the initial events never end, and remembers it for ten minutes", () => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.tell({ kind: "watch-list-incomplete" })).toMatchObject({ kind: "list", by: "pages" });
    expect(machine.state.watchListAfterMs).toBe(machine.nowMs + 600_000);
  });

  it.each(["unwilling", "other", "lost", "silent"] as const)("falls back to pages for this once when the watch-list fails: %s", (kind) => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.fail(kind)).toMatchObject({ kind: "list", by: "pages" });
    machine.fail(kind);
    expect(machine.wait()).toMatchObject({ kind: "list", by: "watch-list" });
  });

  it.each(["throttled", "unreachable"] as const)("tries the same again after a while when nobody could answer: %s", (kind) => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.fail(kind, { retryAfterMs: 5000 })).toEqual({ kind: "wait", delayMs: kind === "throttled" ? 5000 : 800 });
    expect(machine.wait()).toMatchObject({ kind: "list", by: "watch-list" });
  });
});

describe("a list again", () => {
  it.each(["expired", "too-large"] as const)(
    "asks for a state not older than ours, and for the newest when that is refused: %s",
    (kind) => {
      const machine = watching("100");
      machine.fail("expired");
      expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "100" });
      expect(machine.fail(kind)).toMatchObject({ kind: "list", resourceVersion: "" });
      expect(machine.fail(kind)).toMatchObject({ kind: "wait" });
      expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "" });
      machine.tell({ kind: "listed", version: "120" });
      machine.fail("expired");
      expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "120" });
    },
  );

  it("is not used when it is older than what we have", () => {
    const machine = watching("100");
    machine.fail("expired");
    machine.wait();
    machine.tell({ kind: "listed", version: "90" });
    expect(machine.effects).toMatchObject([{ kind: "refused-list", version: "90", have: "100" }, { kind: "wait" }]);
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "" });
    expect(machine.tell({ kind: "listed", version: "101" })).toMatchObject({ kind: "watch", resourceVersion: "101" });
    expect(machine.state).toMatchObject({ epoch: 0, lower: undefined });
  });

  it("begins a new epoch when lists stay older, three of them over at least ten seconds", () => {
    const machine = watching("100");
    machine.fail("expired");
    machine.wait();
    let lists = 0;
    const began = machine.nowMs;
    do {
      machine.tell({ kind: "listed", version: "90" });
      lists++;
      if (machine.state.phase.kind === "backing-off") machine.wait();
    } while (machine.state.epoch === 0);
    expect(lists).toBeGreaterThanOrEqual(3);
    expect(machine.nowMs - began).toBeGreaterThanOrEqual(10_000);
    expect(machine.effects).toMatchObject([
      { kind: "new-epoch", from: "100", to: "90" },
      { kind: "replace", version: "90" },
      { kind: "watch", resourceVersion: "90" },
    ]);
  });

  it("takes whatever comes when versions cannot be compared", () => {
    const machine = watching("b");
    machine.fail("expired");
    machine.wait();
    expect(machine.tell({ kind: "listed", version: "a" })).toMatchObject({ kind: "watch", resourceVersion: "a" });
  });
});

describe("the end of a watch", () => {
  it("in good order is followed by the next at once, from the last version, without a list", () => {
    const machine = watching("100");
    machine.tell({ kind: "progressed", version: "105" });
    expect(machine.close({ livedMs: 420_000, progressed: true })).toMatchObject({ kind: "watch", resourceVersion: "105" });
  });

  it("within a second waits a step, even with events, so that no server can make us spin", () => {
    const machine = watching();
    expect(machine.close({ livedMs: 900, progressed: true })).toEqual({ kind: "wait", delayMs: 800 });
    expect(machine.wait()).toMatchObject({ kind: "watch" });
  });

  it("without a word, three times within ten seconds, leads to a list of the newest state", () => {
    const machine = watching();
    const actions = [];
    for (let times = 0; times < 3; times++) {
      machine.close();
      actions.push(machine.wait());
    }
    expect(actions).toMatchObject([{ kind: "watch" }, { kind: "watch" }, { kind: "list", resourceVersion: "" }]);
  });

  it.each([
    ["expired", "list"],
    ["too-large", "list"],
    ["protocol", "list"],
    ["other", "list"],
    ["unsupported", "list"],
    ["throttled", "watch"],
    ["unreachable", "watch"],
    ["unwilling", "watch"],
    ["lost", "watch"],
    ["silent", "watch"],
  ] as const)("with %s leads, after a step of the backoff, to a %s", (kind, next) => {
    const machine = watching();
    expect(machine.fail(kind)).toEqual({ kind: "wait", delayMs: 800 });
    expect(machine.wait()).toMatchObject({ kind: next, resourceVersion: "100" });
  });

  it.each(["throttled", "unreachable"] as const)("never leads to a list by itself, however often: %s", (kind) => {
    const machine = watching();
    for (let times = 0; times < 50; times++) {
      machine.fail(kind);
      expect(machine.wait()).toMatchObject({ kind: "watch" });
    }
  });

  it.each(["unwilling", "lost", "silent"] as const)("leads to a list when it happens three times without progress: %s", (kind) => {
    const machine = watching();
    const actions = [];
    for (let times = 0; times < 3; times++) {
      machine.fail(kind, { livedMs: kind === "silent" ? 150_000 : 10 });
      actions.push(machine.wait().kind);
    }
    expect(actions).toEqual(["watch", "watch", "list"]);
  });

  it("of a stream that worked and broke is a pause of less than a second, at random", () => {
    const machine = watching();
    machine.chance = 0.5;
    expect(machine.fail("lost", { livedMs: 5000, progressed: true })).toEqual({ kind: "wait", delayMs: 400 });
  });

  it.each(["", "0"])("of a server that gives no versions (%j) leads to a list, however it ended", (version) => {
    for (const end of [
      (machine: Machine) => machine.close({ livedMs: 400_000, progressed: true }),
      (machine: Machine) => machine.fail("lost", { livedMs: 400_000, progressed: true }),
      (machine: Machine) => machine.fail("throttled"),
    ]) {
      const machine = watching(version);
      end(machine);
      expect(machine.wait()).toMatchObject({ kind: "list" });
    }
  });

  it("because somebody asked leads to the newest state at once; so does asking during a wait", () => {
    const machine = watching();
    expect(machine.fail("asked")).toMatchObject({ kind: "list", resourceVersion: "" });
    machine.fail("unreachable");
    expect(machine.tell({ kind: "asked" }, 5)).toMatchObject({ kind: "list", resourceVersion: "" });
  });
});

describe("the backoff", () => {
  it("doubles from 0.8 s to 30 s and is lengthened by up to itself", () => {
    const machine = watching();
    const delays = Array.from({ length: 8 }, () => {
      const act = machine.fail("unreachable");
      machine.wait();
      return act?.kind === "wait" ? act.delayMs : 0;
    });
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    machine.chance = 0.999;
    expect(machine.fail("unreachable")).toEqual({ kind: "wait", delayMs: 59_970 });
  });

  it("waits as long as the server asks, when that is longer, and never more than five minutes", () => {
    expect(watching().fail("throttled", { retryAfterMs: 17_000 })).toEqual({ kind: "wait", delayMs: 17_000 });
    expect(watching().fail("throttled", { retryAfterMs: 86_400_000 })).toEqual({ kind: "wait", delayMs: 300_000 });
  });

  it("begins anew after two minutes of a watch, silent ones too, and after an end in good order with progress", () => {
    const failing = (): Machine => {
      const machine = watching();
      for (let times = 0; times < 4; times++) {
        machine.fail("unreachable");
        machine.wait();
      }
      return machine;
    };
    const healthy = failing();
    expect(healthy.fail("expired", { livedMs: 120_000 })).toEqual({ kind: "wait", delayMs: 800 });
    const orderly = failing();
    orderly.close({ livedMs: 1000, progressed: true });
    expect(orderly.fail("unreachable")).toEqual({ kind: "wait", delayMs: 800 });
    const short = failing();
    expect(short.fail("expired", { livedMs: 119_000 })).toEqual({ kind: "wait", delayMs: 12_800 });
    const silent = failing();
    expect(silent.fail("silent", { livedMs: 150_000 })).toEqual({ kind: "wait", delayMs: 800 });
  });

  it("is not forgotten because a list worked", () => {
    const machine = watching();
    const delays = Array.from({ length: 4 }, () => {
      const act = machine.fail("other");
      machine.wait();
      machine.tell({ kind: "listed", version: "100" });
      return act?.kind === "wait" ? act.delayMs : 0;
    });
    expect(delays).toEqual([800, 1600, 3200, 6400]);
  });
});

describe("the time a watch is asked to last", () => {
  const seconds = (given: Partial<ReflectorRules>, chance: number): number | undefined => {
    const machine = new Machine(given);
    machine.chance = chance;
    const act = machine.tell({ kind: "start" });
    return act?.kind === "list" ? act.timeoutSeconds : undefined;
  };

  it("is five to ten minutes, at random", () => {
    expect([seconds({}, 0), seconds({}, 0.5), seconds({}, 0.9999)]).toEqual([300, 450, 599]);
  });

  it("can be longer and not shorter", () => {
    expect([seconds({ watchTimeoutMinSeconds: 1800 }, 0), seconds({ watchTimeoutMinSeconds: 1 }, 0)]).toEqual([1800, 300]);
  });
});

describe("a caller's mistake", () => {
  it("is named", () => {
    expect(() => new Machine().tell({ kind: "waited" })).toThrow('a reflector that is empty cannot be told "waited"');
  });

  it("does not move the version back", () => {
    const machine = watching("100");
    machine.tell({ kind: "progressed", version: "90" });
    expect(machine.state.version).toBe("100");
  });
});
