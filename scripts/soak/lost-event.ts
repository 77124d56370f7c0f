/**
 * Row 11: an event that the server lost is found by the audit of the cache.
 *
 *     npm run soak -- lost-event --histories 1000
 *
 * On a manual clock, with default options: the server commits a creation, an update or a deletion without telling any watch, at a random
 * time. The time until the cache has it again counts.
 */
import { pick } from "@drover/machinery";
import { informerRig } from "../../packages/cache/src/testing/informer-rig.ts";
import { lateSource } from "../../packages/cache/src/testing/reflector-rig.ts";
import { countText, durationText } from "./parts/durations.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Measure } from "./parts/figure.ts";
import { percentile } from "./parts/statistics.ts";

const limitMs = 600_000;
const patienceMs = 3_600_000;

export const measure: Measure = async ({ forMs, seed, histories = Math.max(20, Math.min(1000, Math.floor(forMs / 600))), note }) => {
  note(`lost-event: ${countText(histories)} histories`);
  const times: number[] = [];
  for (let turn = 0; turn < histories; turn++) times.push(await healed(seed + turn));
  const most = percentile(times, 1);
  return [
    {
      row: 11,
      name: "a lost server event is healed",
      target: "within one audit period, 10 min by default",
      measured: `p50 ${durationText(percentile(times, 0.5))}, longest ${durationText(most)} in ${countText(histories)} histories`,
      verdict: verdictOf(most <= limitMs, true),
      command: "npm run soak -- lost-event",
    },
  ];
};

/** Returns the virtual time from the lost event until cache and server agree. */
async function healed(seed: number): Promise<number> {
  const rig = informerRig({ seed, informer: (api, runtime) => ({ audit: { source: lateSource(api, runtime, { namespace: "*" }) } }) });
  const random = rig.runtime.random.stream("lost");
  rig.write(...Array.from({ length: 10 }, (_, number) => `n${number}`));
  await rig.settled(2000 + random.int(900_000));
  rig.api.unseen(() => {
    const kind = pick(random, ["create", "update", "delete"] as const);
    if (kind === "delete") rig.api.remove("shop/n1");
    else rig.write(kind === "update" ? "n2" : "n20");
  });
  rig.write("n3");
  let passedMs = 0;
  for (; passedMs < patienceMs; passedMs += 1000) {
    await rig.settled(1000);
    if (passedMs > 1000 && rig.differences().length === 0) break;
  }
  await rig.stop();
  return passedMs;
}
