/**
 * One key whose label moves it between shards, replicas with caches of different age, and leases that change hands: in steps, small enough
 * to play every order of them. What a replica may start is decided by the program: `KeyMoves` and `clearanceOf`.
 *
 *     const model = LabelModel.start({ replicas: 2 });  for (const step of model.steps()) model.copy().play(step);
 *
 * That a lease has one holder, and that a loss ends its work, is proved elsewhere (shard-model.ts), so here a lease is a field. A run may
 * write at any time until it ends.
 */
import { objectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { clearanceOf } from "../clearance.ts";
import { busyName, KeyMoves } from "../key-moves.ts";
import type { SeenBook } from "../seen-record.ts";

/** Planted bugs, which the model must find. */
export type LabelMutant =
  | "none"
  /** A key starts as soon as the own cache shows it in an own shard. */
  | "start without waiting"
  /** A replica that acquires a shard does not look at what others depend on. */
  | "forget positions at hand-over"
  /** It looks, but an old list is enough. */
  | "list from before the hand-over"
  /** A list counts for what is published after it was sent. */
  | "list before publishing"
  /** A run that goes on after its key has moved is not reported. */
  | "report progress with a run under way"
  /** Two steps of the cache are merged into one. */
  | "merge steps"
  /** A list of objects hides moves, and they are not remembered. */
  | "trust a list of objects";

export type LabelStep =
  | { readonly what: "move"; readonly to: number | undefined }
  | {
      readonly what: "read" | "relist" | "bookmark" | "publish" | "publish unheard" | "list" | "settle" | "run" | "end";
      readonly replica: number;
    }
  | { readonly what: "release" | "lose" | "acquire"; readonly replica: number; readonly shard: number }
  /** It ends without a word, and another starts with a list as old as `at`. */
  | { readonly what: "crash"; readonly replica: number; readonly at: number };

interface Publication {
  readonly text: string;
  readonly book: SeenBook;
}

/** By identity. */
type Publications = ReadonlyMap<number, Publication>;

interface Replica {
  identity: number;
  /** Number of events that its cache has. */
  cursor: number;
  /** Version up to which its cache is complete. */
  known: number;
  moves: KeyMoves;
  /** Shard in which the key runs. */
  runs: number | undefined;
  /** Whether the key has moved since the run started. */
  isLeaving: boolean;
  /** What the server has confirmed. */
  published: Publication | undefined;
  lists: number;
  inbox: { readonly own: Publication | undefined; readonly holders: readonly number[]; readonly books: Publications } | undefined;
}

const key: ObjectKey = objectKey("web");
const controller = "web";
const shards: readonly number[] = [0, 1];
/** Shard of the key without an object. */
const home = 0;

export interface LabelModelOptions {
  readonly replicas: number;
  readonly moves: number;
  readonly faults: number;
  readonly mutant?: LabelMutant;
  /** Which faults there are. @default all */
  readonly kinds?: readonly LabelFault[];
}

/** What can go wrong: a loss or release of a lease, a crash, a watch that must list again, a publication without an answer. */
export type LabelFault = "lease" | "crash" | "relist" | "unheard";

const allFaults: readonly LabelFault[] = ["lease", "crash", "relist", "unheard"];

/** Throws when two replicas run the key at once. */
export class LabelModel {
  readonly #mutant: LabelMutant;
  /** Places of the key by version: the first is that of version 1. Undefined while it does not exist. */
  #events: readonly (number | undefined)[] = [home];
  #replicas: Replica[] = [];
  #holders: readonly (number | undefined)[] = [];
  /** What is stored, by identity. */
  #books: Publications = new Map();
  #identities = 0;
  #movesLeft: number;
  #faultsLeft: number;
  #path: readonly string[] = [];

  readonly #kinds: readonly LabelFault[];

  private constructor({ moves, faults, mutant = "none", kinds = allFaults }: Omit<LabelModelOptions, "replicas">) {
    this.#kinds = kinds;
    this.#movesLeft = moves;
    this.#faultsLeft = faults;
    this.#mutant = mutant;
  }

  /** Returns a model in which every shard has a holder that works. */
  static start(options: LabelModelOptions): LabelModel {
    const model = new LabelModel(options);
    for (let n = 0; n < options.replicas; n++) model.#replicas.push(model.#fresh(1));
    model.#holders = shards.map((shard) => model.#replicas[shard % options.replicas]?.identity);
    for (const [shard, holder] of model.#holders.entries())
      for (const replica of model.#replicas) if (replica.identity === holder) replica.moves.acquired(shard, 1);
    model.#settleAll();
    model.#path = [];
    return model;
  }

  copy(): LabelModel {
    const copy = new LabelModel({ moves: this.#movesLeft, faults: this.#faultsLeft, mutant: this.#mutant, kinds: this.#kinds });
    copy.#events = this.#events;
    copy.#replicas = this.#replicas.map((replica) => ({ ...replica, moves: replica.moves.copy() }));
    copy.#holders = this.#holders;
    copy.#books = this.#books;
    copy.#identities = this.#identities;
    copy.#path = this.#path;
    return copy;
  }

  /** Whether neither the key nor a lease changes any more. */
  get isQuiet(): boolean {
    return this.#movesLeft === 0 && this.#faultsLeft === 0;
  }

  /** Everything that decides the future. */
  key(): string {
    const replicas = this.#replicas.map((one) => {
      const { identity, cursor, known, moves, runs, isLeaving, published, inbox, lists } = one;
      const listed = inbox && [inbox.own?.text, inbox.holders, textOf(inbox.books)];
      return [identity, cursor, known, moves.state(lists + 1), runs, isLeaving, published?.text, listed];
    });
    return JSON.stringify([this.#events, replicas, this.#holders, textOf(this.#books), this.#movesLeft, this.#faultsLeft]);
  }

  /** Whether every cache has everything, and no work is under way. */
  get isIdle(): boolean {
    return this.#replicas.every(({ cursor, runs, inbox }) => cursor === this.#events.length && runs === undefined && inbox === undefined);
  }

  /** Steps that make a difference now. */
  steps(): readonly LabelStep[] {
    const steps: LabelStep[] = [];
    const place = this.#events.at(-1);
    if (this.#movesLeft > 0) for (const to of [...shards, undefined]) if (to !== place) steps.push({ what: "move", to });
    for (const [replica, one] of this.#replicas.entries()) {
      const isBehind = one.cursor < this.#events.length;
      if (isBehind) steps.push({ what: "read", replica });
      if (isBehind && this.#mayFail("relist")) steps.push({ what: "relist", replica });
      if (this.#publication(one).text !== one.published?.text) {
        steps.push({ what: "publish", replica });
        if (this.#mayFail("unheard")) steps.push({ what: "publish unheard", replica });
      }
      steps.push({ what: one.inbox === undefined ? "list" : "settle", replica });
      if (one.runs !== undefined) steps.push({ what: "end", replica });
      else if (this.#mayRun(one)) steps.push({ what: "run", replica });
      steps.push(...this.#faults(one, replica));
    }
    return steps;
  }

  play(step: LabelStep): void {
    this.#path = [...this.#path, JSON.stringify(step)];
    if (step.what === "move") {
      this.#movesLeft--;
      this.#events = [...this.#events, step.to];
      return;
    }
    const one = this.#replicas[step.replica];
    if (one === undefined) throw new Error(`no replica ${step.replica}`);
    switch (step.what) {
      case "read":
        return this.#read(one);
      case "relist":
        this.#faultsLeft--;
        return this.#relist(one);
      case "bookmark":
        one.known = this.#events.length;
        return;
      case "publish":
        return this.#publish(one, true);
      case "publish unheard":
        this.#faultsLeft--;
        return this.#publish(one, false);
      case "list":
        one.lists++;
        one.inbox = {
          own: one.published,
          holders: this.#holders.flatMap((holder) => (holder === undefined || holder === one.identity ? [] : [holder])),
          books: this.#books,
        };
        return;
      case "settle":
        return this.#settle(one);
      case "run":
        return this.#run(one);
      case "end":
        one.runs = undefined;
        one.isLeaving = false;
        return;
      case "release":
      case "lose":
        this.#faultsLeft--;
        this.#holders = this.#holders.with(step.shard, undefined);
        one.moves.released(step.shard);
        if (one.runs === step.shard) {
          one.runs = undefined;
          one.isLeaving = false;
        }
        return;
      case "acquire":
        return this.#acquire(one, step.shard);
      case "crash":
        this.#faultsLeft--;
        this.#holders = this.#holders.map((holder) => (holder === one.identity ? undefined : holder));
        this.#replicas = this.#replicas.with(step.replica, this.#fresh(step.at));
        return;
    }
  }

  /** Throws unless exactly one replica may run the key soon after everything is quiet. */
  mustRecover(): void {
    for (const [shard, holder] of this.#holders.entries()) {
      const [first] = this.#replicas;
      if (holder === undefined && first !== undefined) this.#acquire(first, shard);
    }
    this.#settleAll();
    const able = this.#replicas.filter((one) => this.#mayRun(one)).length;
    if (able !== 1) throw new Error(`${able} replicas may run the key after ${this.#path.join(" | ")}`);
  }

  #settleAll(): void {
    for (let round = 0; round < 4; round++) {
      for (const one of this.#replicas) {
        while (one.cursor < this.#events.length) this.#read(one);
        one.known = this.#events.length;
        one.runs = undefined;
        one.isLeaving = false;
        one.inbox = undefined;
        // What a worker does with a key that is due.
        this.#mayRun(one);
        this.#publish(one, true);
      }
      for (const [replica, one] of this.#replicas.entries()) {
        this.play({ what: "list", replica });
        this.#settle(one);
      }
    }
  }

  #faults(one: Replica, replica: number): readonly LabelStep[] {
    const steps: LabelStep[] = [];
    for (const shard of shards) {
      const holder = this.#holders[shard];
      if (holder === undefined) steps.push({ what: "acquire", replica, shard });
      if (holder === one.identity && this.#mayFail("lease")) steps.push({ what: one.runs === shard ? "lose" : "release", replica, shard });
    }
    if (this.#mayFail("crash")) for (const at of new Set([1, this.#events.length])) steps.push({ what: "crash", replica, at });
    return steps;
  }

  #mayFail(kind: LabelFault): boolean {
    return this.#faultsLeft > 0 && this.#kinds.includes(kind);
  }

  #fresh(at: number): Replica {
    const moves = new KeyMoves();
    const replica: Replica = {
      identity: this.#identities++,
      cursor: at,
      known: at,
      moves,
      runs: undefined,
      isLeaving: false,
      published: undefined,
      lists: 0,
      inbox: undefined,
    };
    moves.removed(String(at));
    if (this.#placeOf(replica) !== undefined) moves.moved(key, String(this.#versionOf(replica)));
    return replica;
  }

  /** The place of the key by a cache; undefined without an object. */
  #placeOf({ cursor }: Pick<Replica, "cursor">): number | undefined {
    return this.#events[cursor - 1];
  }

  /** Version of the object in a cache: every event is one of it. */
  #versionOf({ cursor }: Pick<Replica, "cursor">): number {
    return cursor;
  }

  #shardOf(one: Pick<Replica, "cursor">): number {
    return this.#placeOf(one) ?? home;
  }

  #mayRun(one: Replica): boolean {
    const shard = this.#shardOf(one);
    if (one.runs !== undefined || one.isLeaving || this.#holders[shard] !== one.identity) return false;
    if (this.#mutant === "start without waiting") return true;
    return one.moves.mayStart(key, { shard, isPresent: this.#placeOf(one) !== undefined });
  }

  #read(one: Replica): void {
    const from = this.#shardOf(one);
    const steps = this.#mutant === "merge steps" ? Math.min(2, this.#events.length - one.cursor) : 1;
    one.cursor += steps;
    one.known = Math.max(one.known, one.cursor);
    this.#moved(one, from !== this.#shardOf(one));
  }

  #relist(one: Replica): void {
    const from = this.#shardOf(one);
    one.cursor = this.#events.length;
    one.known = one.cursor;
    if (this.#mutant === "trust a list of objects") return this.#moved(one, from !== this.#shardOf(one));
    one.moves.removed(String(one.known));
    if (this.#placeOf(one) !== undefined) one.moves.moved(key, String(this.#versionOf(one)));
    if (one.runs !== undefined) one.isLeaving = true;
  }

  #moved(one: Replica, hasMoved: boolean): void {
    const version = String(this.#versionOf(one));
    if (!hasMoved) return one.moves.saw(version);
    one.moves.moved(key, version);
    if (one.runs !== undefined) one.isLeaving = true;
  }

  /** What the replica would publish now. */
  #publication(one: Replica): Publication {
    const isBusy = one.isLeaving && this.#mutant !== "report progress with a run under way";
    const record = one.moves.read(String(one.known), isBusy ? [busyName(key)] : []);
    return { text: `${record.seen} ${record.basis} ${isBusy}`, book: { number: 0, records: new Map([[controller, record]]) } };
  }

  #publish(one: Replica, isHeard: boolean): void {
    const publication = this.#publication(one);
    this.#books = new Map([...this.#books, [one.identity, publication]]);
    if (isHeard) one.published = publication;
  }

  #settle(one: Replica): void {
    const { inbox } = one;
    if (inbox === undefined) return;
    const bookOf = (identity: number): SeenBook | undefined => inbox.books.get(identity)?.book;
    const holders = inbox.holders.map(bookOf);
    const others = Array.from(inbox.books, ([identity, { book }]) => (identity === one.identity ? [] : [book])).flat();
    const alive = this.#replicas.flatMap(({ identity }) => (identity === one.identity ? [] : [bookOf(identity)]));
    const own = this.#mutant === "list before publishing" ? this.#publication(one) : inbox.own;
    const members = [...holders, ...alive];
    const clearance = clearanceOf({ controller, list: one.lists, own: own?.book, holders, members, others });
    const mutant = this.#mutant;
    one.moves.settle(
      {
        ...clearance,
        ...(mutant === "forget positions at hand-over" ? { needed: "" } : {}),
        ...(mutant === "list from before the hand-over" ? { list: Infinity } : {}),
      },
      String(one.known),
    );
    one.inbox = undefined;
  }

  #run(one: Replica): void {
    for (const other of this.#replicas) {
      if (other !== one && other.runs !== undefined)
        throw new Error(
          `${one.identity} ran the key in shard ${this.#shardOf(one)} while ${other.identity} ran it in ${other.runs}: ${this.#path.join(" | ")}`,
        );
    }
    one.runs = this.#shardOf(one);
    one.isLeaving = false;
  }

  #acquire(one: Replica, shard: number): void {
    this.#holders = this.#holders.with(shard, one.identity);
    one.moves.acquired(shard, one.lists + 1);
  }
}

const textOf = (books: Publications): unknown => Array.from(books, ([identity, { text }]) => [identity, text]);
