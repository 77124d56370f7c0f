import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QueueState } from "./queue-state.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";
import { everySequence, printTried } from "./testing/every-sequence.ts";
import type { Pair } from "./testing/every-sequence.ts";
import type { Debounce, Work } from "./work.ts";

type Key = "a" | "b" | "c" | "d";
type Op =
  | { readonly do: "add"; readonly key: Key; readonly priority?: number; readonly afterMs?: number; readonly retry?: boolean }
  | { readonly do: "done" | "forget" | "cancel" | "unpark"; readonly key: Key }
  | { readonly do: "get" | "shutDown" }
  | { readonly do: "advance"; readonly ms: number };

interface Settings {
  readonly maxAttempts: number;
  readonly debounce?: Debounce;
  readonly ageingMs: number;
  readonly tenantOf?: (key: Key) => string;
}

/** State of a key in the model. */
interface Card {
  readonly key: Key;
  running: { readonly priority: number; readonly causes: number } | undefined;
  /** State of the pending run. */
  next: "no" | "ready" | "later" | "parked";
  priority: number;
  causes: number;
  byEvent: boolean;
  due: number;
  rest: number;
  restBy: number;
  /** Step at which its due time last changed. */
  timed: number;
  /** Rank among ready keys: lower first; then the step at which it became ready. */
  score: number;
  placed: number;
  attempts: number;
  retryAt: number;
}

const delayAfter = (failures: number): number => Math.min(2 * 2 ** failures, 8);

/** The queue as documented, in the simplest form: a list of cards that every operation scans. */
class Model {
  cards: Card[] = [];
  turns: string[] = [];
  now = 0;
  step = 0;
  down = false;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  add({ key, priority = 0, afterMs = 0, retry = false }: Op & { readonly do: "add" }): void {
    if (this.down) return;
    const card = this.#card(key);
    let wait = afterMs;
    if (retry) {
      if (card.next === "parked") return;
      if (card.retryAt > this.now) wait = Math.min(card.retryAt - this.now, afterMs > 0 ? afterMs : Infinity);
      else if (card.attempts >= this.#settings.maxAttempts) return this.#giveUp(card);
      else {
        wait = Math.min(delayAfter(card.attempts), afterMs > 0 ? afterMs : Infinity);
        card.attempts++;
      }
      card.retryAt = this.now + wait;
    } else if (card.next === "parked") this.#forgetRetries(card);
    this.#merge(card, priority);
    if (!retry) card.byEvent = true;
    if (card.next === "ready") return;
    const { debounce } = this.#settings;
    if (wait > 0) {
      this.#later(card);
      this.#wakeAt(card, Math.min(card.due, this.now + wait), card.rest);
    } else if (!retry && debounce !== undefined) {
      this.#later(card);
      if (card.restBy === Infinity) card.restBy = this.now + debounce.maxMs;
      this.#wakeAt(card, card.due, Math.min(this.now + debounce.afterMs, card.restBy));
    } else this.#ready(card);
  }

  get(): { readonly key: Key; readonly priority: number; readonly causes: number; readonly attempts: number } | undefined {
    this.tick();
    const tenant = this.turns.shift();
    if (tenant === undefined) return undefined;
    const [card] = this.#line(tenant);
    if (card === undefined) throw new Error("a tenant has a turn but no ready key");
    const { key, priority, causes, attempts } = card;
    card.running = { priority, causes };
    card.next = "no";
    card.causes = 0;
    card.byEvent = false;
    if (this.#line(tenant).length > 0) this.turns.push(tenant);
    return { key, priority, causes, attempts };
  }

  done(key: Key): void {
    const card = this.cards.find((other) => other.key === key);
    if (card?.running === undefined) return;
    card.running = undefined;
    if (card.next === "ready") this.#place(card, this.now - card.priority * this.#settings.ageingMs);
  }

  forget(key: Key): void {
    this.#forgetRetries(this.#card(key));
  }

  cancel(key: Key): boolean {
    const card = this.#card(key);
    if (card.next !== "later") return false;
    this.#end(card);
    return true;
  }

  unpark(key: Key): boolean {
    const card = this.#card(key);
    if (card.next !== "parked" || this.down) return false;
    this.#forgetRetries(card);
    card.priority = 0;
    card.byEvent = true;
    this.#ready(card);
    return true;
  }

  shutDown(): Key[] {
    this.down = true;
    const dropped = this.#late().map(({ key }) => key);
    for (const key of dropped) this.cancel(key);
    return dropped;
  }

  tick(): void {
    for (const card of this.#late()) if (wakeAt(card) <= this.now) this.#ready(card);
  }

  /** Drops cards without state. */
  tidy(): void {
    this.cards = this.cards.filter(({ running, next, attempts }) => running !== undefined || next !== "no" || attempts > 0);
  }

  #card(key: Key): Card {
    const known = this.cards.find((card) => card.key === key);
    if (known !== undefined) return known;
    const card: Card = {
      key,
      running: undefined,
      next: "no",
      priority: 0,
      causes: 0,
      byEvent: false,
      due: Infinity,
      rest: Infinity,
      restBy: Infinity,
      timed: 0,
      score: 0,
      placed: 0,
      attempts: 0,
      retryAt: -Infinity,
    };
    this.cards.push(card);
    return card;
  }

  #merge(card: Card, priority: number): void {
    card.causes++;
    if (card.next === "no") card.priority = priority;
    if (priority <= card.priority) return;
    card.priority = priority;
    if (card.next !== "ready" || card.running !== undefined) return;
    card.score = Math.min(card.score, this.now - priority * this.#settings.ageingMs);
    card.placed = ++this.step;
  }

  #giveUp(card: Card): void {
    if (card.next === "no") {
      card.next = "parked";
      card.causes++;
      card.retryAt = this.now;
    } else if (card.byEvent) this.#forgetRetries(card);
  }

  #forgetRetries(card: Card): void {
    if (card.next === "parked") this.#end(card);
    card.attempts = 0;
    card.retryAt = -Infinity;
  }

