/**
 * `npm run bench -- wire [rounds]`: the cost of reading and writing the wire format, compared with the engine's own
 * JSON in the same run.
 *
 * Rounds are short and alternate in order; a ratio is the median of the ratios within each round, because the machine's
 * speed varies. Ratios are printed and compared to two digits. Exits with 1 when a bound does not hold.
 */
import { LineSplitter, decodeJson, decodeWatchEvent, encodeJson, encodeWatchEvent, peekWatchEvent } from "@drover/machinery";
import { podText, podTextWithoutManagedFields, podTextWithToken } from "./wire/pod.ts";

interface Case {
  readonly name: string;
  /** Number of objects that one call reads or writes. */
  readonly objects: number;
  readonly run: () => unknown;
  /** The case it is compared with. */
  readonly against?: string;
  /** Maximum ratio. */
  readonly bound?: number;
}

const rounds = Number(process.argv[3] ?? 1500);
const warmUpRounds = 300;
// Few objects per round: the shorter a round, the less often another program interrupts it.
const podCount = 16;
// Through a buffer, so that the texts are flat strings as they come from a socket.
const flat = (text: string): string => Buffer.from(text).toString("utf8");
const pods = Array.from({ length: podCount }, (_, index) => flat(podText(index)));
const bare = Array.from({ length: podCount }, (_, index) => flat(podTextWithoutManagedFields(index)));
const mounted = Array.from({ length: podCount }, (_, index) => flat(podTextWithToken(index)));
const values = pods.map((text) => JSON.parse(text) as unknown);
// Items of a list carry neither kind nor apiVersion.
const items = Array.from({ length: 500 }, (_, index) => podText(index).replace('"kind":"Pod","apiVersion":"v1",', ""));
const list = flat(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[${items.join(",")}]}`);
const lines = pods.map((text) => flat(encodeWatchEvent("MODIFIED", text)));
const peeked = lines.map((line) => Buffer.from(line.trimEnd()));
const stream = new TextEncoder().encode(lines.join(""));
const chunkBytes = 16 * 1024;
const chunks = Array.from({ length: Math.ceil(stream.length / chunkBytes) }, (_, index) =>
  stream.subarray(index * chunkBytes, (index + 1) * chunkBytes),
);

const each = (texts: readonly string[], read: (text: string) => unknown) => (): unknown => {
  let last: unknown;
  for (const text of texts) last = read(text);
  return last;
};

const cases: readonly Case[] = [
  { name: "pod: JSON.parse", objects: podCount, run: each(pods, (text) => JSON.parse(text) as unknown) },
  { name: "pod: decodeJson", objects: podCount, run: each(pods, (text) => decodeJson(text)), against: "pod: JSON.parse", bound: 1.1 },
  {
    name: "pod: decodeJson, managed fields dropped",
    objects: podCount,
    run: each(pods, (text) => decodeJson(text, { dropManagedFields: true })),
    against: "pod: JSON.parse",
    bound: 0.6,
  },
  { name: "pod with token volume: JSON.parse", objects: podCount, run: each(mounted, (text) => JSON.parse(text) as unknown) },
  {
    name: "pod with token volume: decodeJson, dropped",
    objects: podCount,
    run: each(mounted, (text) => decodeJson(text, { dropManagedFields: true })),
    against: "pod with token volume: JSON.parse",
    bound: 0.6,
  },
  {
    name: "… compared with a pod that never had any",
    objects: podCount,
    run: each(pods, (text) => decodeJson(text, { dropManagedFields: true })),
    against: "bare pod: JSON.parse",
    bound: 1.25,
  },
  { name: "pod: JSON.parse, then delete", objects: podCount, run: each(pods, parseAndDelete), against: "pod: JSON.parse" },
  {
    name: "pod: decodeJson, exact path",
    objects: podCount,
    run: each(pods, (text) => decodeJson(text, { onDuplicateField: () => undefined })),
    against: "pod: JSON.parse",
  },
  { name: "bare pod: JSON.parse", objects: podCount, run: each(bare, (text) => JSON.parse(text) as unknown), against: "pod: JSON.parse" },
  {
    name: "bare pod: decodeJson",
    objects: podCount,
    run: each(bare, (text) => decodeJson(text)),
    against: "bare pod: JSON.parse",
    bound: 1.1,
  },
  {
    name: "bare pod: decodeJson, managed fields dropped",
    objects: podCount,
    run: each(bare, (text) => decodeJson(text, { dropManagedFields: true })),
    against: "bare pod: JSON.parse",
    bound: 1.2,
  },
  { name: "list of 500: JSON.parse", objects: 500, run: () => JSON.parse(list) as unknown },
  { name: "list of 500: decodeJson", objects: 500, run: () => decodeJson(list), against: "list of 500: JSON.parse", bound: 1.4 },
  {
    name: "list of 500: decodeJson, managed fields dropped",
    objects: 500,
    run: () => decodeJson(list, { dropManagedFields: true }),
    against: "list of 500: JSON.parse",
    bound: 0.85,
  },
  {
    name: "watch line: decodeWatchEvent, managed fields dropped",
    objects: podCount,
    run: each(lines, (line) => decodeWatchEvent(line, { dropManagedFields: true })),
    against: "pod: JSON.parse",
    bound: 0.8,
  },
  {
    name: "watch line: peekWatchEvent",
    objects: podCount,
    run: () => peeked.map((line) => peekWatchEvent(line)),
    against: "pod: JSON.parse",
    bound: 0.25,
  },
  { name: "stream of bytes: LineSplitter", objects: podCount, run: split },
  { name: "pod: JSON.stringify", objects: podCount, run: () => values.map((value) => JSON.stringify(value)) },
  {
    name: "pod: encodeJson",
    objects: podCount,
    run: () => values.map((value) => encodeJson(value)),
    against: "pod: JSON.stringify",
    bound: 1.4,
  },
  {
    name: "pod: encodeJson as the server writes",
    objects: podCount,
    run: () => values.map((value) => encodeJson(value, { escapeHtml: true })),
    against: "pod: JSON.stringify",
  },
];

/** Nanoseconds per object, by case, round by round. */
const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
// Measured separately, because the garbage of a list of 500 would be collected at the expense of the others.
measure(
  cases.filter(({ objects }) => objects === podCount),
  rounds,
  warmUpRounds,
);
measure(
  cases.filter(({ objects }) => objects !== podCount),
  rounds / 20,
  warmUpRounds / 20,
);

const rows = cases.map(({ name, against, bound }) => {
  const own = times.get(name) ?? [];
  const other = against === undefined ? undefined : times.get(against);
  const ratio =
    other === undefined ? undefined : Math.round(100 * median(own.map((time, index) => time / (other[index] ?? Number.NaN)))) / 100;
  return {
    name,
    microseconds: median(own) / 1000,
    ratio,
    against,
    bound,
    holds: ratio === undefined || bound === undefined || ratio <= bound,
  };
});
const sizes = `pod ${pods[0]?.length} characters, ${bare[0]?.length} without managed fields; list ${(list.length / 1e6).toFixed(1)} MB; ${rounds} rounds`;
const print = ({ name, microseconds, ratio, against, bound, holds }: (typeof rows)[number]): string =>
  `${name.padEnd(54)}${microseconds.toFixed(2).padStart(9)} µs ${ratio === undefined ? "" : `${ratio.toFixed(2)} × ${against}`.padEnd(32)}${bound === undefined ? "" : `${holds ? "≤" : "EXCEEDS"} ${bound}`}`;
process.stdout.write(`${sizes}\n${rows.map(print).join("\n")}\n`);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

function measure(group: readonly Case[], counted: number, before: number): void {
  for (let round = 0; round < before + counted; round++) {
    for (const { name, objects, run } of round % 2 === 0 ? group : group.toReversed()) {
      const start = process.hrtime.bigint();
      run();
      const took = Number(process.hrtime.bigint() - start) / objects;
      if (round >= before) times.get(name)?.push(took);
    }
  }
}

function split(): number {
  const splitter = new LineSplitter();
  let count = 0;
  for (const chunk of chunks) count += splitter.push(chunk).length;
  if (count !== podCount) throw new Error(`${count} lines instead of ${podCount}`);
  return count;
}

function parseAndDelete(text: string): unknown {
  const value = JSON.parse(text) as { metadata: { managedFields?: unknown } };
  delete value.metadata.managedFields;
  return value;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
