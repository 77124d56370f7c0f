import { describe, expect, it } from "vitest";
import type { Failure, FailureKind } from "./reflector-failure.ts";
import { initialReflectorState, stepReflector } from "./reflector-state.ts";
import type { ReflectorAction, ReflectorEffect, ReflectorInput, ReflectorRules, ReflectorState } from "./reflector-state.ts";

type Bare<Input> = Input extends ReflectorInput ? Omit<Input, "nowMs" | "chance"> : never;
const rules: ReflectorRules = { firstVersion: "", watchTimeoutMinSeconds: 300 };

/** The state machine, driven by the test. */
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

  /** Waits for the requested delay. */
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

describe("stepReflector: the first list", () => {
  it("is a watch-list of the newest state, and continues as the watch", () => {
    const machine = new Machine();
    expect(machine.tell({ kind: "start" })).toMatchObject({ kind: "list", by: "watch-list", resourceVersion: "" });
    machine.tell({ kind: "listed", version: "7" });
    expect(machine.effects).toEqual([{ kind: "replace", version: "7", isNewEpoch: false }, { kind: "follow" }]);
  });

  it("is in pages if the source does not support watch-list, of the newest state, or of any with firstVersion 0", () => {
    expect(new Machine({ watchList: false }).tell({ kind: "start" })).toMatchObject({ by: "pages", resourceVersion: "" });
    expect(new Machine({ watchList: false, firstVersion: "0" }).tell({ kind: "start" })).toMatchObject({
      by: "pages",
      resourceVersion: "0",
    });
    expect(new Machine({ firstVersion: "0" }).tell({ kind: "start" })).toMatchObject({ by: "watch-list", resourceVersion: "" });
  });

  it("falls back to pages when the server does not support watch-list, and tries it again an hour later (§9.3)", () => {
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

  it("falls back to pages when the initial events do not complete, and avoids watch-list for ten minutes", () => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.tell({ kind: "watch-list-incomplete" })).toMatchObject({ kind: "list", by: "pages" });
    expect(machine.state.watchListAfterMs).toBe(machine.nowMs + 600_000);
  });

  it.each(["unwilling", "other", "lost", "silent"] as const)("falls back to pages once when the watch-list fails: %s", (kind) => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.fail(kind)).toMatchObject({ kind: "list", by: "pages" });
    machine.fail(kind);
    expect(machine.wait()).toMatchObject({ kind: "list", by: "watch-list" });
  });

  it.each(["throttled", "unreachable"] as const)("retries the watch-list after a backoff without a response: %s", (kind) => {
    const machine = new Machine();
    machine.tell({ kind: "start" });
    expect(machine.fail(kind, { retryAfterMs: 5000 })).toEqual({ kind: "wait", delayMs: kind === "throttled" ? 5000 : 400 });
    expect(machine.wait()).toMatchObject({ kind: "list", by: "watch-list" });
  });
});

describe("stepReflector: a relist", () => {
  it.each(["expired", "too-large"] as const)("requests a state not older than ours, and the newest if that fails: %s", (kind) => {
    const machine = watching("100");
    machine.fail("expired");
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "100" });
    expect(machine.fail(kind)).toMatchObject({ kind: "list", resourceVersion: "" });
    expect(machine.fail(kind)).toMatchObject({ kind: "wait" });
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "" });
    machine.tell({ kind: "listed", version: "120" });
    machine.fail("expired");
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "120" });
  });

  it("is dropped when it is older than our version", () => {
    const machine = watching("100");
    machine.fail("expired");
    machine.wait();
    machine.tell({ kind: "listed", version: "90" });
    expect(machine.effects).toMatchObject([{ kind: "refused-list", version: "90", have: "100" }, { kind: "wait" }]);
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "" });
    expect(machine.tell({ kind: "listed", version: "101" })).toMatchObject({ kind: "watch", resourceVersion: "101" });
    expect(machine.state).toMatchObject({ epoch: 0, lower: undefined });
  });

  it("starts a new epoch after three older lists over at least ten seconds", () => {
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
      { kind: "replace", version: "90", isNewEpoch: true },
      { kind: "watch", resourceVersion: "90" },
    ]);
  });

  it("is accepted when versions cannot be compared", () => {
    const machine = watching("b");
    machine.fail("expired");
    machine.wait();
    expect(machine.tell({ kind: "listed", version: "a" })).toMatchObject({ kind: "watch", resourceVersion: "a" });
  });
});