  #end(card: Card): void {
    Object.assign(card, { next: "no", causes: 0, byEvent: false, due: Infinity, rest: Infinity, restBy: Infinity });
  }

  #later(card: Card): void {
    card.next = "later";
  }

  #wakeAt(card: Card, due: number, rest: number): void {
    const before = wakeAt(card);
    card.due = due;
    card.rest = rest;
    if (wakeAt(card) !== before) card.timed = ++this.step;
  }

  #ready(card: Card): void {
    Object.assign(card, { next: "ready", due: Infinity, rest: Infinity, restBy: Infinity });
    if (card.running === undefined) this.#place(card, this.now - card.priority * this.#settings.ageingMs);
  }

  #place(card: Card, score: number): void {
    card.score = score;
    card.placed = ++this.step;
    const tenant = this.#tenant(card.key);
    if (!this.turns.includes(tenant)) this.turns.push(tenant);
  }

  #tenant(key: Key): string {
    return this.#settings.tenantOf?.(key) ?? "";
  }

  #line(tenant: string): Card[] {
    return this.cards
      .filter((card) => card.next === "ready" && card.running === undefined && this.#tenant(card.key) === tenant)
      .toSorted((a, b) => a.score - b.score || a.placed - b.placed);
  }

  #late(): Card[] {
    return this.cards.filter((card) => card.next === "later").toSorted((a, b) => wakeAt(a) - wakeAt(b) || a.timed - b.timed);
  }

  /** Uses times relative to now and steps by rank, so that equal states have equal fingerprints however they were reached. */
  fingerprint(): string {
    const steps = this.cards.flatMap(({ timed, placed }) => [timed, placed]).toSorted((a, b) => a - b);
    const ago = (time: number): string => (Number.isFinite(time) ? String(time - this.now) : "-");
    const cards = this.cards
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map((card) => [
        card.key,
        card.running,
        card.next,
        card.priority,
        card.causes,
        card.byEvent,
        ago(card.due),
        ago(card.rest),
        ago(card.restBy),
        card.next === "later" ? steps.indexOf(card.timed) : "",
        card.next === "ready" && card.running === undefined ? [ago(card.score), steps.indexOf(card.placed)] : "",
        card.attempts,
        card.retryAt > this.now ? ago(card.retryAt) : "",
      ]);
    return JSON.stringify([cards, this.turns, this.down]);
  }
}

