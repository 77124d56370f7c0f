/** One life of a simulated process: from a start with an empty memory to a crash or stop. */

/** Guarantees: once dead, none of its tasks run. */
export class Life {
  /** Name of the process. */
  readonly process: string;
  /** 1 for the first life. */
  readonly number: number;
  /** The process does nothing before this time on the timeline; it does not notice. */
  pausedUntilMs = 0;
  /** How far its wall clock is ahead of the others. */
  wallOffsetMs = 0;
  isDead = false;

  constructor(process: string, number: number) {
    this.process = process;
    this.number = number;
  }

  /** "operator 2", as in stories and names of decisions. */
  get name(): string {
    return `${this.process} ${this.number}`;
  }
}
