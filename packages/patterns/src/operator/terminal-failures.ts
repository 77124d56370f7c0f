/** Objects that failed terminally, as long as their spec is the one that failed. */
import type { ReconcileContext } from "@drover/controller";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";

/** A spec that no retry can help, and why. */
interface TerminalFailure {
  readonly object: DeepReadonly<KubeObject>;
  readonly reason: string;
}

/** Characters of a reason that are kept. */
const reasonLengthMax = 1024;

export class TerminalFailures {
  readonly #known = new Map<ObjectKey, TerminalFailure>();

  record(key: ObjectKey, object: DeepReadonly<KubeObject>, reason: string): void {
    this.#known.set(key, { object, reason: reason.slice(0, reasonLengthMax) });
  }

  forget(key: ObjectKey): void {
    this.#known.delete(key);
  }

  /** Returns why the object waits for a change of its spec; undefined if it does not. */
  reasonFor(key: ObjectKey, object: DeepReadonly<KubeObject>): string | undefined {
    const known = this.#known.get(key);
    return known !== undefined && isUnchangedSpec(known.object, object) ? known.reason : undefined;
  }

  /** Reports whether a run has nothing to do. Otherwise forgets the failure: the spec has changed, or `enqueue` requested a retry. */
  blocks({ key, causes, log }: ReconcileContext, object: DeepReadonly<KubeObject>): boolean {
    const known = this.#known.get(key);
    if (known === undefined) return false;
    const isSame = isUnchangedSpec(known.object, object) && object.metadata.deletionTimestamp === undefined;
    if (isSame && !causes.some(({ type }) => type === "enqueue")) {
      log.debug("failed terminally, not retried until its spec changes");
      return true;
    }
    this.#known.delete(key);
    return false;
  }
}

/**
 * Reports whether the spec is unchanged; without generations, any change counts as a change of the spec. Compares content as well: a server
 * restored from a backup counts the same generations again.
 */
function isUnchangedSpec(before: DeepReadonly<KubeObject>, now: DeepReadonly<KubeObject>): boolean {
  if (before === now) return true;
  const { uid, generation, resourceVersion } = before.metadata;
  const { metadata } = now;
  if (uid !== metadata.uid || generation !== metadata.generation) return false;
  if (generation === undefined) return resourceVersion === metadata.resourceVersion && jsonEqual(before, now);
  return jsonEqual(withoutStatus(before), withoutStatus(now));
}

function withoutStatus(object: DeepReadonly<KubeObject>): unknown {
  const { status: _status, metadata: _metadata, ...rest } = object as DeepReadonly<KubeObject> & { readonly status?: unknown };
  return rest;
}
