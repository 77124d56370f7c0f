/** The headline figures that no soak measures: what shows them instead. */
import type { Figure } from "./figure.ts";

const open = (row: number, name: string, target: string, reason: string, command: string): Figure => ({
  row,
  name,
  target,
  measured: "",
  verdict: "open",
  reason,
  command,
});

const simulator = "needs the simulator, which is not built yet";

/** In the order of their rows. */
export const otherRows: readonly Figure[] = [
  open(1, "simulated schedules without divergence", "1,000,000 per release", simulator, "–"),
  open(3, "crash points survived", "100 %", simulator, "–"),
  open(4, "stale and unobserved plans passed", "100 %", simulator, "–"),
  open(5, "bounded proof of the core", "all behaviours within bounds", simulator, "–"),
  open(
    10,
    "duplicate creates by a stale cache",
    "0 in 100,000 schedules, watch lag up to 60 s",
    "needs the simulator for schedules; E1 shows the gate, which waits 10 s at most and then lets the reconcile run",
    "npm test -- packages/controller/src/reconcile/cache-gate",
  ),
  open(15, "determinism", "0 differences over 10,000 seeds", simulator, "–"),
  open(16, "time to a shrunk report", "under 10 s", simulator, "–"),
  open(
    17,
    "watch guarantees of the embedded server",
    "9 of 9 on 100,000 histories",
    "10,000 histories in long mode",
    "DROVER_LONG=1 npm test -- packages/apiserver/src/testing/histories",
  ),
  open(18, "agreement with kube-apiserver", "99.5 % of transcripts", "answer by answer, differences listed", "npm run test:differential"),
  open(19, "fuzzing", "10^9 executions, 0 crashes, 0 hangs", "a minute for each target in CI", "npm run fuzz"),
  open(20, "credentials in output", "0 occurrences", "a canary in every call and failure", "DROVER_LONG=1 npm test -- canary"),
  open(21, "runtime dependencies", "0 to 3, no install scripts", "checked for every package", "npm run check-packages"),
  open(22, "faults survived in one demo", "0 lost", simulator, "–"),
];
