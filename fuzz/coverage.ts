/**
 * Which blocks of the packages an input executes, from the engine's own coverage.
 *
 *     start → run inputs → foundNew() → commit()
 *
 * Must start before the code under test is loaded: functions that are already compiled have no counters.
 */
import { Session } from "node:inspector";
import type { Profiler } from "node:inspector";

export class Coverage {
  readonly #session = new Session();
  /** Per function, by script and offsets: one byte per character of its source, 1 when covered. */
  readonly #covered = new Map<string, Uint8Array>();
  #latest: readonly Profiler.ScriptCoverage[] = [];
  #blocks = 0;

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  }

  /** Stretches of code that were executed for the first time together. */
  get blocks(): number {
    return this.#blocks;
  }

  /** Whether code was executed since the last call that no committed input has executed. */
  foundNew(): boolean {
    this.#latest = this.#take();
    return this.#paint(false) > 0;
  }

  /** Counts what the last call of `foundNew` saw as covered. */
  commit(): void {
    this.#blocks += this.#paint(true);
  }

  stop(): void {
    this.#session.disconnect();
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      scripts = result;
    });
    return scripts.filter(({ url }) => url.includes("/packages/"));
  }

  /** Returns the number of stretches that are new, and marks them if asked to. */
  #paint(mark: boolean): number {
    let found = 0;
    for (const { url, functions } of this.#latest)
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined) continue;
        const { startOffset: start, endOffset: end } = whole;
        const key = `${url}:${start}:${end}`;
        const before = this.#covered.get(key);
        const now = executed(ranges, start, end);
        found += newStretches(before, now);
        if (!mark) continue;
        if (before !== undefined) for (let at = 0; at < now.length; at++) now[at] = (now[at] ?? 0) | (before[at] ?? 0);
        this.#covered.set(key, now);
      }
    return found;
  }
}

/** Inner ranges follow outer ones, so the last one decides. */
function executed(ranges: readonly Profiler.CoverageRange[], start: number, end: number): Uint8Array {
  const marks = new Uint8Array(end - start);
  for (const range of ranges) marks.fill(range.count > 0 ? 1 : 0, range.startOffset - start, range.endOffset - start);
  return marks;
}

function newStretches(before: Uint8Array | undefined, now: Uint8Array): number {
  let stretches = 0;
  let inside = false;
  for (let at = 0; at < now.length; at++) {
    const isNew = now[at] === 1 && (before === undefined || before[at] === 0);
    if (isNew && !inside) stretches++;
    inside = isNew;
  }
  return stretches;
}
