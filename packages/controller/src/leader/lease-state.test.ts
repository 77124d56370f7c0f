import type { Lease } from "@drover/api/coordination/v1";
import { describe, expect, it } from "vitest";
import { initialLeaseState, isLeaseAction, isOver, stepLease } from "./lease-state.ts";
import type { LeaseEffect, LeaseInput, LeaseRules, LeaseState } from "./lease-state.ts";

const rules: LeaseRules = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
  lease: { namespace: "shop", name: "web" },
  identity: "me",
  durationSeconds: 15,
  labels: {},
};
const wallOffset = Date.UTC(2026, 0, 1);

type Told = LeaseInput extends infer Input ? (Input extends LeaseInput ? Omit<Input, "at" | "random"> : never) : never;

/** A candidate whose clock and responses the test controls. */
class Candidate {
  state: LeaseState = initialLeaseState();
  nowMs = 0;
  wallMs = wallOffset;
  #version = 0;

  tell(told: Told, random = 0.5): readonly LeaseEffect[] {
    const [state, effects] = stepLease(this.state, { ...told, at: { monotonicMs: this.nowMs, wallMs: this.wallMs }, random }, rules);
    this.state = state;
    return effects;
  }

  after(ms: number): this {
    this.nowMs += ms;
    this.wallMs += ms;
    return this;
  }

  read(spec: Lease["spec"]): readonly LeaseEffect[] {
    return this.tell({ kind: "read", lease: this.version(spec) });
  }

  /** Accepts what was just requested. */
  accept(effects: readonly LeaseEffect[]): readonly LeaseEffect[] {
    return this.tell({ kind: "written", lease: this.version(written(effects).spec) });
  }

  version(spec: Lease["spec"]): Lease {
    return {
      metadata: { name: "web", namespace: "shop", resourceVersion: String(++this.#version) },
      ...(spec === undefined ? {} : { spec }),
    };
  }

  /** A candidate that holds the lease from now on. */
  static leading(): Candidate {
    const candidate = new Candidate();
    candidate.tell({ kind: "start" });
    candidate.accept(candidate.tell({ kind: "absent" }));
    return candidate;
  }
}

function written(effects: readonly LeaseEffect[]): Lease {
  const write = effects.find(
    (effect): effect is LeaseEffect & { readonly kind: "create" | "update" } => effect.kind === "create" || effect.kind === "update",
  );
  if (write === undefined) throw new Error(`no write in ${JSON.stringify(effects)}`);
  return write.lease as Lease;
}

const kinds = (effects: readonly LeaseEffect[]): readonly string[] => effects.map(({ kind }) => kind);
const theirs = { holderIdentity: "other", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z", leaseTransitions: 1 };

describe("stepLease, reading the lease", () => {
  const started = (): Candidate => {
    const candidate = new Candidate();
    expect(kinds(candidate.tell({ kind: "start" }))).toEqual(["read"]);
    return candidate;
  };

  it("creates the lease if there is none, as the first holder", () => {
    const candidate = started();
    const effects = candidate.tell({ kind: "absent" });
    expect(kinds(effects)).toEqual(["create"]);
    expect(written(effects).spec).toMatchObject({ holderIdentity: "me", leaseTransitions: 0, leaseDurationSeconds: 15 });
    expect(kinds(candidate.accept(effects))).toEqual(["held", "wait"]);
  });

  it.each<readonly [string, Lease["spec"]]>([
    ["without a record", undefined],
    ["with an empty record", {}],
    [
      "that its holder has just released",
      { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: theirs.renewTime, renewTime: theirs.renewTime, leaseTransitions: 1 },
    ],
  ])("takes a lease %s immediately", (_, spec) => {
    const effects = started().read(spec);
    expect(kinds(effects)).toEqual(["update"]);
    expect(written(effects).spec).toMatchObject({ holderIdentity: "me", leaseTransitions: (spec?.leaseTransitions ?? 0) + 1 });
  });

  it("takes a lease with its own identity immediately, without a transition", () => {
    const effects = started().read({ ...theirs, holderIdentity: "me", acquireTime: "2025-01-01T00:00:00.000000Z" });
    expect(written(effects).spec).toMatchObject({ holderIdentity: "me", leaseTransitions: 1, acquireTime: "2025-01-01T00:00:00.000000Z" });
  });

  it.each([
    ["its duration", 20, 20_000],
    ["its own duration, if that is longer", 3, 15_000],
    ["its own duration, if that in the lease is absurd", 2 ** 31 - 1, 15_000],
  ])("waits for another's lease for %s, from when it first saw it (SEC8)", (_, leaseDurationSeconds, waitMs) => {
    const candidate = started();
    const lease = candidate.version({ ...theirs, leaseDurationSeconds });
    expect(kinds(candidate.tell({ kind: "read", lease }))).toEqual(["wait"]);
    candidate.after(waitMs - 1).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "read", lease }))).toEqual(["wait"]);
    candidate.after(1).tell({ kind: "waited" });
    const effects = candidate.tell({ kind: "read", lease });
    expect(written(effects).spec).toMatchObject({ holderIdentity: "me", leaseTransitions: 2, leaseDurationSeconds: 15 });
    expect(kinds(candidate.accept(effects))).toEqual(["held", "wait"]);
  });