const wakeAt = ({ due, rest }: Card): number => Math.min(due, rest);

function pair(settings: Settings): Pair<Op> {
  const model = new Model(settings);
  const state = new QueueState<Key, number>({ rateLimiter: itemExponentialFailureRateLimiter(2, 8), ...settings });
  const same = (what: string, theirs: unknown, ours: unknown): void => {
    if (JSON.stringify(theirs) !== JSON.stringify(ours))
      throw new Error(`${what}: the model has ${JSON.stringify(theirs)}, the queue ${JSON.stringify(ours)}`);
  };
  const seen = (work: Work<Key, number> | undefined): unknown =>
    work && { key: work.key, priority: work.priority, causes: work.causeCount, attempts: work.attempts };
  const doIt = (op: Op): void => {
    const { now } = model;
    switch (op.do) {
      case "add": {
        const { key, priority = 0, afterMs = 0, retry = false } = op;
        model.add(op);
        return state.add(() => now, key, { priority, afterMs, rateLimited: retry, cause: 1 });
      }
      case "get":
        return same("get", model.get(), seen(state.take(now)));
      case "done":
        return void [model.done(op.key), state.done(() => now, op.key)];
      case "forget":
        return void [model.forget(op.key), state.forget(op.key)];
      case "cancel":
        return same("cancel", model.cancel(op.key), state.cancel(now, op.key));
      case "unpark":
        return same("unpark", model.unpark(op.key), state.unpark(now, op.key));
      case "shutDown":
        return same("shutDown", model.shutDown(), state.shutDown(now));
      case "advance":
        model.now += op.ms;
        model.tick();
        return state.tick(model.now);
    }
  };
  return {
    apply: (op) => {
      doIt(op);
      model.tidy();
    },
    compare: () => compare(model, state, same),
    fingerprint: () => model.fingerprint(),
  };
}

function compare(model: Model, state: QueueState<Key, number>, same: (what: string, theirs: unknown, ours: unknown) => void): void {
  const { cards, now, down } = model;
  same("ready", cards.filter(({ next }) => next === "ready").length, state.readyCount);
  same("running", cards.filter(({ running }) => running !== undefined).length, state.runningCount);
  same("waiting", cards.filter(({ next }) => next === "later").length, state.waitingCount);
  same("wake at", Math.min(Infinity, ...cards.map(wakeAt)), state.wakeAt);
  same("shutting down", down, state.shuttingDown);
  const told = state
    .reports(now)
    .map(({ key, state: where, again, priority, nextRunInMs, causeCount, attempts }) => [
      key,
      where,
      again,
      priority,
      nextRunInMs,
      causeCount,
      attempts,
    ]);
  const expected = cards.map((card) => {
    const { key, running, next, attempts } = card;
    const about = next === "no" && running !== undefined ? running : card;
    const where = next === "no" ? "idle" : next === "later" ? "waiting" : next;
    return [
      key,
      running === undefined ? where : "running",
      running !== undefined && (next === "ready" || next === "later") ? where : undefined,
      about.priority,
      next === "later" ? wakeAt(card) - now : next === "ready" ? 0 : undefined,
      about.causes,
      attempts,
    ];
  });
  const byKey = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
  same("reports", expected.toSorted(byKey), told.toSorted(byKey));
}

