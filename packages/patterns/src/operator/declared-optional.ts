/**
 * Checks `optional` of controllers: the kinds that a cluster may not serve.
 *
 *     createOperator → checkOptional;   OperatorPlan → optionalKinds → DeclaredCaches, roles
 */
import { findKind } from "@drover/api";
import type { Kind } from "@drover/machinery";
import type { DeclaredController } from "./declared-controller.ts";
import { MistakeError } from "./mistake-error.ts";
import { isResource, kindsOf, watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/** Throws `MistakeError` if one of the optional kinds cannot be optional, or is not used. */
export function checkOptional(controller: DeclaredController): void {
  const { title, kind: own, optional } = controller;
  const where = `${title}, optional`;
  for (const kind of optional as readonly (Kind | undefined)[]) {
    if (typeof kind?.kind !== "string")
      throw new MistakeError({
        where,
        what: `it contains ${kind === undefined ? "undefined" : "another value"} instead of a kind`,
        fix: "optional: [ServiceMonitor]       check its import",
      });
    const refusal = refusalOf(kind, controller);
    if (refusal !== undefined)
      throw new MistakeError({ where, what: `${kind.kind} ${refusal}`, fix: `leave ${kind.kind} out of optional` });
    if (!kindsOf(controller).some((used) => isSameKind(used, kind)))
      throw new MistakeError({
        where,
        what: `${kind.kind} is neither owned, read nor referenced`,
        fix: `app.controller(${own.kind}, { reads: [${kind.kind}], optional: [${kind.kind}], … })\nor owns: { … }, or reference(${kind.kind}, z.string()) in the schema`,
      });
  }
}

function refusalOf(kind: Kind, { kind: own }: DeclaredController): string | undefined {
  if (isSameKind(kind, own)) return "is the kind that the controller reconciles, so without it there is nothing to do";
  if (findKind(kind) !== undefined) return "is built in, so every cluster serves it";
  if (isResource(kind)) return "is installed by the operator itself, because it comes from defineResource";
  return undefined;
}

/** Returns the watched kinds that may be absent. Throws `MistakeError` if another controller requires one of them. */
export function optionalKinds(plan: OperatorPlan): readonly Kind[] {
  const { controllers } = plan;
  return watchedKinds(plan).filter((kind) => {
    const [first] = controllers.filter((controller) => isOptionalIn(controller, kind));
    if (first === undefined) return false;
    const other = controllers.find((one) => kindsOf(one).some((used) => isSameKind(used, kind)) && !isOptionalIn(one, kind));
    if (other === undefined) return true;
    throw new MistakeError({
      where: `${first.title}, optional`,
      what: `${kind.kind} is optional here, but the ${other.title} requires it`,
      code: "DRV0212",
      fix: isSameKind(other.kind, kind)
        ? `leave ${kind.kind} out of optional`
        : `app.controller(${other.kind.kind}, { optional: [${kind.kind}], … })       in both\nor leave it out of optional in both`,
    });
  });
}

const isOptionalIn = ({ optional }: DeclaredController, kind: Kind): boolean => optional.some((other) => isSameKind(other, kind));

/** Compares group, version and resource; declared fields do not matter. */
const isSameKind = (left: Kind, right: Kind): boolean =>
  left.group === right.group && left.version === right.version && left.plural === right.plural;
