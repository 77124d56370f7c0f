/** A Status for a response without one: built from the HTTP code and the request, in client-go's words. */
import { definedOnly } from "../json/defined-only.ts";
import { quoteGo } from "../go/go-quote.ts";
import { printGroupResource } from "../object/group-version.ts";
import type { GroupResource } from "../object/group-version.ts";
import type { Status } from "../wire/status.ts";
import type { StatusReason } from "./error-reason.ts";
import { newFailure, resourceDetails } from "./status-error.ts";

/** A response without a Status, and its request. */
export interface GenericResponse {
  readonly code: number;
  /** HTTP method: a 409 to a POST means that the object exists. */
  readonly method: string;
  /**
   * Resource of the request.
   * @default none
   */
  readonly resource?: GroupResource;
  /**
   * Name of the object.
   * @default none
   */
  readonly name?: string;
  /**
   * Text of the response, "unknown" when it was not text.
   * @default none
   */
  readonly serverMessage?: string;
  /**
   * `Retry-After` header.
   * @default 0
   */
  readonly retryAfterSeconds?: number;
  /**
   * Whether the response cannot come from an API server; the causes then say so and include its text.
   * @default true
   */
  readonly isUnexpected?: boolean;
}

/** Returns the Status for such a response. */
export function newGenericServerResponse(response: GenericResponse): Status {
  const {
    code,
    method,
    resource = { group: "", resource: "" },
    name = "",
    serverMessage = "",
    retryAfterSeconds = 0,
    isUnexpected = true,
  } = response;
  const [reason, message] = reasonAndMessage(code, method, serverMessage);
  const about =
    resource.group === "" && resource.resource === ""
      ? ""
      : ` (${[method.toLowerCase(), printGroupResource(resource), ...(name === "" ? [] : [name])].join(" ")})`;
  const { retryAfterSeconds: retry, ...details } = resourceDetails(resource, name, retryAfterSeconds);
  return newFailure(code, reason, `${message}${about}`, {
    ...details,
    ...(isUnexpected
      ? { causes: [{ reason: "UnexpectedServerResponse", ...(serverMessage === "" ? {} : { message: serverMessage }) }] }
      : {}),
    ...definedOnly({ retryAfterSeconds: retry }),
  });
}

const fixed: ReadonlyMap<number, readonly [StatusReason, string]> = new Map([
  [400, ["BadRequest", "the server rejected our request for an unknown reason"]],
  [401, ["Unauthorized", "the server has asked for the client to provide credentials"]],
  [404, ["NotFound", "the server could not find the requested resource"]],
  [405, ["MethodNotAllowed", "the server does not allow this method on the requested resource"]],
  [422, ["Invalid", "the server rejected our request due to an error in our request"]],
  [429, ["TooManyRequests", "the server has received too many requests and has asked us to try again later"]],
  [503, ["ServiceUnavailable", "the server is currently unable to handle the request"]],
  [504, ["Timeout", "the server was unable to return a response in the time allotted, but may still be processing the request"]],
]);

function reasonAndMessage(code: number, method: string, serverMessage: string): readonly [StatusReason | "", string] {
  const known = fixed.get(code);
  if (known !== undefined) return known;
  if (code === 409) return [method === "POST" ? "AlreadyExists" : "Conflict", "the server reported a conflict"];
  if (code === 403) return ["Forbidden", serverMessage];
  if (code === 415) return ["UnsupportedMediaType", serverMessage];
  if (code === 406) {
    const isTold = serverMessage !== "" && serverMessage !== "unknown";
    return ["NotAcceptable", isTold ? serverMessage : "the server was unable to respond with a content type that the client supports"];
  }
  if (code >= 500) return ["InternalError", `an error on the server (${quoteGo(serverMessage)}) has prevented the request from succeeding`];
  return ["", `the server responded with the status code ${code} but did not return more information`];
}
