/** Runs every sequence of operations up to a length on the queue and on a simple model. */
import { describe, expect, it } from "vitest";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { newDeltaFIFO } from "./delta-fifo.ts";
import type { Deltas } from "./delta.ts";
import { ErrRequeue } from "./queue.ts";

interface Thing {
  readonly id: string;
  readonly n: number;
}
type Step =
  | readonly [name: "add" | "update" | "delete", id: string]
  | readonly [name: "replace", ids: string]
  | readonly [name: "resync" | "pop" | "requeue"];
const steps: readonly Step[] = [
  ["add", "a"],
  ["add", "b"],
  ["update", "a"],
  ["update", "b"],
  ["delete", "a"],
  ["delete", "b"],
  ["replace", ""],
  ["replace", "a"],
  ["replace", "ab"],
  ["resync"],
  ["pop"],
  ["requeue"],
];
const length = process.env["DROVER_LONG"] === "1" ? 5 : 4;

/** Model of the queue, with plain lists. */
class Model {
  line: string[] = [];
  queued = new Map<string, string[]>();
  known = new Map<string, number>();
  began = false;
  left = 0;

  push(id: string, word: string): void {
    const words = this.queued.get(id);
    if (words === undefined) {
      this.queued.set(id, [word]);
      this.line.push(id);
      return;
    }
    const last = words.at(-1) ?? "";
    if (!word.startsWith("Deleted") || !last.startsWith("Deleted")) words.push(word);
    else if (last.includes("?")) words[words.length - 1] = word;
  }

  lastState(id: string): string {
    return /(\d*)$/.exec(this.queued.get(id)?.at(-1) ?? "")?.[1] ?? "";
  }

  apply(step: Step, n: number): string {
    const [name, which = ""] = step;
    if (name === "replace") {
      for (const id of which) this.push(id, `Replaced ${id}${n}`);
      const gone = [
        ...[...this.queued.keys()].filter((id) => !which.includes(id)).map((id) => [id, this.lastState(id)]),
        ...[...this.known].filter(([id]) => !which.includes(id) && !this.queued.has(id)).map(([id, state]) => [id, String(state)]),
      ];
      for (const [id = "", state] of gone) this.push(id, `Deleted ?${id}${state}`);
      if (!this.began) this.left = which.length + gone.length;
    }
    if (name === "resync") for (const [id, state] of this.known) if (!this.queued.has(id)) this.push(id, `Sync ${id}${state}`);
    if (name === "add") this.push(which, `Added ${which}${n}`);
    if (name === "update") this.push(which, `Updated ${which}${n}`);
    if (name === "delete" && (this.known.has(which) || this.queued.has(which))) this.push(which, `Deleted ${which}${n}`);
    if (name === "pop" || name === "requeue") return this.pop(name === "requeue");
    if (name !== "resync") this.began = true;
    return "";
  }

  pop(isRequeued: boolean): string {
    const id = this.line.shift();
    if (id === undefined) return "";
    const isInitial = !(this.began && this.left === 0);
    if (this.left > 0) this.left--;
    const words = this.queued.get(id) ?? [];
    this.queued.delete(id);
    if (isRequeued) {
      this.began = true;
      this.queued.set(id, words);
      this.line.push(id);
    } else if (words.at(-1)?.startsWith("Deleted") === true) this.known.delete(id);
    else this.known.set(id, Number(/(\d+)$/.exec(words.at(-1) ?? "")?.[1]));
    return `${words.join(",")}${isInitial ? " initial" : ""}`;
  }
}

const print = (deltas: Deltas<Thing>): string =>
  deltas
    .map(({ type, object }) =>
      object instanceof DeletedFinalStateUnknown ? `${type} ?${object.key}${object.obj?.n ?? ""}` : `${type} ${object.id}${object.n}`,
    )
    .join(",");

/** The queue with a consumer that stores what it pops. */
function realQueue() {
  const store = new Map<string, Thing>();
  const queue = newDeltaFIFO<Thing>({
    keyFunc: ({ id }) => id,
    knownObjects: { listKeys: () => [...store.keys()], getByKey: (key) => store.get(key) },
  });
  const take = async (isRequeued: boolean): Promise<string> => {
    if (queue.listKeys().length === 0) return "";
    let seen = "";
    await queue.pop((deltas, isInInitialList) => {
      seen = `${print(deltas)}${isInInitialList ? " initial" : ""}`;
      if (isRequeued) throw new ErrRequeue();
      const last = deltas.at(-1);
      if (last === undefined) return;
      if (last.type === "Deleted") store.delete(queue.keyOf(last.object));
      else store.set(queue.keyOf(last.object), last.object as Thing);
    });
    return seen;
  };
  const apply = async ([name, which = ""]: Step, n: number): Promise<string> => {
    if (name === "add" || name === "update" || name === "delete") queue[name]({ id: which, n });
    else if (name === "replace") queue.replace(which.split("").map((id) => ({ id, n })));
    else if (name === "resync") queue.resync();
    else return take(name === "requeue");
    return "";
  };
  return { queue, apply };
}

describe("DeltaFIFO and its model", () => {
  it(`agree after every sequence of up to ${length} operations on two keys`, async () => {
    let sequences = 0;
    const places = Array.from({ length }, () => 0);
    for (let done = false; !done;) {
      const model = new Model();
      const { queue, apply } = realQueue();
      const trace = places.map((place) => steps[place] as Step);
      for (const [index, step] of trace.entries()) {
        const told = [await apply(step, index + 1), queue.hasSynced(), queue.listKeys().join()];
        const expected = [model.apply(step, index + 1), model.began && model.left === 0, [...model.queued.keys()].join()];
        if (told.join("|") !== expected.join("|")) expect({ trace, told }).toEqual({ trace, told: expected });
      }
      sequences++;
      let at = length - 1;
      while (at >= 0 && ++(places[at] as number) === steps.length) places[at--] = 0;
      done = at < 0;
    }
    expect(sequences).toBe(steps.length ** length);
    process.stdout.write(`DeltaFIFO: ${sequences} sequences of ${length} operations agree with the model\n`);
  });
});
