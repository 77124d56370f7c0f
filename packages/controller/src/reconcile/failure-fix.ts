/**
 * What to do about failures that retries do not cure.
 *
 *     error → failureFix → "allow the operator to patch deployments.apps: …"
 */
import { errorText, findApiError, isForbidden, isInvalid, isNotFound, isUnauthorized } from "@drover/machinery";
import type { ProblemCode } from "@drover/machinery/codes";

/** What to do about a failure. */
export interface FailureFix {
  /** In one line. */
  readonly fix: string;
  /** The page about it. */
  readonly code?: ProblemCode;
}

/** Returns what an author or operator can do about an error, or undefined if that is not known. Never throws. */
export function failureFix(error: unknown): FailureFix | undefined {
  const answer = findApiError(error);
  if (answer === undefined) return undefined;
  const text = errorText(answer);
  if (isForbidden(answer)) return forbiddenFix(text);
  if (isUnauthorized(answer))
    return { fix: "the server does not accept the credentials: renew the token or client certificate of the operator", code: "DRV0333" };
  if (isInvalid(answer) && /\bimmutable\b/.test(text))
    return { fix: 'delete the object, or let the operator replace it: onImmutable: "recreate"' };
  if (isNotFound(answer) && text.includes("could not find the requested resource"))
    return { fix: "the kind is not installed: apply its CustomResourceDefinition", code: "DRV0428" };
  return undefined;
}

function forbiddenFix(text: string): FailureFix | undefined {
  const [, verb, resource, group = ""] = /cannot (\S{1,30}) resource "([^"]{1,200})"(?: in API group "([^"]{0,200})")?/.exec(text) ?? [];
  if (verb !== undefined && resource !== undefined) {
    const name = group === "" ? resource : `${resource}.${group}`;
    return { fix: `allow the operator to ${verb} ${name}; app.roles() lists all it needs`, code: "DRV0422" };
  }
  return text.includes("exceeded quota") ? { fix: "raise the ResourceQuota of the namespace, or use less", code: "DRV0423" } : undefined;
}