const forKey = (key: Key): readonly Op[] => [
  { do: "add", key },
  { do: "add", key, priority: 1 },
  { do: "add", key, afterMs: 1 },
  { do: "add", key, afterMs: 3 },
  { do: "add", key, retry: true },
  { do: "done", key },
  { do: "forget", key },
  { do: "cancel", key },
];
const forAll: readonly Op[] = [{ do: "get" }, { do: "advance", ms: 1 }, { do: "advance", ms: 2 }, { do: "shutDown" }];
const operations: readonly Op[] = [...forKey("a"), ...forKey("b"), ...forAll];
const withParking: readonly Op[] = [...operations, { do: "unpark", key: "a" }, { do: "unpark", key: "b" }];
const keyOf = (op: Op): "a" | "b" | undefined => ("key" in op ? (op.key as "a" | "b") : undefined);

/** Lengths of the sequences: of all, and of those that reach new states. The longest take a minute and run only with DROVER_LONG=1. */
const cases = fc.readConfigureGlobal().numRuns ?? 100;
const [whole, merged] = cases >= 100_000 ? ([4, 7] as const) : cases > 100 ? ([4, 6] as const) : ([3, 4] as const);
const settings: readonly (readonly [string, Settings, readonly Op[]])[] = [
  ["queue", { maxAttempts: Infinity, ageingMs: 2 }, operations],
  ["queue that parks after one retry", { maxAttempts: 1, ageingMs: 2 }, withParking],
  ["queue with debounce", { maxAttempts: Infinity, ageingMs: 2, debounce: { afterMs: 2, maxMs: 3 } }, operations],
  ["queue with tenants", { maxAttempts: Infinity, ageingMs: 2, tenantOf: (key) => key }, operations],
];

describe("QueueState and its model", () => {
  for (const [name, options, ops] of settings) {
    it(`B3: agree on every sequence of operations: ${name}`, () => {
      const tried = everySequence({ operations: ops, length: whole, create: () => pair(options), skip: "idle steps", keyOf });
      process.stdout.write(printTried(name, whole, tried));
      const further = everySequence({ operations: ops, length: merged, create: () => pair(options), skip: "states", keyOf });
      process.stdout.write(printTried(`${name}, each state once`, merged, further));
      expect(further.states).toBeGreaterThan(tried.states);
    });
  }

  const keys: readonly Key[] = ["a", "b", "c", "d"];
  const anyOp: fc.Arbitrary<Op> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("add" as const),
        key: fc.constantFrom(...keys),
        priority: fc.integer({ min: -3, max: 3 }),
        afterMs: fc.constantFrom(0, 0, 1, 2, 5, 9),
        retry: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("done" as const), key: fc.constantFrom(...keys) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("forget" as const, "cancel" as const, "unpark" as const), key: fc.constantFrom(...keys) }),
    },
    { weight: 4, arbitrary: fc.constant<Op>({ do: "get" }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 6 }) }) },
  );
  const anySettings: fc.Arbitrary<Settings> = fc
    .record({
      maxAttempts: fc.constantFrom(0, 1, 2, Infinity),
      ageingMs: fc.constantFrom(1, 3, 1e9),
      tenantOf: fc.constantFrom(
        undefined,
        (key: Key) => key,
        (key: Key) => (key < "c" ? "first" : "second"),
      ),
      debounce: fc.constantFrom(undefined, { afterMs: 1, maxMs: 1 }, { afterMs: 2, maxMs: 5 }),
    })
    .map(({ tenantOf, debounce, ...rest }) => ({
      ...rest,
      ...(tenantOf === undefined ? {} : { tenantOf }),
      ...(debounce === undefined ? {} : { debounce }),
    }));

  it("agree on long random runs with random settings", () => {
    fc.assert(
      fc.property(anySettings, fc.array(anyOp, { minLength: 30, maxLength: 150 }), (options, ops) => {
        const { apply, compare: check } = pair(options);
        for (const op of ops) {
          apply(op);
          check();
        }
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 8) },
    );
  });
});
