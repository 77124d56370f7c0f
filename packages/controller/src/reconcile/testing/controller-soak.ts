/**
 * A long run of one controller over changing keys, with everything a reconcile may do: succeed, fail, conflict, stop, run again, write,
 * never settle. Anything left at the end is a leak.
 *
 *     npm run soak -- controller --reconciles 1e6 --keys 1e5
 */
import { ConfigMap } from "@drover/api/core/v1";
import { ApiError, newConflict, objectKey, sleep } from "@drover/machinery";
import type { Runtime, Transport } from "@drover/machinery";
import { createCluster } from "@drover/cache";
import { createController } from "../controller.ts";
import type { Controller } from "../controller.ts";
import type { ReconcileContext } from "../reconciler.ts";
import { after, done, retry, stop } from "../result.ts";
import type { Result } from "../result.ts";

export interface ControllerSoakOptions {
  readonly runtime: Runtime;
  /** Minimum number of runs. */
  readonly reconciles: number;
  /** Number of distinct keys. */
  readonly keys: number;
  /** Called after each tenth of the runs, while nothing is in progress. */
  readonly onRest: (reconciles: number) => void;
}

export interface ControllerSoakReport {
  readonly reconciles: number;
  readonly distinctKeys: number;
  /** What the controller still knows about any key. */
  readonly left: number;
}

const waveSize = 5000;
const deadlineMs = 50;

/** Keys come in waves; the next one starts when the controller is idle. */
export async function soakController({ runtime, reconciles, keys, onRest }: ControllerSoakOptions): Promise<ControllerSoakReport> {
  const random = runtime.random.stream("soak");
  const seen = new Uint8Array(keys);
  const runs = { count: 0 };
  const cluster = createCluster({ runtime, transport: confirming, namespace: "soak" });
  const controller = createController({
    name: "soak",
    cluster,
    workers: 16,
    deadlineMs,
    retry: { baseMs: 1, capMs: 4, max: 5 },
    reconcile: (context) => {
      runs.count++;
      return outcome(random.int(1000), context, runtime);
    },
  });
  const end = new AbortController();
  const over = controller.run(end.signal);
  let told = 0;
  while (runs.count < reconciles) {
    for (let index = 0; index < Math.min(waveSize, keys); index++) {
      const number = random.int(keys);
      seen[number] = 1;
      controller.enqueue(objectKey(`n${number}`, "soak"), { priority: random.int(3), note: "wave" });
    }
    await rest(controller, runtime);
    if (runs.count < ((told + 1) * reconciles) / 10) continue;
    told = Math.floor((runs.count * 10) / reconciles);
    onRest(runs.count);
  }
  const left = controller.inspectAll().length;
  const distinctKeys = seen.reduce((sum, one) => sum + one, 0);
  end.abort(new Error("the soak is over"));
  await over;
  return { reconciles: runs.count, distinctKeys, left };
}

/** Waits until nothing is pending. Unparks parked keys. */
async function rest(controller: Controller, { clock }: Runtime): Promise<void> {
  for (;;) {
    const { active, ready, waiting, parked } = controller.state();
    if (active + ready + waiting + parked === 0) return;
    if (parked > 0) for (const { key, state } of controller.inspectAll()) if (state === "parked") controller.unpark(key);
    await sleep(clock, 1);
  }
}

function outcome(roll: number, context: ReconcileContext, { clock }: Runtime): Result | Promise<Result> {
  if (roll < 700) return done;
  if (roll < 800) return Promise.resolve(done);
  if (roll < 850) return after(1);
  if (roll < 890) return retry(new Error(`${context.key} failed in ${context.run}`));
  if (roll < 920) return Promise.reject(new ApiError(newConflict({ group: "", resource: "configmaps" }, context.key, "it has changed")));
  if (roll < 940) return stop("not today");
  if (roll < 960) return sleep(clock, 1, { signal: context.signal }).then(() => done);
  if (roll < 970) return written(context);
  if (roll < 971) return new Promise(() => undefined);
  if (roll < 972) return sleep(clock, Infinity, { signal: context.signal }).then(() => done);
  context.log.debug("all is well");
  return done;
}

async function written({ key, client }: Pick<ReconcileContext, "key" | "client">): Promise<Result> {
  await client.create(ConfigMap, { metadata: { generateName: "child-", labels: { of: key } } });
  return done;
}

/** A server that accepts everything. */
const confirming: Transport = () =>
  Promise.resolve({
    status: 201,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "soak", name: "child", uid: "u", resourceVersion: "1" },
    }),
  });
