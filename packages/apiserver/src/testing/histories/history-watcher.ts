/** A watcher that reads at its own pace, stops, and resumes. */
import { decodeJson, initialEventsEndAnnotation } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { recordList } from "./history-client.ts";
import { collectionPath, historyKinds, idOf, mapOf, textOf, versionOf } from "./history-kind.ts";
import type { Scope, SessionEnd, WatchedEvent, WatchSession } from "./history.ts";
import type { OpenStep } from "./history-plan.ts";
import type { Recorder } from "./recorder.ts";
import { scopeOf, scopeQuery } from "./scope-plan.ts";
import type { ScopePlan } from "./scope-plan.ts";

/** An open watch. */
interface Live {
  readonly controller: AbortController;
  readonly facts: Omit<WatchSession, "events" | "end" | "newestAtEnd" | "returned" | "ceiling">;
  readonly events: WatchedEvent[];
  lines: AsyncIterator<string | Uint8Array, void> | undefined;
  ceiling: number;
  /** Number of lines still to read. */
  wanted: number;
  isReading: boolean;
}

/** Guarantees: one watch at a time; each is recorded once, when it is over. */
export class HistoryWatcher {
  readonly #recorder: Recorder;
  readonly #number: number;
  readonly #plan: ScopePlan;
  readonly #scope: Scope;
  #live: Live | undefined;
  #opening = 0;
  #last: number | undefined;
  #lastBookmark: number | undefined;

  constructor(recorder: Recorder, number: number, plan: ScopePlan) {
    this.#recorder = recorder;
    this.#number = number;
    this.#plan = plan;
    this.#scope = scopeOf(plan);
  }

  /** Ends the current watch and opens another. */
  open(step: OpenStep): void {
    this.end("stopped");
    this.#recorder.spawn(this.#open(step, ++this.#opening));
  }

