/**
 * A random scene as data: it follows from a seed, prints as one line per step, and stays valid when steps are removed,
 * because a step about a missing object does nothing.
 *
 *     seed → makePlan → Plan → runScene
 */
import { createRandom, pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";

export type WorkloadKind = "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet" | "Job" | "CronJob";

/** How the pods of a template behave. */
export type Conduct = "well" | "slow to be ready" | "slow to stop" | "never ready" | "crashing";

export interface Target {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/** The process with the controllers, the one with scheduler, volumes and kubelets, or both. */
export type Victim = "controllers" | "nodes" | "both";

export type Act =
  | { readonly do: "create"; readonly target: Target; readonly replicas: number; readonly conduct: Conduct; readonly variant: number }
  | { readonly do: "scale"; readonly target: Target; readonly replicas: number }
  | { readonly do: "roll"; readonly target: Target; readonly version: number; readonly conduct: Conduct }
  /** Deployments are paused, Jobs and CronJobs suspended; or the reverse. */
  | { readonly do: "hold"; readonly target: Target; readonly isHeld: boolean }
  | { readonly do: "rollback"; readonly target: Target }
  | { readonly do: "delete"; readonly target: Target; readonly propagation: "Background" | "Foreground" | "Orphan" }
  | { readonly do: "expose"; readonly target: Target; readonly variant: number }
  | { readonly do: "unexpose"; readonly target: Target }
  /** Pods of a namespace are numbered by name. */
  | { readonly do: "delete pod"; readonly namespace: string; readonly index: number; readonly isForced: boolean }
  /** The pod stops matching its owner's selector; or matches it again. */
  | { readonly do: "relabel pod"; readonly namespace: string; readonly index: number; readonly isBack: boolean }
  | { readonly do: "create namespace" | "delete namespace"; readonly namespace: string }
  | {
      readonly do: "cordon" | "uncordon" | "taint" | "taint, no execute" | "untaint" | "stop node" | "start node" | "delete node";
      readonly node: string;
    }
  /** Ends a process at its n-th request from now on, before the server receives it or after it was processed. */
  | { readonly do: "kill"; readonly victim: Victim; readonly requests: number; readonly when: "before" | "after" }
  | { readonly do: "cut watches"; readonly victim: Victim }
  /** Watches deliver nothing for a while, and then everything at once. */
  | { readonly do: "stall watches"; readonly victim: Victim; readonly ms: number }
  /** The server compacts its history: watches that lag must relist. */
  | { readonly do: "compact" }
  | { readonly do: "wait" };

/** The action, and the time that passes after it. */
export type Step = Act & { readonly pauseMs: number };

/** Number of failing requests per thousand, for each fault. */
export interface FaultRates {
  /** 409 for a PUT. */
  readonly conflict: number;
  /** 500, and nothing was done. */
  readonly error: number;
  /** 429, and nothing was done. */
  readonly busy: number;
  /** Done, but the connection breaks before the answer. */
  readonly lost: number;
  /** Done, but the answer is 504. */
  readonly timeout: number;
  /** Of new watches: how many end soon. */
  readonly shortWatch: number;
}

export interface Plan {
  readonly seed: number;
  readonly nodes: number;
  readonly faults: FaultRates;
  readonly steps: readonly Step[];
}

/** Without these only controllers make pods unavailable, so more is checked. */
export const disturbances: ReadonlySet<Act["do"]> = new Set([
  "delete pod",
  "relabel pod",
  "cordon",
  "taint",
  "taint, no execute",
  "stop node",
  "delete node",
]);

const namespaces = ["default", "red", "blue"] as const;
const names: Readonly<Record<WorkloadKind, readonly string[]>> = {
  Deployment: ["web-a", "web-b"],
  ReplicaSet: ["bare-a"],
  StatefulSet: ["db-a", "db-b"],
  DaemonSet: ["agent-a"],
  Job: ["task-a", "task-b", "task-c"],
  CronJob: ["tick-a"],
};
const kinds: readonly WorkloadKind[] = [
  "Deployment",
  "Deployment",
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Job",
  "CronJob",
];
/** No faults. */
export const noFaults: FaultRates = { conflict: 0, error: 0, busy: 0, lost: 0, timeout: 0, shortWatch: 0 };

/** Deterministic for a seed as long as this file does not change. Every third seed has no disturbances. */
export function makePlan(seed: number): Plan {
  const random = createRandom(seed).stream("plan");
  const nodes = 2 + random.int(3);
  const isGentle = seed % 3 === 0;
  const rate = (): number => pick(random, [0, 0, 2, 5, 15]);
  const faults =
    seed % 4 === 0
      ? noFaults
      : { conflict: rate() * 2, error: rate(), busy: rate(), lost: rate(), timeout: rate(), shortWatch: rate() * 10 };
  const opening = ["red", "blue"].map((namespace): Step => ({ do: "create namespace", namespace, pauseMs: 0 }));
  const creations = Array.from({ length: 5 + random.int(4) }, (): Step => ({ ...creation(random, isGentle), pauseMs: pauseOf(random) }));
  const count = 14 + random.int(30);
  const rest = Array.from({ length: count }, (): Step => ({ ...laterAct(random, { isGentle, nodes }), pauseMs: pauseOf(random) }));
  return { seed, nodes, faults, steps: [...opening, ...creations, ...rest] };
}

/** One line a step. */
export function printPlan({ seed, nodes, faults, steps }: Plan): string {
  const rates =
    Object.entries(faults)
      .filter(([, rate]) => rate > 0)
      .map(([name, rate]) => `${name} ${rate}`)
      .join(", ") || "none";
  return [
    `seed ${seed}, ${nodes} nodes, faults in a thousand requests: ${rates}`,
    ...steps.map((step, index) => `${String(index).padStart(3)} ${JSON.stringify(step)}`),
  ].join("\n");
}

function pauseOf(random: Random): number {
  const kind = random.int(20);
  if (kind < 8) return 0;
  if (kind < 12) return 1 + random.int(50);
  if (kind < 16) return 500 + random.int(5000);
  return kind < 19 ? 10_000 + random.int(20_000) : 90_000;
}

const target = (random: Random, kind: WorkloadKind): Target => ({
  kind,
  namespace: pick(random, namespaces),
  name: pick(random, names[kind]),
});
const anyTarget = (random: Random): Target => target(random, pick(random, kinds));

function conductOf(random: Random, isGentle: boolean): Conduct {
  return pick(
    random,
    isGentle
      ? ["well", "well", "slow to be ready", "slow to stop"]
      : ["well", "well", "well", "slow to be ready", "slow to stop", "never ready", "crashing"],
  );
}

const creation = (random: Random, isGentle: boolean): Act => ({
  do: "create",
  target: anyTarget(random),
  replicas: random.int(5),
  conduct: conductOf(random, isGentle),
  variant: random.int(64),
});

interface Circumstances {
  readonly isGentle: boolean;
  readonly nodes: number;
}

function laterAct(random: Random, { isGentle, nodes }: Circumstances): Act {
  const node = `node-${1 + random.int(nodes)}`;
  const namespace = pick(random, namespaces);
  const victim = pick(random, ["controllers", "controllers", "nodes", "both"] as const);
  const sometimes: readonly (readonly [weight: number, act: () => Act])[] = [
    [12, () => creation(random, isGentle)],
    [12, () => ({ do: "scale", target: anyTarget(random), replicas: random.int(6) })],
    [14, () => ({ do: "roll", target: anyTarget(random), version: 2 + random.int(4), conduct: conductOf(random, isGentle) })],
    [6, () => ({ do: "hold", target: anyTarget(random), isHeld: random.int(2) === 0 })],
    [4, () => ({ do: "rollback", target: target(random, "Deployment") })],
    [
      9,
      () => ({
        do: "delete",
        target: anyTarget(random),
        propagation: pick(random, ["Background", "Background", "Foreground", "Orphan"] as const),
      }),
    ],
    [6, () => ({ do: "expose", target: anyTarget(random), variant: random.int(4) })],
    [2, () => ({ do: "unexpose", target: anyTarget(random) })],
    [
      3,
      () => ({
        do: pick(random, ["create namespace", "create namespace", "delete namespace"] as const),
        namespace: pick(random, ["red", "blue"] as const),
      }),
    ],
    [10, () => ({ do: "kill", victim, requests: 1 + random.int(40), when: pick(random, ["before", "after"] as const) })],
    [4, () => ({ do: "cut watches", victim })],
    [4, () => ({ do: "stall watches", victim, ms: 1000 * (1 + random.int(40)) })],
    [2, () => ({ do: "compact" })],
    [4, () => ({ do: "wait" })],
  ];
  const disturbing: typeof sometimes = [
    [8, () => ({ do: "delete pod", namespace, index: random.int(20), isForced: random.int(4) === 0 })],
    [6, () => ({ do: "relabel pod", namespace, index: random.int(20), isBack: random.int(3) === 0 })],
    [8, () => ({ do: pick(random, ["cordon", "uncordon", "taint", "taint, no execute", "untaint"] as const), node })],
    [8, () => ({ do: pick(random, ["stop node", "stop node", "start node", "delete node"] as const), node })],
  ];
  return weighted(random, isGentle ? sometimes : [...sometimes, ...disturbing])();
}

function weighted<T>(random: Random, choices: readonly (readonly [weight: number, choice: T])[]): T {
  let draw = random.int(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, choice] of choices) {
    if (draw < weight) return choice;
    draw -= weight;
  }
  throw new RangeError("weighted: there is nothing to choose from");
}
