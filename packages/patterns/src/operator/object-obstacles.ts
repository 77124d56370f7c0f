/**
 * Finds what keeps an operator from reconciling an object: what its author or its user decided.
 *
 *     cached object → objectObstacles → paused, excluded by `when`, finalizers of others, failed terminally
 */
import type { Obstacle } from "@drover/controller";
import { errorText as plainText, getOwn } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { DeclaredController } from "./declared-controller.ts";

/** Annotation; the value "true" makes the operator ignore the object, including its deletion. */
export const pausedAnnotation = "drover.dev/paused";

/** Reports whether the object is paused. */
export const isPaused = ({ metadata: { annotations = {} } }: DeepReadonly<KubeObject>): boolean =>
  getOwn(annotations, pausedAnnotation) === "true";

/** What the reconciler knows beside the object. */
export interface ObjectMemory {
  /** Why the object failed terminally in this generation; undefined if it did not. */
  readonly terminal: string | undefined;
}

/** Calls `when`, and survives what it throws. */
export function objectObstacles(
  object: DeepReadonly<KubeObject>,
  { kind, finalizer, declaration: { when } }: DeclaredController,
  { terminal }: ObjectMemory,
): readonly Obstacle[] {
  const { name = "", namespace, deletionTimestamp } = object.metadata;
  const target = `${kind.plural}${kind.group === "" ? "" : `.${kind.group}`} ${name}${namespace === undefined ? "" : ` -n ${namespace}`}`;
  const found: Obstacle[] = [];
  if (isPaused(object))
    found.push({
      reason: "Paused",
      state: "is paused",
      message: `the annotation ${pausedAnnotation} is true, so all changes are ignored${deletionTimestamp === undefined ? "" : ", and so is its deletion"}`,
      fix: `kubectl annotate ${target} ${pausedAnnotation}-`,
    });
  if (deletionTimestamp !== undefined) found.push(...deletionObstacles(object, finalizer, target));
  if (terminal !== undefined)
    found.push({
      reason: "Stalled",
      state: "has stopped until its spec changes",
      message: `it failed and a retry cannot help: ${terminal}`,
      fix: `change the spec: kubectl edit ${target}`,
    });
  if (deletionTimestamp === undefined && when !== undefined) found.push(...whenObstacles(() => when(object)));
  return found;
}

function deletionObstacles(object: DeepReadonly<KubeObject>, own: string | undefined, target: string): readonly Obstacle[] {
  const { deletionTimestamp = "", finalizers = [] } = object.metadata;
  const foreign = finalizers.filter((finalizer) => finalizer !== own);
  const since = `its deletion was requested at ${deletionTimestamp}`;
  if (own !== undefined && finalizers.includes(own))
    return [
      {
        reason: "Deleting",
        state: "is being deleted",
        message: `${since}; our finalizer ${own} keeps it until cleanup succeeds${foreign.length === 0 ? "" : `, and then ${listed(foreign)}`}`,
      },
    ];
  if (foreign.length === 0)
    return [
      { reason: "Deleting", state: "is being deleted", message: `${since}; the server waits for its grace period or its dependents` },
    ];
  return [
    {
      reason: "ForeignFinalizer",
      state: "is being deleted and waits for others",
      message: `${since}, and only ${listed(foreign)} ${foreign.length === 1 ? "keeps" : "keep"} it: ${foreign.length === 1 ? "that is a finalizer" : "those are finalizers"} of another controller`,
      fix: `look for the controller that owns ${foreign.length === 1 ? "it" : "them"}; kubectl get ${target} -o yaml shows the finalizers`,
    },
  ];
}

function whenObstacles(matches: () => unknown): readonly Obstacle[] {
  try {
    return matches() === true
      ? []
      : [
          {
            reason: "Excluded",
            state: "is excluded",
            message: "when of the controller returns false for this object, so it is not managed",
          },
        ];
  } catch (error) {
    return [
      { reason: "Excluded", state: "cannot be checked", message: `when of the controller throws: ${plainText(error).slice(0, 300)}` },
    ];
  }
}

const listed = (names: readonly string[]): string => names.slice(0, 10).join(", ");
