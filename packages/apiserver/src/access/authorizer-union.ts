/** Asks several authorizers in order: the first that allows or denies decides. */
import type { Attributes, Authorizer, Decision, Rules } from "./authorizer.ts";

/** Returns an authorizer without an opinion if none of them has one; then its reason are theirs. */
export function authorizerUnion(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: async (attributes) => {
      const reasons: string[] = [];
      const problems: string[] = [];
      for (const { authorize } of authorizers) {
        const decision = await authorize(attributes);
        if (decision.decision !== "no-opinion") return decision;
        if (decision.reason !== undefined && decision.reason !== "") reasons.push(decision.reason);
        if (decision.evaluationError !== undefined && decision.evaluationError !== "") problems.push(decision.evaluationError);
      }
      return noOpinion(reasons, problems);
    },
    decide: (attributes) => decideAtOnce(authorizers, attributes),
    rulesFor: async (user, namespace) => {
      const all: Rules[] = [];
      for (const { rulesFor } of authorizers) all.push(await rulesFor(user, namespace));
      const problems = all.map(({ evaluationError = "" }) => evaluationError).filter((text) => text !== "");
      return {
        resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
        nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
        incomplete: all.some(({ incomplete }) => incomplete),
        ...(problems.length === 0 ? {} : { evaluationError: joined(problems) }),
      };
    },
  };
}

/** Undefined if one of them must be awaited before the decision. */
function decideAtOnce(authorizers: readonly Authorizer[], attributes: Attributes): Decision | undefined {
  const reasons: string[] = [];
  const problems: string[] = [];
  for (const { decide } of authorizers) {
    const decision = decide?.(attributes);
    if (decision === undefined || decision.decision !== "no-opinion") return decision;
    if (decision.reason !== undefined && decision.reason !== "") reasons.push(decision.reason);
    if (decision.evaluationError !== undefined && decision.evaluationError !== "") problems.push(decision.evaluationError);
  }
  return noOpinion(reasons, problems);
}

function noOpinion(reasons: readonly string[], problems: readonly string[]): Decision {
  return {
    decision: "no-opinion",
    ...(reasons.length === 0 ? {} : { reason: reasons.join("\n") }),
    ...(problems.length === 0 ? {} : { evaluationError: joined(problems) }),
  };
}

const joined = (problems: readonly string[]): string => (problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`);