  it("leads only after a trial if the metadata of another's lease changed while it waited: a renewal may have been restored away (SEC8)", () => {
    const candidate = started();
    candidate.read(theirs);
    candidate.after(15_000).tell({ kind: "waited" });
    expect(kinds(candidate.accept(candidate.read(theirs)))).toEqual(["wait"]);
    for (let passedMs = 0; passedMs < 14_000; passedMs += 2000)
      expect(kinds(candidate.accept(candidate.after(2000).tell({ kind: "waited" })))).toEqual(["wait"]);
    expect(kinds(candidate.accept(candidate.after(2000).tell({ kind: "waited" })))).toEqual(["held", "wait"]);
  });

  it.each<readonly [string, Lease["spec"]]>([
    ["a holder that somebody cleared", { ...theirs, holderIdentity: "" }],
    ["its own name, which it did not write", { ...theirs, holderIdentity: "me", renewTime: "2025-01-01T00:00:00.000000Z" }],
    [
      "the release of an earlier term",
      { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: theirs.renewTime, renewTime: theirs.renewTime, leaseTransitions: 0 },
    ],
  ])("waits a full duration after it saw another's lease with %s (SEC8)", (_, spec) => {
    const candidate = started();
    candidate.read(theirs);
    candidate.after(2000).tell({ kind: "waited" });
    const lease = candidate.version(spec);
    expect(kinds(candidate.tell({ kind: "read", lease }))).toEqual(["wait"]);
    candidate.after(14_999).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "read", lease }))).toEqual(["wait"]);
    candidate.after(1).tell({ kind: "waited" });
    const effects = candidate.tell({ kind: "read", lease });
    expect(written(effects).spec?.leaseTransitions).toBeGreaterThanOrEqual(1);
    expect(kinds(candidate.accept(effects))).toEqual(["held", "wait"]);
  });

  it("starts to wait again when the spec changes, not when only labels change", () => {
    const candidate = started();
    candidate.read(theirs);
    candidate.after(14_000).tell({ kind: "waited" });
    candidate.read({ ...theirs, renewTime: "2026-01-01T00:00:14.000000Z" });
    candidate.after(14_000).tell({ kind: "waited" });
    expect(kinds(candidate.read({ ...theirs, renewTime: "2026-01-01T00:00:14.000000Z" }))).toEqual(["wait"]);
    candidate.after(1000).tell({ kind: "waited" });
    expect(kinds(candidate.read({ ...theirs, renewTime: "2026-01-01T00:00:14.000000Z" }))).toEqual(["update"]);
  });

  it.each(["1970-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"])(
    "D4: ignores that the record is from %s, and its own wall clock",
    (renewTime) => {
      const candidate = started();
      expect(kinds(candidate.read({ ...theirs, renewTime }))).toEqual(["wait"]);
      candidate.wallMs += 3_600_000;
      candidate.tell({ kind: "waited" });
      expect(kinds(candidate.read({ ...theirs, renewTime }))).toEqual(["wait"]);
      candidate.wallMs -= 7_200_000;
      candidate.nowMs += 15_000;
      candidate.tell({ kind: "waited" });
      expect(kinds(candidate.read({ ...theirs, renewTime }))).toEqual(["update"]);
    },
  );

  it("D14: uses its own duration for a lease without one", () => {
    const candidate = started();
    expect(kinds(candidate.read({ holderIdentity: "other" }))).toEqual(["wait"]);
    candidate.after(15_000).tell({ kind: "waited" });
    expect(kinds(candidate.read({ holderIdentity: "other" }))).toEqual(["update"]);
  });

  it("does not create a deleted lease again until its holder must have stopped, and leads only after a trial (SEC8)", () => {
    const candidate = started();
    candidate.read(theirs);
    candidate.after(10_000).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "absent" }))).toEqual(["wait"]);
    candidate.after(14_999).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "absent" }))).toEqual(["wait"]);
    candidate.after(1).tell({ kind: "waited" });
    const effects = candidate.tell({ kind: "absent" });
    expect(kinds(effects)).toEqual(["create"]);
    expect(written(effects)).toMatchObject({ metadata: { name: "web", namespace: "shop" }, spec: { leaseTransitions: 2 } });
    expect(written(effects).metadata.resourceVersion).toBeUndefined();
    expect(kinds(candidate.accept(effects))).toEqual(["wait"]);
    for (let passedMs = 0; passedMs < 14_000; passedMs += 2000)
      expect(kinds(candidate.accept(candidate.after(2000).tell({ kind: "waited" })))).toEqual(["wait"]);
    expect(kinds(candidate.accept(candidate.after(2000).tell({ kind: "waited" })))).toEqual(["held", "wait"]);
  });

  it("starts the trial again after any write of somebody else (SEC8)", () => {
    const candidate = started();
    candidate.read(theirs);
    candidate.tell({ kind: "waited" });
    candidate.tell({ kind: "absent" });
    candidate.after(15_000).tell({ kind: "waited" });
    candidate.accept(candidate.tell({ kind: "absent" }));
    candidate.after(14_000).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "conflict" }))).toEqual(["read"]);
    expect(kinds(candidate.tell({ kind: "absent" }))).toEqual(["wait"]);
    expect(candidate.state.trial).toBeUndefined();
  });

  it("retries after 1 to 2.2 periods, after any failure", () => {
    for (const [random, delayMs] of [
      [0, 2000],
      [0.5, 3200],
    ] as const) {
      expect(started().tell({ kind: "read-failed" }, random)).toEqual([{ kind: "wait", delayMs }]);
      const refused = started();
      refused.tell({ kind: "absent" });
      expect(refused.tell({ kind: "conflict" }, random)).toEqual([{ kind: "wait", delayMs }]);
      const unanswered = started();
      unanswered.read({});
      expect(unanswered.tell({ kind: "write-failed" }, random)).toEqual([{ kind: "wait", delayMs }]);
    }
  });

  it("recognises its own claim if the response was lost", () => {
    const candidate = started();
    const { spec } = written(candidate.tell({ kind: "absent" }));
    candidate.tell({ kind: "write-failed" });
    candidate.after(3000).tell({ kind: "waited" });
    const effects = candidate.read(spec);
    expect(kinds(effects)).toEqual(["update"]);
    expect(kinds(candidate.accept(effects))).toEqual(["held", "wait"]);
  });
});

