/**
 * The loop: mutates kept inputs, runs them in batches, and keeps those that execute new code.
 *
 *     corpus → mutate → judge → coverage → corpus
 *
 * Reading coverage costs milliseconds, so it is read once per batch; a batch with new code is run again in halves to find which input
 * it was.
 */
import type { Random } from "@drover/machinery";
import type { Coverage } from "./coverage.ts";
import { judge } from "./judge.ts";
import type { Failure } from "./judge.ts";
import { mutate } from "./mutate.ts";
import { shrink } from "./shrink.ts";
import type { FuzzTarget } from "./target.ts";

export interface FuzzerOptions {
  readonly target: FuzzTarget;
  readonly seeds: readonly Uint8Array[];
  readonly random: Random;
  /** @default no coverage: every input is mutated from the seeds */
  readonly coverage?: Coverage;
  /** Longest time of an input. @default 100 ms */
  readonly limitMs?: number;
  /** Called before each input, so that a supervisor knows it when the program hangs or runs out of memory. */
  readonly onInput?: (input: Uint8Array) => void;
  /** Called once per kind of failure, with the shrunk input. */
  readonly onFailure: (failure: Failure, input: Uint8Array) => void;
}

/** Kept inputs; beyond these an old one that is no seed makes room. */
const keptMax = 3000;
const keptBytesMax = 16 * 2 ** 20;
/** A target that fails in so many ways needs repair first. */
const failuresMax = 20;

export class Fuzzer {
  readonly #options: FuzzerOptions;
  readonly #kept: Uint8Array[];
  readonly #signatures = new Set<string>();
  #keptBytes: number;
  #executions = 0;
  #longestMs = 0;

  constructor(options: FuzzerOptions) {
    this.#options = options;
    this.#kept = options.seeds.length === 0 ? [new Uint8Array()] : [...options.seeds];
    this.#keptBytes = this.#kept.reduce((bytes, { length }) => bytes + length, 0);
  }

  get executions(): number {
    return this.#executions;
  }

  get kept(): number {
    return this.#kept.length;
  }

  /** Longest time of one input that did not fail. */
  get longestMs(): number {
    return this.#longestMs;
  }

  get failures(): number {
    return this.#signatures.size;
  }

  get gaveUp(): boolean {
    return this.#signatures.size >= failuresMax;
  }

  async runSeeds(): Promise<void> {
    const { coverage } = this.#options;
    for (const seed of this.#kept) await this.#run(seed);
    if (coverage?.foundNew() === true) coverage.commit();
  }

  /** Runs this many new inputs. */
  async runBatch(size: number): Promise<void> {
    const batch = Array.from({ length: size }, () => this.#next());
    for (const input of batch) await this.#run(input);
    if (this.#options.coverage?.foundNew() === true) await this.#keepNew(batch, this.#options.coverage);
  }

  #next(): Uint8Array {
    const { random, target } = this.#options;
    const pick = (): Uint8Array => {
      // Recent finds are worth more tries.
      const recent = random.int(3) === 0 ? Math.max(0, this.#kept.length - 50) : 0;
      return this.#kept[recent + random.int(this.#kept.length - recent)] as Uint8Array;
    };
    return mutate(pick(), pick(), { random, tokens: target.tokens });
  }

  async #run(input: Uint8Array): Promise<void> {
    const { target, onInput, limitMs } = this.#options;
    onInput?.(input);
    const { failure, milliseconds } = await judge(target, input, limitMs);
    this.#executions++;
    if (failure !== undefined) await this.#report(failure, input);
    else if (milliseconds > this.#longestMs) this.#longestMs = milliseconds;
  }

  async #report(failure: Failure, input: Uint8Array): Promise<void> {
    const { signature } = failure;
    if (this.#signatures.has(signature)) return;
    this.#signatures.add(signature);
    const { target, onInput, onFailure, limitMs } = this.#options;
    const failureOf = async (candidate: Uint8Array): Promise<Failure | undefined> => {
      onInput?.(candidate);
      return (await judge(target, candidate, limitMs)).failure;
    };
    const isSlow = signature === "slow";
    const fails = async (candidate: Uint8Array): Promise<boolean> => (await failureOf(candidate))?.signature === signature;
    // A slow input takes its time with every try.
    const smallest = await shrink(input, { fails, ...(isSlow ? { triesMax: 50 } : {}) });
    onFailure((await failureOf(smallest)) ?? failure, smallest);
  }

  /** Keeps the inputs of a batch that execute new code, each alone. */
  async #keepNew(batch: readonly Uint8Array[], coverage: Coverage): Promise<void> {
    if (batch.length === 1) {
      coverage.commit();
      this.#keep(batch[0] as Uint8Array);
      return;
    }
    const middle = batch.length >> 1;
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      for (const input of half) await this.#run(input);
      if (coverage.foundNew()) await this.#keepNew(half, coverage);
    }
  }

  #keep(input: Uint8Array): void {
    const { random, seeds } = this.#options;
    this.#kept.push(input);
    this.#keptBytes += input.length;
    while (this.#kept.length > seeds.length + 1 && (this.#kept.length > keptMax || this.#keptBytes > keptBytesMax)) {
      const [removed] = this.#kept.splice(seeds.length + random.int(this.#kept.length - seeds.length), 1);
      this.#keptBytes -= removed?.length ?? 0;
    }
  }
}
