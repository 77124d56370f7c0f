/**
 * Groups changes into lines: simultaneous changes of one sort become one line, and long lists a count.
 *
 *     Happening … → Story → lines
 */
import type { Clock } from "@drover/machinery";
import type { Happening } from "./happening.ts";

export interface StoryOptions {
  readonly clock: Clock;
  /** Receives each group; names are in order of arrival. */
  readonly write: (told: Told) => void;
  /** Milliseconds to wait for similar changes. @default 250 */
  readonly windowMs?: number;
}

/** Changes of one sort. */
export interface Told extends Omit<Happening, "name"> {
  /** Time of the first one, in milliseconds since 1970. */
  readonly at: number;
  readonly names: readonly string[];
  readonly count: number;
}

interface Group extends Omit<Happening, "name"> {
  readonly at: number;
  readonly names: string[];
  count: number;
}

/** Guarantees: lines are in the order of their first change; nothing is held longer than the window. */
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

  /** Writes pending groups immediately. */
  flush(): void {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    for (const group of groups) this.#write(group);
  }
}