describe("stepReflector: the end of a watch", () => {
  it("by a normal close leads to the next watch at once, from the last version, without a list", () => {
    const machine = watching("100");
    machine.tell({ kind: "progressed", version: "105" });
    expect(machine.close({ livedMs: 420_000, progressed: true })).toMatchObject({ kind: "watch", resourceVersion: "105" });
  });

  it("within a second waits half a step, even with events, so that no server can cause a hot loop", () => {
    const machine = watching();
    expect(machine.close({ livedMs: 900, progressed: true })).toEqual({ kind: "wait", delayMs: 400 });
    expect(machine.wait()).toMatchObject({ kind: "watch" });
  });

  it("leads to the next watch within 0.8 s, however often, if every stream has made progress before it broke or was closed", () => {
    const machine = watching();
    for (let times = 0; times < 50; times++) {
      expect(machine.fail("lost", { livedMs: 100, progressed: true })).toEqual({ kind: "wait", delayMs: 400 });
      expect(machine.wait()).toMatchObject({ kind: "watch" });
      expect(machine.close({ livedMs: 100, progressed: true })).toEqual({ kind: "wait", delayMs: 400 });
      expect(machine.wait()).toMatchObject({ kind: "watch" });
    }
  });

  it("without an event, three times within ten seconds, leads to a list of the newest state", () => {
    const machine = watching();
    const actions = [];
    for (let times = 0; times < 3; times++) {
      machine.close();
      actions.push(machine.wait());
    }
    expect(actions).toMatchObject([{ kind: "watch" }, { kind: "watch" }, { kind: "list", resourceVersion: "" }]);
  });

  it.each([
    ["too-large", "list"],
    ["protocol", "list"],
    ["other", "list"],
    ["unsupported", "list"],
    ["throttled", "watch"],
    ["unwilling", "watch"],
    ["lost", "watch"],
    ["silent", "watch"],
  ] as const)("with %s leads, after a step of the backoff, to a %s", (kind, next) => {
    const machine = watching();
    expect(machine.fail(kind)).toEqual({ kind: "wait", delayMs: 800 });
    expect(machine.wait()).toMatchObject({ kind: next, resourceVersion: "100" });
  });

  it.each(["throttled", "unreachable"] as const)("never leads to a list, however often: %s", (kind) => {
    const machine = watching();
    for (let times = 0; times < 50; times++) {
      machine.fail(kind);
      expect(machine.wait()).toMatchObject({ kind: "watch" });
    }
  });

  it.each(["unwilling", "lost", "silent"] as const)("leads to a list after three times without progress: %s", (kind) => {
    const machine = watching();
    const actions = [];
    for (let times = 0; times < 3; times++) {
      machine.fail(kind, { livedMs: kind === "silent" ? 150_000 : 10 });
      actions.push(machine.wait().kind);
    }
    expect(actions).toEqual(["watch", "watch", "list"]);
  });

  it("after a stream that worked leads to a random pause of less than a second", () => {
    const machine = watching();
    machine.chance = 0.5;
    expect(machine.fail("lost", { livedMs: 5000, progressed: true })).toEqual({ kind: "wait", delayMs: 400 });
  });

  it.each(["", "0"])("of a server without versions (%j) leads to a list, however it ended", (version) => {
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

  it("because of a requested relist leads to a list of the newest state at once, also during a wait", () => {
    const machine = watching();
    expect(machine.fail("asked")).toMatchObject({ kind: "list", resourceVersion: "" });
    machine.fail("unreachable");
    expect(machine.tell({ kind: "asked" }, 5)).toMatchObject({ kind: "list", resourceVersion: "" });
  });
});

describe("stepReflector: the backoff", () => {
  const delaysOf = (machine: Machine, kind: "unreachable" | "unwilling" | "throttled", length: number): readonly number[] =>
    Array.from({ length }, () => {
      const act = machine.fail(kind);
      machine.wait();
      return act?.kind === "wait" ? act.delayMs : 0;
    });

  it("does not begin while a server that cannot be reached may be restarting: 60 retries after 0.4 to 0.8 s each", () => {
    const machine = watching();
    expect(delaysOf(machine, "unreachable", 30)).toEqual(Array.from({ length: 30 }, () => 400));
    machine.chance = 0.5;
    expect(delaysOf(machine, "unreachable", 30)).toEqual(Array.from({ length: 30 }, () => 600));
    expect(delaysOf(machine, "unreachable", 2)).toEqual([1200, 2400]);
    // A response, whatever it says, comes from a server that is back.
    machine.fail("throttled");
    machine.wait();
    expect(delaysOf(machine, "unreachable", 1)).toEqual([600]);
  });

  it("does not delay the first relist after a restart without history by more than 0.8 s", () => {
    const machine = watching();
    delaysOf(machine, "unreachable", 5);
    machine.chance = 0.5;
    expect(machine.fail("expired")).toEqual({ kind: "wait", delayMs: 400 });
    expect(machine.wait()).toMatchObject({ kind: "list", resourceVersion: "100" });
    machine.tell({ kind: "listed", version: "100" });
    machine.fail("expired");
    machine.wait();
    machine.tell({ kind: "listed", version: "100" });
    expect(machine.fail("expired")).toEqual({ kind: "wait", delayMs: 4800 });
  });

  it("doubles from 0.8 s to 30 s, with jitter of up to 100 %", () => {
    const machine = watching();
    const delays = delaysOf(machine, "throttled", 8);
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    machine.chance = 0.999;
    expect(machine.fail("throttled")).toEqual({ kind: "wait", delayMs: 59_970 });
  });

  it("waits as long as the server requests, if that is longer, and at most five minutes", () => {
    expect(watching().fail("throttled", { retryAfterMs: 17_000 })).toEqual({ kind: "wait", delayMs: 17_000 });
    expect(watching().fail("throttled", { retryAfterMs: 86_400_000 })).toEqual({ kind: "wait", delayMs: 300_000 });
  });

  it("is reset after two minutes of a watch, also a silent one, and after a second with progress", () => {
    const failing = (): Machine => {
      const machine = watching();
      for (let times = 0; times < 4; times++) {
        machine.fail("throttled");
        machine.wait();
      }
      return machine;
    };
    const healthy = failing();
    expect(healthy.fail("other", { livedMs: 120_000 })).toEqual({ kind: "wait", delayMs: 800 });
    const orderly = failing();
    orderly.close({ livedMs: 1000, progressed: true });
    expect(orderly.fail("throttled")).toEqual({ kind: "wait", delayMs: 800 });
    const broken = failing();
    broken.fail("lost", { livedMs: 1000, progressed: true });
    broken.wait();
    expect(broken.fail("throttled")).toEqual({ kind: "wait", delayMs: 800 });
    const short = failing();
    expect(short.fail("other", { livedMs: 119_000 })).toEqual({ kind: "wait", delayMs: 12_800 });
    const silent = failing();
    expect(silent.fail("silent", { livedMs: 150_000 })).toEqual({ kind: "wait", delayMs: 800 });
  });

  it("is not reset by a successful list", () => {
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

describe("stepReflector: the requested duration of a watch", () => {
  const seconds = (given: Partial<ReflectorRules>, chance: number): number | undefined => {
    const machine = new Machine(given);
    machine.chance = chance;
    const act = machine.tell({ kind: "start" });
    return act?.kind === "list" ? act.timeoutSeconds : undefined;
  };

  it("is five to ten minutes, at random", () => {
    expect([seconds({}, 0), seconds({}, 0.5), seconds({}, 0.9999)]).toEqual([300, 450, 599]);
  });

  it("can be longer but not shorter", () => {
    expect([seconds({ watchTimeoutMinSeconds: 1800 }, 0), seconds({ watchTimeoutMinSeconds: 1 }, 0)]).toEqual([1800, 300]);
  });
});

describe("stepReflector: an input that does not fit the phase", () => {
  it("throws an error that names phase and input", () => {
    expect(() => new Machine().tell({ kind: "waited" })).toThrow('reflector in phase empty received the unexpected input "waited"');
  });

  it("does not move the version back", () => {
    const machine = watching("100");
    machine.tell({ kind: "progressed", version: "90" });
    expect(machine.state.version).toBe("100");
  });
});

describe("stepReflector with the state of an earlier process", () => {
  const at = { nowMs: 0, chance: 0 } as const;
  const none = { ...initialReflectorState(Infinity) };
  const [probing] = stepReflector(none, { ...at, kind: "start", kept: "100" }, rules);
  const probed = (version: string, more: object = {}): ReturnType<typeof stepReflector> =>
    stepReflector(probing, { ...at, kind: "probed", version, isSameServer: true, isShort: false, ...more }, rules);
  const kinds = ([, effects]: ReturnType<typeof stepReflector>): string[] => effects.map(({ kind }) => kind);

  it("asks the server for its version first", () => {
    expect(kinds(stepReflector(none, { ...at, kind: "start", kept: "100" }, rules))).toEqual(["probe"]);
  });

  it("watches at the same version, catches up with a later one, and drops the state before an earlier or opaque one", () => {
    expect(kinds(probed("100"))).toEqual(["restore", "caught-up", "watch"]);
    expect(probed("105")[1]).toEqual([
      { kind: "restore", version: "100", next: "watch" },
      { kind: "catch-up", resourceVersion: "100", until: "105", timeoutSeconds: 3 },
    ]);
    for (const version of ["99", "abc", ""]) expect(kinds(probed(version))).toEqual(["drop-kept", "list"]);
    expect(kinds(probed("105", { isSameServer: false }))).toEqual(["drop-kept", "list"]);
    expect(probed("105", { isShort: true })[1]).toMatchObject([
      { kind: "restore", next: "list" },
      { kind: "list", resourceVersion: "" },
    ]);
  });

  it("probes again while the server is away or unwilling, and lists where it cannot answer", () => {
    const failed = (kind: Failure["kind"]): ReturnType<typeof stepReflector> =>
      stepReflector(probing, { ...at, kind: "probe-failed", failure: { kind, retryAfterMs: 0 } }, rules);
    for (const kind of ["unreachable", "throttled", "unwilling"] as const) {
      const [waiting, effects] = failed(kind);
      expect(effects).toMatchObject([{ kind: "wait" }]);
      expect(kinds(stepReflector(waiting, { ...at, kind: "waited" }, rules))).toEqual(["probe"]);
    }
    expect(kinds(failed("other"))).toEqual(["drop-kept", "list"]);
  });

  it("lists the newest state when it cannot catch up: at once if the server has answered", () => {
    const [catching] = probed("105");
    const ended = (failure: Failure | undefined): ReturnType<typeof stepReflector> =>
      stepReflector(catching, { ...at, kind: "watch-ended", progressed: false, failure }, rules);
    for (const kind of ["expired", "too-large", "lost", "other"] as const)
      expect(ended({ kind, retryAfterMs: 0 })[1]).toMatchObject([{ kind: "list", resourceVersion: "" }]);
    expect(ended(undefined)[1]).toMatchObject([{ kind: "list", resourceVersion: "" }]);
    expect(kinds(ended({ kind: "unreachable", retryAfterMs: 0 }))).toEqual(["wait"]);
  });
});
