/**
 * Row 12: memory of a cache with a handler that never returns.
 *
 *     npm run soak -- stuck-handler
 *
 * 100,000 objects of 300 B change three times while a handler is stuck in its first call: once from the start, with every object pending
 * as an addition, and once after the first list, with every object pending as an update. The heap is compared with that of the same cache
 * when the handler has been removed.
 */
import { informerRig } from "../../packages/cache/src/testing/informer-rig.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Measure } from "./parts/figure.ts";
import { heapBytes } from "./parts/heap.ts";

const objects = 100_000;
const limitBytes = 300;

export const measure: Measure = async ({ note }) => {
  const found = [];
  for (const at of ["the first list", "updates"] as const) {
    const bytes = await bytesPerPending(at === "updates");
    note(`stuck-handler: stuck at ${at}: ${bytes.toFixed(0)} B for each pending object`);
    found.push(bytes);
  }
  const [additions = 0, updates = 0] = found;
  return [
    {
      row: 12,
      name: "memory with a stuck handler",
      target: "cache + 300 B for each pending key",
      measured: `cache + ${additions.toFixed(0)} B for each pending addition, ${updates.toFixed(0)} B for each pending update, 100,000 of them`,
      verdict: verdictOf(Math.max(additions, updates) < limitBytes, true),
      command: "npm run soak -- stuck-handler",
    },
  ];
};

async function bytesPerPending(isSynced: boolean): Promise<number> {
  const rig = informerRig({ api: { commitsMax: 2000 } });
  const put = async (turn: number): Promise<void> => {
    for (let number = 0; number < objects; number++) {
      rig.api.put({ metadata: { namespace: "shop", name: `n${number}` }, data: { turn: String(turn), text: "x".repeat(150) } });
      // The history of the server has room for this many.
      if (number % 1000 === 999) await rig.settled(100);
    }
    await rig.settled(5000);
  };
  await put(0);
  let isStuck = !isSynced;
  const registration = rig.informer.addHandler(() => (isStuck ? new Promise<void>(() => undefined) : undefined), { name: "stuck" });
  await rig.settled(5000);
  isStuck = true;
  for (let turn = 1; turn <= 3; turn++) {
    await put(turn);
  }
  const stuck = await heapBytes();
  const pending = rig.informer.state().handlers.find(({ name }) => name === "stuck")?.pendingKeys ?? 0;
  if (pending < objects - 1) throw new Error(`only ${pending} changes are pending`);
  registration.remove();
  await rig.settled(5000);
  const free = await heapBytes();
  await rig.stop();
  return (stuck - free) / pending;
}