describe("stepLease, holding the lease", () => {
  it("counts the hold from sending the write, not from its response", () => {
    const candidate = new Candidate();
    candidate.tell({ kind: "start" });
    const effects = candidate.tell({ kind: "absent" });
    expect(candidate.after(4000).accept(effects)).toEqual([
      { kind: "held", hold: { until: { monotonicMs: 10_000, wallMs: wallOffset + 10_000 }, transitions: 0 } },
      { kind: "wait", delayMs: 2000 },
    ]);
  });

  it("does not lead if the response came after the deadline", () => {
    const candidate = new Candidate();
    candidate.tell({ kind: "start" });
    const effects = candidate.tell({ kind: "absent" });
    expect(kinds(candidate.after(10_000).accept(effects))).toEqual(["wait"]);
    expect(candidate.state.hold).toBeUndefined();
    expect(kinds(candidate.after(2000).tell({ kind: "waited" }))).toEqual(["read"]);
  });

  it("renews once per period without reading first", () => {
    const candidate = Candidate.leading();
    for (let round = 0; round < 5; round++) {
      const effects = candidate.after(2000).tell({ kind: "waited" });
      expect(kinds(effects)).toEqual(["update"]);
      expect(written(effects).spec).toMatchObject({
        holderIdentity: "me",
        leaseTransitions: 0,
        acquireTime: "2026-01-01T00:00:00.000000Z",
      });
      expect(candidate.accept(effects)).toMatchObject([
        { kind: "held", hold: { until: { monotonicMs: candidate.nowMs + 10_000 } } },
        { kind: "wait", delayMs: 2000 },
      ]);
    }
  });

  it.each(["conflict", "write-failed"] as const)("reads immediately when that fails (%s), and updates what it finds", (kind) => {
    const candidate = Candidate.leading();
    const { spec } = written(candidate.after(2000).tell({ kind: "waited" }));
    expect(kinds(candidate.tell({ kind }))).toEqual(["read"]);
    const again = candidate.read(spec);
    expect(written(again).metadata.resourceVersion).toBe("2");
    expect(kinds(candidate.accept(again))).toEqual(["held", "wait"]);
  });

  it("tries once per period, however long an attempt took", () => {
    const candidate = Candidate.leading();
    candidate.after(2000).tell({ kind: "waited" });
    candidate.after(500).tell({ kind: "write-failed" });
    expect(candidate.tell({ kind: "read-failed" })).toEqual([{ kind: "wait", delayMs: 1500 }]);
    candidate.after(1500).tell({ kind: "waited" });
    candidate.after(2500).tell({ kind: "write-failed" });
    expect(candidate.tell({ kind: "read-failed" })).toEqual([{ kind: "wait", delayMs: 0 }]);
  });

  it("loses the lease if it could not renew it in time", () => {
    const candidate = Candidate.leading();
    candidate.after(2000).tell({ kind: "waited" });
    candidate.tell({ kind: "write-failed" });
    candidate.after(7999).tell({ kind: "read-failed" });
    expect(candidate.state.hold).toBeDefined();
    expect(candidate.after(1).tell({ kind: "waited" })).toEqual([{ kind: "lost", to: undefined }, { kind: "read" }]);
  });

  it("D4: loses it if the monotonic clock stopped and the wall clock did not", () => {
    const candidate = Candidate.leading();
    candidate.wallMs += 300_000;
    candidate.nowMs += 2000;
    expect(kinds(candidate.tell({ kind: "waited" }))).toEqual(["lost", "read"]);
  });

  it("keeps it when the wall clock is set back", () => {
    const candidate = Candidate.leading();
    candidate.wallMs -= 3_600_000;
    candidate.nowMs += 2000;
    expect(kinds(candidate.tell({ kind: "waited" }))).toEqual(["update"]);
  });

  it("loses it immediately when it sees another holder, or none", () => {
    for (const [holder, then] of [
      ["other", "wait"],
      ["", "update"],
    ] as const) {
      const candidate = Candidate.leading();
      candidate.after(2000).tell({ kind: "waited" });
      candidate.tell({ kind: "conflict" });
      expect(candidate.read({ ...theirs, holderIdentity: holder })).toMatchObject([{ kind: "lost", to: holder }, { kind: then }]);
    }
  });

  it("creates the lease again when it is deleted", () => {
    const candidate = Candidate.leading();
    candidate.after(2000).tell({ kind: "waited" });
    candidate.tell({ kind: "conflict" });
    const effects = candidate.tell({ kind: "absent" });
    expect(kinds(effects)).toEqual(["create"]);
    expect(kinds(candidate.accept(effects))).toEqual(["held", "wait"]);
  });

  it("does not continue a term that ended while its renewal was in progress", () => {
    for (const expire of [
      (candidate: Candidate) => candidate.after(8000),
      (candidate: Candidate) => (candidate.tell({ kind: "expired" }), candidate),
    ]) {
      const candidate = Candidate.leading();
      const effects = candidate.after(2000).tell({ kind: "waited" });
      expect(candidate.state.hold).toBeDefined();
      expect(kinds(expire(candidate).accept(effects))).not.toContain("held");
      expect(candidate.state.hold).toBeUndefined();
      expect(kinds(candidate.after(4000).tell({ kind: "waited" }))).toEqual(["read"]);
    }
  });

  it("trusts the holder in the response, not what it wrote", () => {
    const candidate = Candidate.leading();
    candidate.after(2000).tell({ kind: "waited" });
    expect(kinds(candidate.tell({ kind: "written", lease: candidate.version(theirs) }))).toEqual(["lost", "wait"]);
  });
});

