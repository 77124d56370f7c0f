/**
 * What a lasting server does beside requests.
 *
 *     ApiServer.run → runUpkeep → IdentityLease.renew, removeExpired; ServiceRepair.run
 */
import { budget, errorText, sleep } from "@drover/machinery";
import type { Budget, Clock, Log, Random } from "@drover/machinery";
import type { ServiceRepair } from "../allocation/service-repair.ts";
import type { IdentityLease } from "./identity-lease.ts";

/** As kube-apiserver. */
const renewMs = 10_000;
const expiryMs = 3_600_000;
const repairMs = 180_000;
/** Renewals are up to this share late, so that servers that started together do not stay together. */
const jitter = 0.04;

const farewellTime: Budget = budget({
  name: "apiserver/identity-lease-end-time",
  limit: 2000,
  unit: "milliseconds",
  atLimit: "The server ends without having removed its identity lease; another server removes it when it has expired, an hour later.",
  uncounted: "The server logs it and ends.",
});

export interface UpkeepOptions {
  readonly lease: IdentityLease;
  readonly repair: Pick<ServiceRepair, "run">;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
}

/** Renews, removes and repairs until the signal aborts, then removes the server's own lease. What fails is logged and tried again. */
export async function runUpkeep({ lease, repair, clock, log, random }: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const every = async (name: string, task: () => Promise<void>, nextMs: () => number, firstMs = 0): Promise<void> => {
    if (firstMs > 0) await sleep(clock, firstMs, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await task().catch((error: unknown) =>
        log.warn("a task of the server failed; it is tried again", { task: name, error: errorText(error) }),
      );
      await sleep(clock, nextMs(), { signal }).catch(() => undefined);
    }
  };
  const tasks = Promise.all([
    every(
      "renew the identity lease",
      () => lease.renew(),
      () => renewMs * (1 + jitter * random.next()),
    ),
    every(
      "remove expired identity leases",
      () => lease.removeExpired(),
      () => expiryMs,
    ),
    // The server has just done it at its start.
    every(
      "repair addresses and node ports",
      () => repair.run(),
      () => repairMs,
      repairMs,
    ),
  ]);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const over = new AbortController();
  const isLate = sleep(clock, farewellTime.limit, { signal: over.signal }).then(() =>
    Promise.reject(new Error("the store does not answer")),
  );
  try {
    await Promise.race([tasks.then(() => lease.remove()), isLate]);
  } catch (error) {
    log.warn("cannot remove the identity lease of the server", { error: errorText(error) });
  }
  over.abort();
  await isLate.catch(() => undefined);
}
