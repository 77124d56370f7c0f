/**
 * What to do about failures that retries do not cure.
 *
 *     error → failureFix → "allow the operator to patch deployments.apps: …"
 */
import { errorText, findApiError, isForbidden, isInvalid, isNotFound, isUnauthorized } from "@drover/machinery";

/** Returns what an author or operator can do about an error, in one line, or undefined if that is not known. Never throws. */
export function failureFix(error: unknown): string | undefined {
  const answer = findApiError(error);
  if (answer === undefined) return undefined;
  const text = errorText(answer);
  if (isForbidden(answer)) return forbiddenFix(text);
  if (isUnauthorized(answer)) return "the server does not accept the credentials: renew the token or client certificate of the operator";
  if (isInvalid(answer) && /\bimmutable\b/.test(text)) return 'delete the object, or let the operator replace it: onImmutable: "recreate"';
  if (isNotFound(answer) && text.includes("could not find the requested resource"))
    return "the kind is not installed: apply its CustomResourceDefinition";
  return undefined;
}

function forbiddenFix(text: string): string | undefined {
  const [, verb, resource, group = ""] = /cannot (\S{1,30}) resource "([^"]{1,200})"(?: in API group "([^"]{0,200})")?/.exec(text) ?? [];
  if (verb !== undefined && resource !== undefined)
    return `allow the operator to ${verb} ${group === "" ? resource : `${resource}.${group}`}; app.roles() lists all it needs`;
  return text.includes("exceeded quota") ? "raise the ResourceQuota of the namespace, or use less" : undefined;
}
