/** The errors of an API server and their interpretation by a client, compared with Kubernetes' own libraries. */
import {
  ApiError,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  newAlreadyExists,
  newApplyConflict,
  newBadRequest,
  newConflict,
  newForbidden,
  newGenerateNameConflict,
  newGenericServerResponse,
  newGone,
  newInternalError,
  newMethodNotSupported,
  newNotAcceptable,
  newNotFound,
  newRequestEntityTooLarge,
  newResourceExpired,
  newServerTimeout,
  newServiceUnavailable,
  newTimeoutError,
  newTooLargeResourceVersion,
  newTooManyRequests,
  newUnauthorized,
  newUnsupportedMediaType,
  reasonForError,
  statusFromResponse,
  suggestsClientDelay,
} from "@drover/machinery";
import type { Status, StatusCause } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly make: string;
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly text?: string;
  readonly seconds?: number;
  readonly code?: number;
  readonly unexpected?: boolean;
  readonly causes?: StatusCause[];
  readonly texts?: string[];
}

interface ResponseQuestion {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
  readonly method: string;
  readonly retryAfter: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

function make({
  make: kind,
  group = "",
  resource: plural = "",
  name = "",
  text = "",
  seconds = 0,
  code = 0,
  unexpected = false,
  causes = [],
  texts = [],
}: Question): Status {
  const resource = { group, resource: plural };
  const makers: Readonly<Record<string, () => Status>> = {
    newNotFound: () => newNotFound(resource, name),
    newAlreadyExists: () => newAlreadyExists(resource, name),
    newGenerateNameConflict: () => newGenerateNameConflict(resource, name, seconds),
    newUnauthorized: () => newUnauthorized(text),
    newForbidden: () => newForbidden(resource, name, text),
    newConflict: () => newConflict(resource, name, text),
    newApplyConflict: () => newApplyConflict(causes, text),
    newGone: () => newGone(text),
    newResourceExpired: () => newResourceExpired(text),
    newBadRequest: () => newBadRequest(text),
    newTooManyRequests: () => newTooManyRequests(text, seconds),
    newServiceUnavailable: () => newServiceUnavailable(text),
    newMethodNotSupported: () => newMethodNotSupported(resource, text),
    newNotAcceptable: () => newNotAcceptable(texts),
    newUnsupportedMediaType: () => newUnsupportedMediaType(texts),
    newServerTimeout: () => newServerTimeout(resource, text, seconds),
    newTimeoutError: () => newTimeoutError(text, seconds),
    newTooLargeResourceVersion: () => newTooLargeResourceVersion(String(code), "342", seconds),
    newInternalError: () => newInternalError(text),
    newRequestEntityTooLarge: () => newRequestEntityTooLarge(text),
    newGenericServerResponse: () =>
      newGenericServerResponse({
        code,
        method: texts[0] ?? "",
        resource,
        name,
        serverMessage: text,
        retryAfterSeconds: seconds,
        isUnexpected: unexpected,
      }),
  };
  return makers[kind]?.() ?? newInternalError(`cannot make ${kind}`);
}

const resources: readonly Question[] = [
  { make: "", group: "", resource: "pods" },
  { make: "", group: "apps", resource: "deployments" },
  { make: "", group: "", resource: "" },
  { make: "", group: "x.io", resource: "" },
];
const table: readonly Question[] = [
  ...[
    "newNotFound",
    "newAlreadyExists",
    "newGenerateNameConflict",
    "newForbidden",
    "newConflict",
    "newMethodNotSupported",
    "newServerTimeout",
  ].flatMap((kind) =>
    resources.flatMap((resource) =>
      ["", "web-0", 'a"b\n'].flatMap((name) =>
        [0, 2].map((seconds): Question => ({ ...resource, make: kind, name, text: "why not", seconds })),
      ),
    ),
  ),
  ...[
    "newUnauthorized",
    "newGone",
    "newResourceExpired",
    "newBadRequest",
    "newTooManyRequests",
    "newServiceUnavailable",
    "newTimeoutError",
    "newInternalError",
    "newRequestEntityTooLarge",
    "newApplyConflict",
  ].flatMap((kind) => ["", "some text"].flatMap((text) => [0, 1].map((seconds): Question => ({ make: kind, text, seconds })))),
  {
    make: "newApplyConflict",
    text: "Apply failed",
    causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.replicas" }],
  },
  { make: "newTooLargeResourceVersion", code: 99999999, seconds: 1 },
  { make: "newNotAcceptable", texts: ["application/json", "application/yaml"] },
  { make: "newUnsupportedMediaType", texts: ["application/json"] },
  ...[200, 301, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 429, 500, 502, 503, 504, 599].flatMap((code) =>
    ["", "unknown", 'it "broke"\n'].flatMap((text, index) =>
      [{}, { group: "apps", resource: "deployments", ...(index === 0 ? {} : { name: "web" }), seconds: 5 }].map((about): Question => ({
        make: "newGenericServerResponse",
        code,
        texts: [index === 1 ? "POST" : "PATCH"],
        text,
        unexpected: text !== "",
        ...about,
      })),
    ),
  ),
];

const predicates: Readonly<Record<string, (error: unknown) => boolean>> = {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
};
const reasons = [
  "",
  "Unknown",
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
];
const codes = [0, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504];
const statuses: readonly Status[] = reasons.flatMap((reason) =>
  codes.map((code): Status => ({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: "m", reason, code })),
);
const delays: readonly Status[] = ["", "ServerTimeout", "TooManyRequests"].flatMap((reason) =>
  [undefined, {}, { retryAfterSeconds: 0 }, { retryAfterSeconds: 7 }, { causes: [{ reason: "UnexpectedServerResponse" }] }].map(
    (details): Status => ({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason,
      ...(details === undefined ? {} : { details }),
    }),
  ),
);

const judge = (status: Status): Answer => {
  const error = new Error("wrapped", { cause: new ApiError(status) });
  const delay = suggestsClientDelay(error);
  const holds = Object.keys(predicates)
    .filter((name) => predicates[name]?.(error))
    .toSorted();
  return { output: { holds, reason: reasonForError(error), ...(delay === undefined ? {} : { delay }) } };
};

const readResponse = ({ code, contentType, body, method, retryAfter, group, resource, name }: ResponseQuestion): Status =>
  statusFromResponse({
    code,
    body,
    method,
    headers: {
      ...(contentType === "" ? {} : { "content-type": contentType }),
      ...(retryAfter === "" ? {} : { "retry-after": retryAfter }),
    },
    ...(resource === "" ? {} : { resource: { group, resource } }),
    ...(name === "" ? {} : { name }),
  });
const failure =
  '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \\"x\\" not found","reason":"NotFound","details":{"name":"x","kind":"pods"},"code":404}';
const bodies = [
  "",
  " ",
  "plain text\n",
  "<html>é</html>",
  "{",
  "null",
  "[]",
  '"text"',
  "{}",
  failure,
  `${failure}\n`,
  failure.replace("Failure", "Success"),
  failure.replace('"Failure"', '""'),
  failure.replace('"kind":"Status",', ""),
  failure.replace('"apiVersion":"v1",', ""),
  failure.replace('"v1"', '"v2"'),
  failure.replace('"v1"', '"a/b"'),
  failure.replace('"v1"', '"a/b/c"'),
  failure.replace('"v1"', '""'),
  failure.replace('"v1"', "1"),
  failure.replace('"Status"', '"status"'),
  failure.replace("404}", "404.5}"),
  failure.replace("404}", '"404"}'),
  failure.replace("404}", "null}"),
  failure.replace('"NotFound"', "5"),
  failure.replace('"details":', '"Details":'),
  failure.replace('{"name":"x","kind":"pods"}', "null"),
  failure.replace('{"name":"x","kind":"pods"}', "[]"),
  failure.replace('{"name":"x","kind":"pods"}', "{}"),
  failure.replace(
    '{"name":"x","kind":"pods"}',
    '{"causes":[{"reason":"A","message":"b","field":"c"},{},null],"retryAfterSeconds":3,"uid":"u","group":"g"}',
  ),
  failure.replace('{"name":"x","kind":"pods"}', '{"causes":{}}'),
  failure.replace('"metadata":{}', '"metadata":{"continue":"abc","resourceVersion":"5"}'),
  failure.replace('"metadata":{}', '"metadata":null'),
  failure.replace('"code":404', '"unknown":1'),
  '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"},"status":{}}',
  "x".repeat(2049),
  `{"kind":"Status","status":"Failure"}`,
];
const contentTypes = ["application/json", "application/json; charset=utf-8", "text/plain", "", "text/html;charset=utf-8"];
const responses: readonly ResponseQuestion[] = bodies.flatMap((body, number) =>
  contentTypes.map((contentType, index): ResponseQuestion => ({
    code: [404, 409, 500, 503][(index + number) % 4] ?? 0,
    contentType,
    body,
    method: index % 2 === 0 ? "GET" : "POST",
    retryAfter: ["", "3", "soon", "-1"][index % 4] ?? "",
    group: "apps",
    resource: index === 2 ? "" : "deployments",
    name: index === 3 ? "web" : "",
  })),
);

// The oracle answers with the value, without the prefix that a server writes before it.
const whole = (answer: Answer | undefined): unknown => ({ ...(answer?.output as object), kind: "Status", apiVersion: "v1" });

describe("API errors and Kubernetes' own", () => {
  it("agree on every Status that a server makes", () => {
    const answers = recordedAnswers("status-error", table);
    for (const [index, question] of table.entries()) expect(make(question), JSON.stringify(question)).toEqual(whole(answers[index]));
  });

  it("agree on what every reason and code mean, behind a wrapping error", () => {
    const questions = [...statuses, ...delays];
    const answers = recordedAnswers("error-reason", questions);
    for (const [index, status] of questions.entries()) expect(judge(status), `${status.reason} ${status.code}`).toEqual(answers[index]);
  });

  it("agree on what an answer means that has a Status, and one that has none", () => {
    const answers = recordedAnswers("response-error", responses);
    for (const [index, question] of responses.entries())
      expect(readResponse(question), JSON.stringify(question)).toEqual(whole(answers[index]));
  });

  it("agree on random answers", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const question = fc.record({
      code: fc.integer({ min: 300, max: 599 }),
      contentType: fc.constantFrom("application/json", "text/plain", ""),
      body: fc.oneof(fc.constantFrom(...bodies), fc.string({ maxLength: 40 })),
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      retryAfter: fc.constantFrom("", "1", "x"),
      group: fc.constantFrom("", "apps"),
      resource: fc.constantFrom("", "deployments"),
      name: fc.constantFrom("", "web"),
    });
    const questions = fc
      .sample(question, process.env["DROVER_LONG"] === "1" ? 20_000 : 1500)
      .map((asked): ResponseQuestion => ({ ...asked, name: asked.resource === "" ? "" : asked.name }));
    const answers = askOracle("response-error", questions);
    for (const [index, asked] of questions.entries()) expect(readResponse(asked), JSON.stringify(asked)).toEqual(whole(answers[index]));
  });
});
