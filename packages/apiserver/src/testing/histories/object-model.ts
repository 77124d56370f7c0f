/**
 * The specification of one object: which states it can have after a request.
 *
 *     state, operation with its answer → possible states; none if that answer is impossible in that state
 */
import { getOwn, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { mapOf } from "./history-kind.ts";
import type { Operation, OperationAnswer, Version, Wish } from "./history.ts";
import type { Truth } from "./truth.ts";

/** Undefined if the object does not exist. */
export type ObjectState = Version | undefined;

interface Parts {
  readonly data: JsonObject;
  readonly labels: JsonObject;
  readonly finalizers: readonly JsonValue[];
  readonly isBeingDeleted: boolean;
}

/** Returns the possible states after an operation. */
export function statesAfter(state: ObjectState, operation: Operation, truth: Truth): readonly ObjectState[] {
  const { answer, verb } = operation;
  if (answer === undefined) return lostStates(state, operation, truth);
  if (answer.code === 404) return state === undefined && verb !== "create" ? [state] : [];
  if (answer.code === 409) return isConflict(state, operation, answer) ? [state] : [];
  if (answer.code === 422) return state !== undefined && asksForNewFinalizer(state, operation) ? [state] : [];
  if (verb === "create") return answer.code === 201 && state === undefined ? createdState(operation, answer) : [];
  if (answer.code !== 200 || state === undefined) return [];
  if (verb === "get") return isSame(state, answer.version) ? [state] : [];
  if (operation.expected !== undefined && operation.expected !== state.revision) return [];
  return verb === "delete" ? deletedStates(state, answer) : changedStates(state, operation, answer);
}

function isConflict(state: ObjectState, { verb, expected }: Operation, { reason }: OperationAnswer): boolean {
  if (verb === "create") return reason === "AlreadyExists" && state !== undefined;
  return reason === "Conflict" && state !== undefined && expected !== undefined && expected !== state.revision;
}

/** A terminating object accepts no new finalizers. */
function asksForNewFinalizer({ content }: Version, { wish }: Operation): boolean {
  const { isBeingDeleted, finalizers } = partsOf(content);
  return isBeingDeleted && (wish?.finalizers ?? []).some((finalizer) => !finalizers.includes(finalizer));
}

function createdState({ wish }: Operation, { version }: OperationAnswer): readonly ObjectState[] {
  const wanted: Parts = {
    data: { ...wish?.data },
    labels: withoutNulls({ ...wish?.labels }),
    finalizers: wish?.finalizers ?? [],
    isBeingDeleted: false,
  };
  return version !== undefined && isParts(version.content, wanted) ? [version] : [];
}

function deletedStates(state: Version, { version }: OperationAnswer): readonly ObjectState[] {
  const { finalizers, isBeingDeleted } = partsOf(state.content);
  if (finalizers.length === 0) return version === undefined ? [undefined] : [];
  if (isBeingDeleted) return isSame(state, version) ? [state] : [];
  return version !== undefined &&
    version.revision > state.revision &&
    isParts(version.content, { ...partsOf(state.content), isBeingDeleted: true })
    ? [version]
    : [];
}

function changedStates(state: Version, { verb, wish }: Operation, { version }: OperationAnswer): readonly ObjectState[] {
  const wanted = wantedParts(state, verb, wish);
  if (version === undefined || !isParts(version.content, wanted) || !isSameObject(state.content, version.content)) return [];
  if (verb === "dry-patch") return [state];
  if (isGoing(wanted)) return [undefined];
  if (isParts(state.content, wanted)) return isSame(state, version) ? [state] : [];
  return version.revision > state.revision ? [version] : [];
}

/** A request without a response may not have taken effect; if it did, the store shows how. */
function lostStates(state: ObjectState, operation: Operation, truth: Truth): readonly ObjectState[] {
  const { id, verb, wish, expected } = operation;
  const isRefused = expected !== undefined && expected !== state?.revision;
  if (verb === "get" || verb === "dry-patch" || isRefused || (state === undefined) !== (verb === "create")) return [];
  if (state !== undefined) {
    const { finalizers } = partsOf(state.content);
    const isEnd = verb === "delete" ? finalizers.length === 0 : isGoing(wantedParts(state, verb, wish));
    if (isEnd) return [undefined];
  }
  const own = truth.writes.filter((write) => write.id === id);
  const next =
    state === undefined
      ? own.filter(({ before }) => before === undefined)
      : own.filter(({ revision }) => revision > state.revision).slice(0, 1);
  return next.flatMap(({ revision, after }) => {
    const answer: OperationAnswer | undefined =
      after === undefined ? undefined : { code: verb === "create" ? 201 : 200, reason: "", version: { revision, content: after } };
    return answer === undefined ? [] : statesAfter(state, { ...operation, answer }, truth);
  });
}

function wantedParts({ content }: Version, verb: Operation["verb"], wish: Wish | undefined): Parts {
  const { data, labels, finalizers, isBeingDeleted } = partsOf(content);
  const keeps = verb !== "put";
  return {
    data: { ...(keeps ? data : {}), ...wish?.data },
    labels: withoutNulls({ ...(keeps ? labels : {}), ...wish?.labels }),
    finalizers: wish?.finalizers ?? (keeps ? finalizers : []),
    isBeingDeleted,
  };
}

const isGoing = ({ isBeingDeleted, finalizers }: Parts): boolean => isBeingDeleted && finalizers.length === 0;

function partsOf(content: JsonObject): Parts {
  const metadata = mapOf(getOwn(content, "metadata"));
  const finalizers = metadata["finalizers"];
  return {
    data: mapOf(getOwn(content, "data") ?? getOwn(content, "spec")),
    labels: mapOf(metadata["labels"]),
    finalizers: Array.isArray(finalizers) ? finalizers : [],
    isBeingDeleted: metadata["deletionTimestamp"] !== undefined,
  };
}

const withoutNulls = (map: JsonObject): JsonObject => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));

function isParts(content: JsonObject, wanted: Parts): boolean {
  const { data, labels, finalizers, isBeingDeleted } = partsOf(content);
  return (
    isBeingDeleted === wanted.isBeingDeleted &&
    jsonEqual(data, wanted.data) &&
    jsonEqual(labels, wanted.labels) &&
    jsonEqual([...finalizers], [...wanted.finalizers])
  );
}

const isSame = (state: Version, version: Version | undefined): boolean =>
  state.revision === version?.revision && jsonEqual(state.content, version.content);

/** Distinguishes an object from a later one with the same name. */
const isSameObject = (a: JsonObject, b: JsonObject): boolean => mapOf(a["metadata"])["uid"] === mapOf(b["metadata"])["uid"];
