/**
 * Summarizes an object of any kind in one word and a few messages: Wrangler's package summary.
 *
 *     summarize(object, clock) → { state: "updating", error: false, transitioning: true, message: ["2 of 3 updated"] }
 *
 * Sources in order of weight; later ones mostly only fill gaps: the object's own summary, error conditions,
 * transitioning conditions, `spec.active`, `status.phase`, deletion, and last `isReady` of the kind.
 */
import { groupVersionKindFrom, parseTime } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";
import { isReady } from "@drover/patterns";
import { data } from "./data.ts";
import { errorConditions, transitioningFalse, transitioningTrue, transitioningUnknown } from "./summary-conditions.ts";

/** The summary of an object. */
export interface Summary {
  /** In lower case: "active" if nothing contradicts. */
  readonly state: string;
  readonly error: boolean;
  /** Whether it is changing to another state. */
  readonly transitioning: boolean;
  /** For people; without duplicates. */
  readonly message: readonly string[];
}

interface SeenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

type Step = (summary: Summary, object: DeepReadonly<KubeObject>, conditions: readonly SeenCondition[], now: number) => Summary;

/** A finalizer that remains longer than this counts as stuck. */
const removalMaxMs = 5 * 60_000;

/** Summarizes an object of any shape; ignores values it cannot read. Does not include relationships between objects. */
export function summarize(object: DeepReadonly<KubeObject>, clock: Pick<Clock, "now">): Summary {
  const conditions = data.slice(object, "status", "conditions").map((condition): SeenCondition => ({
    type: data.string(condition, "type"),
    status: data.string(condition, "status"),
    reason: data.string(condition, "reason"),
    message: data.string(condition, "message"),
  }));
  const { state, message, ...rest } = steps.reduce<Summary>((summary, step) => step(summary, object, conditions, clock.now()), {
    state: "",
    error: false,
    transitioning: false,
    message: [],
  });
  return { ...rest, state: state === "" ? "active" : state.toLowerCase(), message: [...new Set(message)].filter((text) => text !== "") };
}

const says = (summary: Summary, change: Partial<Omit<Summary, "message">>, message = ""): Summary => ({
  ...summary,
  ...change,
  message: [...summary.message, message],
});

const ownSummary: Step = (summary, object) => {
  const own = ["display", "summary"].map((field) => data.map(object, "status", field)).find((found) => Object.keys(found).length > 0) ?? {};
  return says(
    summary,
    {
      ...(own["state"] === undefined ? {} : { state: data.string(own, "state") }),
      ...(own["transitioning"] === undefined ? {} : { transitioning: data.bool(own, "transitioning") }),
      ...(own["error"] === undefined ? {} : { error: data.bool(own, "error") }),
    },
    data.string(own, "message"),
  );
};

const errors: Step = (summary, object, conditions) => {
  const isError = errorConditions(object);
  return conditions
    .filter((condition) => condition.reason === "Error" || isError(condition.type, condition.status))
    .reduce(
      (found, { message }) =>
        says(found, { error: true, state: found.state === "" || found.state === "active" ? "error" : found.state }, message),
      summary,
    );
};

/** Conditions that should be True: False is an error, Unknown is transitioning. */
const onItsWay: Step = (summary, _object, conditions) =>
  conditions.reduce((found, { type, status, message }) => {
    const state = transitioningUnknown.get(type);
    if (state === undefined) return found;
    if (status === "False") return says(found, { error: true, state }, message);
    return status === "Unknown" && found.state === "" ? says(found, { transitioning: true, state }, message) : found;
  }, summary);

/** Conditions that are True only while transitioning. */
const underWay: Step = (summary, _object, conditions) =>
  conditions.reduce((found, { type, status, message }) => {
    const state = transitioningTrue.get(type);
    return state === undefined || status !== "True" || found.state !== "" ? found : says(found, { transitioning: true, state }, message);
  }, summary);

/** Conditions that are False while transitioning; "Ready" is the least specific and comes last. */
const notThere: Step = (summary, _object, conditions) => {
  const [ready, others] = [
    conditions.filter(({ type, status }) => type === "Ready" && status === "False"),
    conditions.filter(({ type, status }) => type !== "Ready" || status !== "False"),
  ];
  return [...others, ...ready].reduce((found, { type, status, reason, message }) => {
    const state = transitioningFalse.get(type);
    if (state === undefined || found.state !== "" || (status !== "False" && status !== "Unknown")) return found;
    return says(
      found,
      { state: state === "" ? reason : state, ...(status === "False" ? { transitioning: true } : { error: true }) },
      message,
    );
  }, summary);
};

const active: Step = (summary, object) => {
  const word = data.string(object, "spec", "active");
  return summary.state === "" && (word === "true" || word === "false")
    ? { ...summary, state: word === "true" ? "active" : "inactive" }
    : summary;
};

const phase: Step = (summary, object) => {
  const word = data.string(object, "status", "phase");
  if (word === "Succeeded" || word === "Bound") return { ...summary, state: word, transitioning: false };
  return word !== "" && summary.state === "" ? { ...summary, state: word } : summary;
};

const removing: Step = (summary, { metadata: { deletionTimestamp, finalizers = [] } }, conditions, now) => {
  if (deletionTimestamp === undefined || deletionTimestamp === null) return summary;
  const removed = conditions
    .filter(({ type, status }) => type === "Removed" && status !== "True")
    .reduce((found, { message }) => says(found, {}, message), says(summary, { state: "removing", transitioning: true }));
  const [finalizer] = finalizers;
  if (finalizer === undefined) return removed;
  const isLate = parseTime(deletionTimestamp) + removalMaxMs < now;
  return says(
    removed,
    isLate ? { error: true } : {},
    `waiting on ${finalizer === "foregroundDeletion" ? "object cleanup" : finalizer.replace(/^.*controller\.cattle\.io\//, "")}`,
  );
};

/** Readiness by kind. A Job that has started is active. */
const standard: Step = (summary, object) => {
  if (summary.state !== "") return summary;
  const kind = groupVersionKindFrom(object.apiVersion ?? "", object.kind ?? "");
  if (kind.group === "batch" && kind.kind === "Job" && data.string(object, "status", "startTime") !== "")
    return { ...summary, state: "active" };
  const readiness = isReady(kind, object);
  if (readiness === true) return { ...summary, state: "active" };
  if (kind.group === "" && kind.kind === "Service")
    return says(summary, { state: "pending", transitioning: true }, "Load balancer is being provisioned");
  return says(summary, { state: "in-progress", transitioning: true }, readiness);
};

const steps: readonly Step[] = [ownSummary, errors, onItsWay, underWay, notThere, active, phase, removing, standard];
