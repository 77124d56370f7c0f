/** Tasks in the order of time, then of creation. */
import type { Life } from "./life.ts";

export interface Task {
  /** Later if its life is paused then. */
  dueMs: number;
  readonly order: number;
  /** The life that runs it; undefined for the network and the server. Tasks of a dead life are dropped. */
  readonly life: Life | undefined;
  /** Undefined when cancelled. */
  run: (() => void) | undefined;
}

/** A binary heap. Cancelled tasks stay in it until they are due. */
export class TaskHeap {
  readonly #tasks: Task[] = [];

  push(task: Task): void {
    const tasks = this.#tasks;
    let place = tasks.push(task) - 1;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      const above = tasks[parent] as Task;
      if (isBefore(above, task)) break;
      tasks[place] = above;
      place = parent;
    }
    tasks[place] = task;
  }

  /** Returns the next task without removing it; undefined if there is none. */
  peek(): Task | undefined {
    return this.#tasks[0];
  }

  pop(): Task | undefined {
    const tasks = this.#tasks;
    const first = tasks[0];
    const last = tasks.pop();
    if (first === undefined || last === undefined || tasks.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const left = tasks[child];
      if (left === undefined) break;
      const right = tasks[child + 1];
      const least = right !== undefined && isBefore(right, left) ? (child++, right) : left;
      if (isBefore(last, least)) break;
      tasks[place] = least;
      place = child;
    }
    tasks[place] = last;
    return first;
  }

  clear(): void {
    this.#tasks.length = 0;
  }
}

const isBefore = (a: Task, b: Task): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
