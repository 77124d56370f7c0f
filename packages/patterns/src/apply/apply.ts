/**
 * Creates, updates and deletes the objects of an owner in one call from a reconcile.
 *
 *     const outcome = await apply(set, { kind: WebApp, object: app }, [{ kind: Deployment, object: deployment }], context);
 *
 * Level-based and safe to repeat: it sends nothing if nothing would change, and the next call completes a call that
 * crashed between two requests.
 */
import { ApplySetError } from "./apply-set-error.ts";
import { runApply } from "./apply-run.ts";
import type { ApplyContext, ApplyOutcome, ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { attempt } from "./wanted-object.ts";

/**
 * Makes the members of the set in the cluster equal to `objects`.
 *
 * Guarantees:
 * - Every member has the label `drover.dev/set`, annotations that name its owner, and an owner reference as configured.
 *   Where the garbage collector would not follow the reference (a member in another namespace, a cluster-scoped member
 *   of a namespaced owner, an owner without a uid), the member has only the label and is not deleted with its owner;
 *   apply an empty list before the owner is deleted (use a finalizer).
 * - It sends nothing for an object that is up to date. It leaves fields of other managers alone, reverts changes by
 *   others to its own fields, and removes its fields that are no longer desired.
 * - It does not touch objects of other owners: they fail with `ForeignOwnerError`. It deletes only objects that carry
 *   its mark, and only in the observed version.
 * - It records the kinds of the set on the owner (annotation `<set>.sets.drover.dev/kinds`) before it creates the first
 *   object of a kind.
 * - It applies in order: namespaces, definitions, …, webhooks; and deletes in reverse order. It never blocks: the
 *   outcome lists what has to wait (`waiting`), and the watch event that makes it ready triggers the next call.
 * - It prunes only if nothing failed or waits, so a replacement exists before the old object is deleted.
 *
 * An empty list removes all members; `isSettled` then tells whether they are gone.
 *
 * Rejects with `ApplySetError` if objects failed, after applying the others; with `TypeError`, before sending anything,
 * if an object occurs twice, lacks a name or namespace, or is outside the set's `scope`; with the signal's reason when
 * aborted.
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