describe("stepLease, releasing the lease", () => {
  it("reads it first, and clears the holder if it is still ours", () => {
    const candidate = Candidate.leading();
    expect(kinds(candidate.tell({ kind: "release" }))).toEqual(["read"]);
    const effects = candidate.read({ ...theirs, holderIdentity: "me" });
    expect(written(effects).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 1 });
    expect(candidate.accept(effects)).toEqual([{ kind: "end", released: true }]);
  });

  it("does not touch a lease that another holds by now", () => {
    // client-go compares with the version it had seen before, and so can clear the lease of its successor.
    const candidate = Candidate.leading();
    candidate.tell({ kind: "release" });
    expect(candidate.read(theirs)).toEqual([{ kind: "end", released: false }]);
  });

  it("ends if the lease is gone, or was never ours", () => {
    const candidate = Candidate.leading();
    candidate.tell({ kind: "release" });
    expect(candidate.tell({ kind: "absent" })).toEqual([{ kind: "end", released: false }]);
    const waiting = new Candidate();
    waiting.tell({ kind: "start" });
    waiting.read(theirs);
    expect(waiting.tell({ kind: "release" })).toEqual([{ kind: "end", released: false }]);
  });

  it("checks whether a claim without a response must be released", () => {
    const candidate = new Candidate();
    candidate.tell({ kind: "start" });
    candidate.tell({ kind: "absent" });
    expect(kinds(candidate.tell({ kind: "release" }))).toEqual(["read"]);
  });

  it("retries immediately after a conflict, later after a failure, and until the deadline", () => {
    const candidate = Candidate.leading();
    candidate.tell({ kind: "release" });
    candidate.read({ ...theirs, holderIdentity: "me" });
    expect(kinds(candidate.tell({ kind: "conflict" }))).toEqual(["read"]);
    candidate.read({ ...theirs, holderIdentity: "me" });
    expect(candidate.tell({ kind: "write-failed" })).toEqual([{ kind: "wait", delayMs: 2000 }]);
    expect(kinds(candidate.after(2000).tell({ kind: "waited" }))).toEqual(["read"]);
    expect(candidate.after(6000).tell({ kind: "read-failed" })).toEqual([{ kind: "end", released: false }]);
    const refused = Candidate.leading();
    refused.tell({ kind: "release" });
    refused.read({ ...theirs, holderIdentity: "me" });
    expect(refused.after(10_000).tell({ kind: "conflict" }).at(-1)).toEqual({ kind: "end", released: false });
  });
});

