/**
 * Groups changes into lines: simultaneous changes of one sort become one line, and long lists a count. Lines of programs stay as they are.
 *
 *     ChangeLine … → LineGrouper → lines
 */
import type { Clock } from "@drover/machinery";
import type { ChangeLine } from "./change-line.ts";

/** Options of a `LineGrouper`. */
export interface LineGrouperOptions {
  readonly clock: Clock;
  /** Receives each group; names are in order of arrival. */
  readonly write: (group: LineGroup) => void;
  /** Milliseconds to wait for similar changes. @default 250 */
  readonly windowMs?: number;
}

/** Changes of one sort. */
export interface LineGroup extends Omit<ChangeLine, "name"> {
  /** Time of the first one, in milliseconds since 1970. */
  readonly at: number;
  readonly names: readonly string[];
  readonly count: number;
}

interface Group extends Omit<ChangeLine, "name"> {
  readonly at: number;
  readonly names: string[];
  count: number;
}

/** Guarantees: lines are in the order of their first change; nothing is held longer than the window. */
export class LineGrouper {
  readonly #clock: Clock;
  readonly #write: (group: LineGroup) => void;
  readonly #windowMs: number;
  readonly #groups = new Map<string, Group>();

  constructor({ clock, write, windowMs = 250 }: LineGrouperOptions) {
    this.#clock = clock;
    this.#write = write;
    this.#windowMs = windowMs;
  }

  readonly report = ({ name, ...line }: ChangeLine): void => {
    if (line.isOutput === true) {
      // Earlier changes stay above it.
      this.flush();
      this.#write({ ...line, at: this.#clock.now(), names: [], count: 1 });
      return;
    }
    const sort = [line.who, line.did, line.kind, line.of].join("\n");
    const group = this.#groups.get(sort);
    if (group === undefined) {
      if (this.#groups.size === 0) this.#clock.timer(this.#windowMs, () => this.flush());
      this.#groups.set(sort, { ...line, at: this.#clock.now(), names: name === "" ? [] : [name], count: 1 });
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