  /** Reads this many more lines as they arrive. */
  read(lines: number): void {
    if (this.#live === undefined) return;
    this.#live.wanted += lines;
    this.#pump(this.#live);
  }

  /** Ends the current watch, if any. */
  end(kind: "stopped" | "drained"): void {
    if (this.#live === undefined) this.#opening++;
    else this.#finish(this.#live, { kind });
  }

  async #open(step: OpenStep, opening: number): Promise<void> {
    const { store } = this.#recorder;
    const since = await this.#since(step);
    const compactedAtStart = await store.compacted();
    if (opening !== this.#opening) return;
    const path = watchPath(this.#plan, step, since);
    const live: Live = {
      controller: new AbortController(),
      events: [],
      lines: undefined,
      ceiling: 0,
      wanted: step.lines,
      isReading: false,
      facts: {
        name: `watcher ${this.#number}, session ${opening}`,
        path,
        scope: this.#scope,
        asked: since.asked,
        wantsInitial: since.wantsInitial,
        wantsBookmarks: step.wantsBookmarks,
        floor: store.newest,
        compactedAtStart,
        invoked: this.#recorder.tick(),
      },
    };
    this.#live = live;
    const { status, body } = await this.#recorder.handle({ method: "GET", path, headers: {}, signal: live.controller.signal });
    live.ceiling = store.newest;
    this.#recorder.tick();
    if (this.#live !== live) return;
    if (typeof body === "string" || body instanceof Uint8Array)
      return this.#finish(live, { kind: "failed", code: status, message: typeof body === "string" ? body : "" });
    live.lines = body[Symbol.asyncIterator]();
    this.#pump(live);
  }

  async #since({ start, back }: OpenStep): Promise<Since> {
    const { newest } = this.#recorder.store;
    switch (start) {
      case "list": {
        const { pages } = await recordList(this.#recorder, `watcher ${this.#number}`, {
          scope: this.#plan,
          mode: "latest",
          back: 0,
          limit: 0,
        });
        return { asked: pages[0]?.revision, wantsInitial: false };
      }
      case "zero":
        return { asked: 0, wantsInitial: true };
      case "unset":
        return { asked: undefined, wantsInitial: true };
      case "initial":
        return { asked: this.#last ?? newest + 1, wantsInitial: true, sendInitialEvents: true };
      case "now":
        return { asked: undefined, wantsInitial: false, sendInitialEvents: false };
      case "last":
        return { asked: this.#last, wantsInitial: this.#last === undefined };
      case "bookmark":
        return { asked: this.#lastBookmark, wantsInitial: this.#lastBookmark === undefined };
      case "old":
        return { asked: Math.max(1, newest - back), wantsInitial: false };
      case "future":
        return { asked: newest + back, wantsInitial: false };
      default:
        return start;
    }
  }

  #pump(live: Live): void {
    if (live.isReading || live.wanted === 0 || live.lines === undefined) return;
    live.isReading = true;
    this.#recorder.spawn(
      this.#read(live, live.lines).finally(() => {
        live.isReading = false;
      }),
    );
  }

  async #read(live: Live, lines: AsyncIterator<string | Uint8Array, void>): Promise<void> {
    while (this.#live === live && live.wanted > 0) {
      live.wanted--;
      const { value: line } = await lines.next();
      if (this.#live !== live) return;
      if (line === undefined) return this.#finish(live, { kind: "closed" });
      // An in-process server delivers whole lines.
      await this.#take(live, mapOf(decodeJson(typeof line === "string" ? line : "")));
    }
  }

  async #take(live: Live, { type, object }: JsonObject): Promise<void> {
    if (type === "ERROR") {
      const { code, message } = mapOf(object);
      const compacted = await this.#recorder.store.compacted();
      if (this.#live === live)
        this.#finish(
          live,
          code === 410 ? { kind: "expired", compacted } : { kind: "failed", code: Number(code), message: textOf(message) },
        );
      return;
    }
    const { revision, content } = versionOf(mapOf(object));
    const isBookmark = type === "BOOKMARK";
    const endsInitial = isBookmark && mapOf(mapOf(content["metadata"])["annotations"])[initialEventsEndAnnotation] === "true";
    live.events.push({
      type: type as WatchedEvent["type"],
      id: isBookmark ? "" : idOf(historyKinds[this.#plan.collection], { revision, content }),
      revision,
      content,
      endsInitial,
      newest: this.#recorder.store.newest,
      tick: this.#recorder.tick(),
    });
    this.#last = revision;
    if (isBookmark) this.#lastBookmark = revision;
  }

  #finish(live: Live, end: SessionEnd): void {
    this.#live = undefined;
    const { store, sessions } = this.#recorder;
    const newestAtEnd = store.newest;
    // A response that never came would have had its head by now.
    const ceiling = live.ceiling === 0 ? newestAtEnd : live.ceiling;
    sessions.push({ ...live.facts, ceiling, events: live.events, end, newestAtEnd, returned: this.#recorder.tick() });
    live.controller.abort();
  }
}

interface Since {
  readonly asked: number | undefined;
  readonly wantsInitial: boolean;
  /** @default implied by the version */
  readonly sendInitialEvents?: boolean;
}

function watchPath(plan: ScopePlan, { wantsBookmarks, timeoutSeconds, isOldPath }: OpenStep, { asked, sendInitialEvents }: Since): string {
  const { namespace, name } = plan;
  const kind = historyKinds[plan.collection];
  const isNamed = isOldPath && namespace !== "" && name !== undefined;
  const collection = collectionPath(kind, namespace);
  const path = isOldPath ? `${kind.root}/watch${collection.slice(kind.root.length)}${isNamed ? `/${name}` : ""}` : collection;
  const { name: _name, ...unnamed } = plan;
  const query = [
    "watch=true",
    `timeoutSeconds=${timeoutSeconds}`,
    ...scopeQuery(isNamed ? unnamed : plan),
    ...(asked === undefined ? [] : [`resourceVersion=${asked}`]),
    ...(sendInitialEvents === undefined ? [] : [`sendInitialEvents=${sendInitialEvents}`, "resourceVersionMatch=NotOlderThan"]),
    ...(wantsBookmarks ? ["allowWatchBookmarks=true"] : []),
  ];
  return `${path}?${query.join("&")}`;
}
