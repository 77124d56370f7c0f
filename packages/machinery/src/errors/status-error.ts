/**
 * Error responses as the API server writes them: code, reason, message and details.
 *
 *     apiserver → Status → the wire
 */
import { definedOnly } from "../json/defined-only.ts";
import { printFieldErrors } from "../field/field-error-text.ts";
import type { FieldError } from "../field/field-error.ts";
import { quoteGo } from "../go/go-quote.ts";
import { printGroupKind, printGroupResource } from "../object/group-version.ts";
import type { GroupKind, GroupResource } from "../object/group-version.ts";
import type { Status, StatusCause, StatusDetails } from "../wire/status.ts";
import type { StatusReason } from "./error-reason.ts";
import { fieldErrorCause } from "./field-error-cause.ts";

/** Builds a failure. Leaves out empty members, as the server does. */
export function newFailure(code: number, reason: StatusReason | "", message: string, details?: StatusDetails): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...(message === "" ? {} : { message }),
    ...(reason === "" ? {} : { reason }),
    ...definedOnly({ details }),
    code,
  };
}

/** Details about an object, or about a resource without a name. Leaves out empty members. */
export function resourceDetails({ group, resource }: GroupResource, name = "", retryAfterSeconds = 0): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(resource === "" ? {} : { kind: resource }),
    ...retryDetails(retryAfterSeconds),
  };
}

/** 404: `pods "web-0" not found`. */
export function newNotFound(resource: GroupResource, name: string): Status {
  return newFailure(404, "NotFound", `${printGroupResource(resource)} ${quoteGo(name)} not found`, resourceDetails(resource, name));
}

/** 409: `pods "web-0" already exists`. */
export function newAlreadyExists(resource: GroupResource, name: string): Status {
  return newFailure(
    409,
    "AlreadyExists",
    `${printGroupResource(resource)} ${quoteGo(name)} already exists`,
    resourceDetails(resource, name),
  );
}

/** 409: no free name was found for a `generateName`. */
export function newGenerateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): Status {
  const message = `${printGroupResource(resource)} ${quoteGo(name)} already exists, the server was not able to generate a unique name for the object`;
  return newFailure(409, "AlreadyExists", message, resourceDetails(resource, name, retryAfterSeconds));
}

/** 401, with an optional reason. */
export function newUnauthorized(reason = ""): Status {
  return newFailure(401, "Unauthorized", reason || "not authorized");
}

/** 403: `pods "web-0" is forbidden: …`; without a resource it is about a path. */
export function newForbidden(resource: GroupResource, name: string, why: string): Status {
  const subject =
    resource.group === "" && resource.resource === "" ? "" : `${printGroupResource(resource)}${name === "" ? "" : ` ${quoteGo(name)}`} is `;
  return newFailure(403, "Forbidden", `${subject}forbidden: ${why}`, resourceDetails(resource, name));
}

/** 409: `Operation cannot be fulfilled on pods "web-0": …`. */
export function newConflict(resource: GroupResource, name: string, why: string): Status {
  return newFailure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${printGroupResource(resource)} ${quoteGo(name)}: ${why}`,
    resourceDetails(resource, name),
  );
}

/** 409: other managers own applied fields, one cause for each. */
export function newApplyConflict(causes: readonly StatusCause[], message: string): Status {
  return newFailure(409, "Conflict", message, causes.length === 0 ? {} : { causes: [...causes] });
}

/** 410 in its older form; today {@link newResourceExpired}. */
export function newGone(message: string): Status {
  return newFailure(410, "Gone", message);
}

/** 410: the requested version or page is no longer kept. */
export function newResourceExpired(message: string): Status {
  return newFailure(410, "Expired", message);
}

/** 422: `Pod "web-0" is invalid: …` with one cause per field error. */
export function newInvalid(kind: GroupKind, name: string, errors: readonly FieldError[]): Status {
  const message = `${printGroupKind(kind)} ${quoteGo(name)} is invalid${errors.length === 0 ? "" : `: ${printFieldErrors(errors)}`}`;
  const details = resourceDetails({ group: kind.group, resource: kind.kind }, name);
  return newFailure(422, "Invalid", message, errors.length === 0 ? details : { ...details, causes: errors.map(fieldErrorCause) });
}

/** 400 with this message. */
export function newBadRequest(message: string): Status {
  return newFailure(400, "BadRequest", message);
}

/** 429 with the seconds to wait before a retry. */
export function newTooManyRequests(message: string, retryAfterSeconds: number): Status {
  return newFailure(429, "TooManyRequests", message, retryDetails(retryAfterSeconds));
}

/** 503 with this message. */
export function newServiceUnavailable(message: string): Status {
  return newFailure(503, "ServiceUnavailable", message);
}

/** 405: `create is not supported on resources of kind "widgets.example.com"`. */
export function newMethodNotSupported(resource: GroupResource, action: string): Status {
  return newFailure(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind ${quoteGo(printGroupResource(resource))}`,
    resourceDetails(resource),
  );
}

/** 406: the client accepts none of these media types. */
export function newNotAcceptable(accepted: readonly string[]): Status {
  return newFailure(406, "NotAcceptable", `only the following media types are accepted: ${accepted.join(", ")}`);
}

/** 415: the body has none of these media types. */
export function newUnsupportedMediaType(accepted: readonly string[]): Status {
  return newFailure(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

/** 500 with reason ServerTimeout: retry later. */
export function newServerTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): Status {
  const message = `The ${operation} operation against ${printGroupResource(resource)} could not be completed at this time, please try again.`;
  return newFailure(500, "ServerTimeout", message, resourceDetails(resource, operation, retryAfterSeconds));
}

/** 504: `Timeout: …`; the operation may still complete. */
export function newTimeoutError(message: string, retryAfterSeconds: number): Status {
  return newFailure(504, "Timeout", `Timeout: ${message}`, retryDetails(retryAfterSeconds));
}

/** 504: this server has not seen the requested version yet. Versions are decimal text. */
export function newTooLargeResourceVersion(minimum: string, current: string, retryAfterSeconds: number): Status {
  const status = newTimeoutError(`Too large resource version: ${minimum}, current: ${current}`, retryAfterSeconds);
  return {
    ...status,
    details: { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }], ...status.details },
  };
}

/** 500: `Internal error occurred: …`. */
export function newInternalError(message: string): Status {
  return newFailure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [message === "" ? {} : { message }] });
}

/** 413: `Request entity too large: …`. */
export function newRequestEntityTooLarge(message: string): Status {
  return newFailure(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}

function retryDetails(retryAfterSeconds: number): StatusDetails {
  return retryAfterSeconds === 0 ? {} : { retryAfterSeconds };
}
