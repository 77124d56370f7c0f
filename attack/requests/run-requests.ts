/**
 * `npm run attack -- --requests 100000`: sends hostile requests from a grammar to `drover up` with RBAC on and a small heap, over sockets.
 * Fails when the server ends, an answer is malformed, a small request waits for more than a second, or the heap grows.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Canary } from "../canary.ts";
import { slowness } from "../yardstick.ts";
import { endingProblem } from "./check-ending.ts";
import { openFortress } from "./fortress.ts";
import type { Fortress, HeapReport } from "./fortress.ts";
import { Grammar, familyNames } from "./grammar.ts";
import { HostileClient } from "./hostile-client.ts";
import type { Ending } from "./hostile-client.ts";
import type { HostileRequest } from "./hostile-request.ts";

export interface RequestRun {
  /** How many requests to send. */
  readonly count: number;
  readonly seed: string;
  /** Number of the only request to send, to look at it. @default all */
  readonly only?: number;
  readonly print: (line: string) => void;
}

const heapMegabytes = 192;
const workers = 12;
/** The heap is measured so many times, after equal parts of the run. */
const parts = 4;
/** Most megabytes by which heap and buffers may be larger at a later measurement than at the first one. */
const growthMax = 10;
/** Most megabytes of compiled code. */
const codeMax = 40;
/** Longest time that the server may compute before it answers /readyz; longer on a slow processor, as in judge-attack.ts. */
const silentMs = 1000;
const patience = 5;
/** Problems to print; the rest is counted. */
const problemsMax = 40;

/** Returns what went wrong; empty when the server held. */
export async function runRequests({ count, seed, only, print }: RequestRun): Promise<readonly string[]> {
  const fortress = await openFortress(heapMegabytes);
  const tally = new Tally(print);
  const canary = new Canary(fortress.target, fortress.server.pid, "/readyz");
  const heaps: HeapReport[] = [];
  let slow = slowness();
  try {
    const grammar = new Grammar(seed, fortress.token);
    if (only !== undefined) {
      await sendAll(fortress, grammar, [only, only + 1], tally);
    } else {
      for (let part = 0; part < parts; part++) {
        const range = [Math.floor((count * part) / parts), Math.floor((count * (part + 1)) / parts)] as const;
        await sendAll(fortress, grammar, range, tally);
        heaps.push(await fortress.heap());
        slow = Math.max(slow, slowness());
        print(
          `${range[1]} requests   ${describeHeap(heaps.at(-1) as HeapReport)}, silent ${Math.round(canary.silentMs)} ms (busy ${Math.round(canary.busyMs)} ms)`,
        );
      }
    }
  } catch (error) {
    tally.fail(error instanceof Error ? error.message : String(error));
  }
  await pause(100);
  const { silentMs: silent, busyMs: busy, failure } = canary;
  await canary.stop();
  if (failure !== undefined) tally.fail(failure);
  const allowed = Math.round(silentMs * slow);
  if (busy > allowed) tally.fail(`/readyz waited for ${Math.round(busy)} ms of processor time, at most ${allowed}`);
  else if (silent > allowed * patience) tally.fail(`/readyz waited for ${Math.round(silent)} ms, at most ${allowed * patience}`);
  if (fortress.server.ended !== undefined) tally.fail(fortress.server.ended);
  const logged = /^.*request failed.*$/m.exec(fortress.server.words);
  if (logged !== null) tally.fail(`the server logged: ${logged[0].slice(0, 400)}`);
  for (const [index, heap] of heaps.entries()) {
    const growth = megabytes(heap) - megabytes(heaps[0] as HeapReport);
    if (heap.codeMegabytes > codeMax) tally.fail(`${heap.codeMegabytes.toFixed(1)} MB of compiled code, at most ${codeMax}`);
    if (growth > growthMax) tally.fail(`the heap grew by ${growth.toFixed(1)} MB from measurement 1 to ${index + 1}, at most ${growthMax}`);
  }
  await fortress.close();
  tally.report();
  return tally.problems;
}

/** Code is not counted, but has a bound of its own. */
const megabytes = ({ heapMegabytes: heap, outsideMegabytes: outside }: HeapReport): number => heap + outside;
const describeHeap = ({
  heapMegabytes: heap,
  codeMegabytes: code,
  outsideMegabytes: outside,
  residentMegabytes: resident,
}: HeapReport): string =>
  `heap ${heap.toFixed(1)} MB, code ${code.toFixed(1)} MB, buffers ${outside.toFixed(1)} MB, resident ${resident.toFixed(0)} MB`;

/** Every tenth request has no token. */
const isAnonymous = (number: number): boolean => number % 10 === 9;

async function sendAll(fortress: Fortress, grammar: Grammar, [from, to]: readonly [number, number], tally: Tally): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    const known = new HostileClient(fortress.target, fortress.token);
    const unknown = new HostileClient(fortress.target, undefined);
    while (next < to && fortress.server.ended === undefined) {
      const number = next++;
      const request = grammar.request(number);
      const began = performance.now();
      const ending = await (isAnonymous(number) ? unknown : known).send(request).catch((error: unknown): Ending => ({
        kind: "malformed",
        problem: `cannot connect: ${error instanceof Error ? error.message : String(error)}`,
      }));
      tally.add(number, request, ending, performance.now() - began);
    }
    known.close();
    unknown.close();
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Counts how requests ended and remembers the slowest ones. */
class Tally {
  readonly problems: string[] = [];
  readonly #print: (line: string) => void;
  readonly #endings = new Map<string, Map<string, number>>();
  #slowest: { readonly number: number; readonly ms: number; readonly request: HostileRequest }[] = [];

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(number: number, request: HostileRequest, ending: Ending, ms: number): void {
    const counts = this.#endings.get(request.family) ?? new Map<string, number>();
    const name = endingName(ending);
    this.#endings.set(request.family, counts.set(name, (counts.get(name) ?? 0) + 1));
    this.#slowest = [...this.#slowest, { number, ms, request }].toSorted((a, b) => b.ms - a.ms).slice(0, 5);
    const problem = endingProblem(request, ending);
    if (problem !== undefined) this.fail(`request ${number}, ${describe(request)}: ${problem}`);
  }

  fail(problem: string): void {
    this.problems.push(problem);
    if (this.problems.length <= problemsMax) this.#print(`  FAILS ${problem}`);
  }

  report(): void {
    for (const family of familyNames) {
      const counts = [...(this.#endings.get(family) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
      if (counts.length > 0) this.#print(`${family.padEnd(10)} ${counts.map(([name, count]) => `${name}: ${count}`).join(", ")}`);
    }
    for (const { number, ms, request } of this.#slowest) this.#print(`slow: request ${number}, ${describe(request)}: ${Math.round(ms)} ms`);
  }
}

const endingName = (ending: Ending): string => (ending.kind === "answered" ? String(ending.response.status) : ending.kind);

const describe = ({ family, sent }: HostileRequest): string =>
  sent.wire === "framed"
    ? `${family} ${sent.method} ${JSON.stringify(sent.path.slice(0, 100))}, ${sent.body?.length ?? 0} bytes`
    : `${family}, ${sent.bytes.length} bytes`;