describe("stepLease", () => {
  it("throws for an input that does not belong to the phase", () => {
    const candidate = new Candidate();
    expect(() => candidate.tell({ kind: "waited" })).toThrow('lease candidate in phase idle got the unexpected input "waited"');
    candidate.tell({ kind: "start" });
    expect(() => candidate.tell({ kind: "conflict" })).toThrow("reading");
  });

  it("ends every step in exactly one action", () => {
    // Every response, in every phase, four steps deep, five in long mode.
    const answers: readonly Told[] = [
      { kind: "waited" },
      { kind: "absent" },
      { kind: "read-failed" },
      { kind: "conflict" },
      { kind: "write-failed" },
      { kind: "release" },
      ...[theirs, { ...theirs, holderIdentity: "me" }, { ...theirs, holderIdentity: "" }].flatMap((spec) =>
        (["read", "written"] as const).map((kind): Told => ({ kind, lease: { metadata: { name: "web" }, spec } })),
      ),
    ];
    const most = process.env["DROVER_LONG"] === "1" ? 5 : 4;
    let steps = 0;
    const faults: string[] = [];
    const explore = (state: LeaseState, nowMs: number, depth: number): void => {
      for (const told of answers)
        for (const passed of [10, 9000]) {
          const at = { monotonicMs: nowMs + passed, wallMs: nowMs + passed };
          let step;
          try {
            step = stepLease(state, { ...told, at, random: 0 }, rules);
          } catch {
            continue;
          }
          const [next, effects] = step;
          if (effects.filter(isLeaseAction).length !== 1 || (next.hold !== undefined && isOver(next.hold, at)))
            faults.push(`${state.phase.kind} ${told.kind}`);
          steps++;
          if (depth > 1 && next.phase.kind !== "ended") explore(next, nowMs + passed, depth - 1);
        }
    };
    const [started] = stepLease(initialLeaseState(), { kind: "start", at: { monotonicMs: 0, wallMs: 0 }, random: 0 }, rules);
    // Most inputs are rejected, and creating the stack traces takes longer than everything else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      explore(started, 0, most);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    expect(faults).toEqual([]);
    expect(steps).toBeGreaterThan(10 ** (most - 1));
  });
});
