/**
 * Drover's side of the event benchmark, as a separate process and from the built package: an informer, a queue and one worker, with the
 * time and the allocations of every stage of an event.
 *
 *     node drover.mjs <settings as JSON>  →  measurements as JSON
 *
 * Stages, each up to the place where the next part of the program gets the event:
 *   socket   from the server's clock until the transport passes on the chunk
 *   event    framing, and identifying the object
 *   handler  reflector, store, and the call of the handler
 *   worker   the queue
 *   object   decoding what the worker reads
 */
import { getHeapStatistics } from "node:v8";

const { url, events, format, counts } = JSON.parse(process.argv[2]);
const [{ createInformer, listWatcher }, { clusterTransport, nodeRuntime, nodeTransport }, { createQueue }, { Pod }] = await Promise.all([
  import("drover/cache"),
  import("drover/client"),
  import("drover/controller"),
  import("drover/kinds"),
]);

const nowMs = () => performance.timeOrigin + performance.now();
const mark = counts === "bytes" ? () => getHeapStatistics().used_heap_size : nowMs;
const runtime = nodeRuntime({ logLevel: "error" });
const host = {
  env: {},
  platform: process.platform,
  isInteractive: false,
  cwd: "/",
  readFile: () => Promise.reject(new Error("no files here")),
};
const plain = clusterTransport(
  { server: url, trust: {}, credentials: {}, namespace: "default" },
  { ...runtime, host, isPair: () => true, connect: nodeTransport, userAgent: "bench" },
);

let arrived = 0;
let framed = 0;
let told = 0;

const marked = (iterator, atStep) => ({
  next: () =>
    iterator.next().then((step) => {
      atStep();
      return step;
    }),
  return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  [Symbol.asyncIterator]() {
    return this;
  },
});

const transport = async (request) => {
  const response = await plain(request);
  if (!request.path.includes("watch=true")) return response;
  const body = marked(response.body[Symbol.asyncIterator](), () => {
    arrived = mark();
  });
  return { ...response, body };
};
const source = listWatcher({ transport, clock: runtime.clock, kind: Pod, format, watchList: false });
const informer = createInformer({
  runtime,
  source: {
    description: source.description,
    supportsWatchList: false,
    shelf: source.shelf,
    list: (options, call) => source.list(options, call),
    watch: (options, call) =>
      marked(source.watch(options, call)[Symbol.asyncIterator](), () => {
        framed = mark();
      }),
  },
});
const queue = createQueue(runtime);
informer.addHandler(
  (change) => {
    if (change.type !== "updated") return;
    told = mark();
    queue.add(change.key);
  },
  { name: "bench" },
);
const over = new AbortController();
informer.run(over.signal).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

const names = ["socket", "event", "handler", "worker", "object"];
const stages = names.map(() => []);
const totals = [];
for (let count = 0; count < events; count++) {
  const { key } = await queue.get({ signal: over.signal });
  const started = mark();
  const sent = Number(informer.get(key).metadata.annotations["bench.drover.dev/sent"]);
  const read = mark();
  queue.done(key);
  [arrived - sent, framed - arrived, told - framed, started - told, read - started].forEach((value, stage) => stages[stage].push(value));
  totals.push(read - sent);
}
// The first events run before the engine has optimised anything.
const after = Math.floor(events / 4);
const at = (values, share) => {
  const sorted = values.slice(after).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
};
const result = {
  stages: Object.fromEntries(names.map((name, stage) => [name, [at(stages[stage], 0.5), at(stages[stage], 0.99)]])),
  total: [at(totals, 0.5), at(totals, 0.99)],
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
