/**
 * What is told, line by line: what happens at once and is of one sort is one line, and more than a reader can follow is a count.
 *
 *     Happening … → Story → lines
 */
import type { Clock } from "@drover/machinery";
import type { Happening } from "./happening.ts";

export interface StoryOptions {
  readonly clock: Clock;
  /** Takes what is to be told; names of those told together are in the order in which they came. */
  readonly write: (told: Told) => void;
  /** How long is waited for others of the sort. @default 250 */
  readonly windowMs?: number;
}

/** Happenings of one sort. */
export interface Told extends Omit<Happening, "name"> {
  /** When the first of them happened, in milliseconds since 1970. */
  readonly at: number;
  readonly names: readonly string[];
  readonly count: number;
}

interface Group extends Omit<Happening, "name"> {
  readonly at: number;
  readonly names: string[];
  count: number;
}

/** Guarantees: lines come in the order in which their first happening came; nothing is kept longer than the window. */
export class Story {
  readonly #clock: Clock;
  readonly #write: (told: Told) => void;
  readonly #windowMs: number;
  readonly #groups = new Map<string, Group>();

  constructor({ clock, write, windowMs = 250 }: StoryOptions) {
    this.#clock = clock;
    this.#write = write;
    this.#windowMs = windowMs;
  }

  readonly tell = ({ name, ...happening }: Happening): void => {
    const sort = [happening.who, happening.did, happening.kind, happening.of].join("\n");
    const group = this.#groups.get(sort);
    if (group === undefined) {
      if (this.#groups.size === 0) this.#clock.timer(this.#windowMs, () => this.flush());
      this.#groups.set(sort, { ...happening, at: this.#clock.now(), names: name === "" ? [] : [name], count: 1 });
      return;
    }
    group.count++;
    if (name !== "" && !group.names.includes(name)) group.names.push(name);
  };

  /** Tells what waits, at once. */
  flush(): void {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    for (const group of groups) this.#write(group);
  }
}
