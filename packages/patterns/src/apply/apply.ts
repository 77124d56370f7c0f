/**
 * The objects an owner should have, made so: created, changed, deleted, in one call from a reconcile.
 *
 *     const outcome = await apply(set, { kind: WebApp, object: app }, [{ kind: Deployment, object: deployment }], context);
 *
 * It is level-based and safe to repeat: nothing is sent when nothing of ours would change, and a crash between any two
 * requests is made good by
 * the next call.
 */
import { ApplySetError } from "./apply-set-error.ts";
import { runApply } from "./apply-run.ts";
import type { ApplyContext, ApplyOutcome, ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { attempt } from "./wanted-object.ts";

/**
 * Makes the cluster have these objects for this owner, and no others of this set.
 *
 * Guarantees:
 * - Every member has the label `drover.dev/set`, annotations that name its owner, and an owner reference as the set asks
 *   for. Where the garbage collector would not follow the reference (a member in another namespace, a cluster-scoped
 *   member of a namespaced owner, an owner without a uid) the member has only the label and is not deleted with its
 *   owner; apply an empty list before the owner goes (use a finalizer).
 * - Nothing is sent for an object that is as it should be. Fields that others own are left alone; those of ours that
 *   others changed are set back; those
 *   that are wanted no longer are removed.
 * - An object that is not ours is not touched: a `ForeignOwnerError`. Only what carries our mark is deleted, and only as it was seen.
 * - The kinds of the set are written on the owner (annotation `<set>.sets.drover.dev/kinds`) before the first object of a kind is made.
 * - In order: namespaces, definitions, …, webhooks; deletions the other way round. Nothing is waited for: what has to
 *   wait is said in the outcome
 *   (`waiting`), and the watch that sees it ready brings the next call.
 * - Nothing is pruned while something failed or waits: what replaces an object is there before it goes.
 *
 * An empty list removes all members. `isSettled` then says whether they are gone.
 *
 * Rejects with an `ApplySetError` when objects failed, after the others were applied; with a `TypeError`, before
 * anything is sent, when an object is
 * twice in the list, has no name or namespace, or is where the set's `scope` does not allow it; with the signal's
 * reason when that is aborted.
 */
export async function apply(
  set: ApplySet,
  owner: SetOwner,
  objects: readonly DesiredObject[],
  context: ApplyContext,
): Promise<ApplyOutcome> {
  const { steps, errors, isSettled, writer, owner: written } = await runApply(set, owner, objects, context, { isDryRun: false });
  const changes = steps.map(({ change }) => change);
  for (const { type, kind, namespace, name, why } of changes) {
    if (type !== "unchanged")
      context.log.debug(`member ${type}`, { set: set.name, kind: kind.kind, namespace, name, ...(why === undefined ? {} : { why }) });
  }
  if (errors.length > 0) throw new ApplySetError(attempt(writer.identity), errors, changes);
  const byPosition = new Map(steps.map(({ wanted, after }) => [wanted?.position, after]));
  return { changes, objects: objects.map((_, position) => byPosition.get(position)), owner: written, isSettled };
}
