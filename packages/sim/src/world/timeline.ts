/**
 * Virtual time of a simulation: runs one task after the other, in the order of time, and lets everything that follows from a task finish
 * before the next one.
 *
 *     at(dueMs, life, run) → step() → run, with `current` set to its life
 */
import type { Life } from "./life.ts";
import { TaskHeap } from "./task-heap.ts";
import type { Task } from "./task-heap.ts";

export interface TimelineOptions {
  /** Wall time at the start, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Resolves when all promises that can settle have settled. */
  readonly drained: () => Promise<void>;
}

/** Guarantees: tasks run one at a time, those of one moment in the order of their creation; time never goes back. */
export class Timeline {
  readonly startMs: number;
  readonly #drained: () => Promise<void>;
  readonly #tasks = new TaskHeap();
  #elapsedMs = 0;
  #order = 0;
  #steps = 0;
  #current: Life | undefined;
  #isStepping = false;

  constructor({ nowMs, drained }: TimelineOptions) {
    this.startMs = nowMs;
    this.#drained = drained;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Number of tasks that have run. */
  get steps(): number {
    return this.#steps;
  }

  /** The life whose task runs; undefined between tasks and in those of the network. */
  get current(): Life | undefined {
    return this.#current;
  }

  /** Whether a task runs. What happens between tasks was caused by something outside the simulation. */
  get isStepping(): boolean {
    return this.#isStepping;
  }

  /** Runs `run` at a time, or now if that has passed. Returns a function that cancels it. */
  at(dueMs: number, life: Life | undefined, run: () => void): () => void {
    const task: Task = { dueMs: dueMs > this.#elapsedMs ? dueMs : this.#elapsedMs, order: this.#order++, life, run };
    this.#tasks.push(task);
    return () => {
      task.run = undefined;
    };
  }

  after(delayMs: number, life: Life | undefined, run: () => void): () => void {
    return this.at(this.#elapsedMs + (delayMs > 0 ? delayMs : 0), life, run);
  }

  /** Runs what is due up to now without a task of its own: the start of a life, a step of the scene. */
  async within<T>(life: Life | undefined, run: () => T): Promise<T> {
    this.#enter(life);
    try {
      const result = run();
      await this.#drained();
      return result;
    } finally {
      this.#leave();
    }
  }

  /** Runs the next task that is due before `untilMs`. Returns whether there was one; if not, time stands still. */
  async step(untilMs = Infinity): Promise<boolean> {
    for (;;) {
      const task = this.#tasks.peek();
      if (task === undefined || task.dueMs > untilMs) return false;
      this.#tasks.pop();
      const { life, run } = task;
      if (run === undefined || life?.isDead === true) continue;
      if (life !== undefined && life.pausedUntilMs > task.dueMs) {
        task.dueMs = life.pausedUntilMs;
        this.#tasks.push(task);
        continue;
      }
      task.run = undefined;
      if (task.dueMs > this.#elapsedMs) this.#elapsedMs = task.dueMs;
      this.#steps++;
      this.#enter(life);
      try {
        run();
        await this.#drained();
      } finally {
        this.#leave();
      }
      return true;
    }
  }

  /** Moves time forward without running anything; only for times before the next task. */
  passTo(elapsedMs: number): void {
    if (elapsedMs > this.#elapsedMs) this.#elapsedMs = elapsedMs;
  }

  #enter(life: Life | undefined): void {
    this.#current = life;
    this.#isStepping = true;
  }

  #leave(): void {
    this.#current = undefined;
    this.#isStepping = false;
  }
}
