/**
 * Turns the functions of authors into handlers of reviews.
 *
 *     Default, Mutate, Validate → defaultHandler, mutateHandler, validateHandler → AdmissionHandler
 */
import type { AdmissionAnswer, AdmissionContext, AdmissionHandler, AdmissionRequest } from "@drover/controller";
import type { Client } from "@drover/client";
import { applyDefaults, compileSchema, deepFreeze, diffJsonPatch, isJsonObject, isThenable } from "@drover/machinery";
import type { DeepReadonly, JsonObject, JsonValue, KubeObject, Schema } from "@drover/machinery";
import { asyncMistake } from "./declared-controller.ts";
import { asMistake } from "./frozen-mistake.ts";
import { withoutUndefined } from "./without-undefined.ts";
import { isInvalidObjectError } from "../resource/invalid-object-error.ts";
import type { AdmitContext, Default, Mutate, Validate } from "../admission/admission-declaration.ts";
import { problemsOf, refusalOf } from "../admission/admission-problem.ts";
import { keepUnknownFields } from "../admission/keep-unknown-fields.ts";

/** What a handler is built from. */
export interface AnswerParts {
  /** For errors: "validate of WebApp". */
  readonly where: string;
  /** Adds defaults of the schema, and protects fields that only a newer definition knows. @default objects are taken as they are */
  readonly schema?: Schema;
  /** Client for the author's functions. */
  readonly client: () => Client;
}

/** More would not fit into the headers of a response. */
const warningsMax = 100;

const allowed: AdmissionAnswer = { isAllowed: true };

/** Returns the handler of a `default`. */
export function defaultHandler(fill: Default, parts: AnswerParts): AdmissionHandler {
  const complete = completer(parts.schema);
  return (request) => {
    const { object, operation, user } = request;
    if (object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return allowed;
    const filled = asMistake(parts.where, () => fill(complete(object), { operation, user }));
    if (isThenable(filled)) {
      void Promise.resolve(filled).catch(() => undefined);
      throw asyncMistake(parts.where, "default");
    }
    return changeOf(object, filled, parts);
  };
}

/** Returns the handler of a `mutate`. */
export function mutateHandler(mutate: Mutate, parts: AnswerParts): AdmissionHandler {
  const complete = completer(parts.schema);
  return async (request, context) => {
    const { object } = request;
    if (object === undefined) return allowed;
    const warnings: string[] = [];
    const asked = contextOf(request, context, { warnings, complete, client: parts.client() });
    const changed = await awaited(parts.where, () => mutate(asked));
    return { ...changeOf(object, changed, parts), ...warned(warnings) };
  };
}

/** Returns the handler of a `validate`. */
export function validateHandler(validate: Validate, parts: AnswerParts): AdmissionHandler {
  const complete = completer(parts.schema);
  return async (request, context) => {
    const warnings: string[] = [];
    const asked = contextOf(request, context, { warnings, complete, client: parts.client() });
    let problems: ReturnType<typeof problemsOf>;
    try {
      problems = problemsOf(await awaited(parts.where, () => validate(asked)));
    } catch (error) {
      // What `Resource.parse` throws.
      if (!isInvalidObjectError(error)) throw error;
      problems = error.issues.map(({ path, message }) => ({ field: path, message }));
    }
    if (problems.length === 0) return { ...allowed, ...warned(warnings) };
    const { name = "", generateName = "" } = asked.object.metadata;
    return { ...refusalOf(request.kind, request.name || name || generateName, problems, asked.object), ...warned(warnings) };
  };
}

/** Calls a function of the author, sync or async. */
async function awaited<V>(where: string, work: () => V | Promise<V>): Promise<V> {
  try {
    return await work();
  } catch (error) {
    return asMistake<V>(where, () => {
      throw error;
    });
  }
}

function contextOf(
  request: AdmissionRequest,
  { signal, log }: AdmissionContext,
  { warnings, complete, client }: { readonly warnings: string[]; readonly complete: Complete; readonly client: Client },
): AdmitContext {
  const { operation, user, namespace, isDryRun } = request;
  const oldObject = request.oldObject === undefined ? undefined : complete(request.oldObject);
  const object = request.object === undefined ? oldObject : complete(request.object);
  if (object === undefined) throw new TypeError(`the API server sent neither object nor oldObject for ${operation}`);
  return {
    object,
    oldObject,
    operation,
    user,
    namespace,
    isDryRun,
    request,
    signal,
    log,
    client,
    warn: (message) => {
      if (warnings.length < warningsMax) warnings.push(message);
      else if (warnings.length === warningsMax)
        log.warn("more warnings than a response can hold, the rest is dropped", { limit: warningsMax });
    },
  };
}

const warned = (warnings: readonly string[]): Pick<AdmissionAnswer, "warnings"> => (warnings.length === 0 ? {} : { warnings });

type Complete = (object: DeepReadonly<KubeObject>) => DeepReadonly<KubeObject>;

/** Returns a function that adds the defaults of the schema and freezes the result. */
function completer(schema: Schema | undefined): Complete {
  const compiled = schema === undefined ? undefined : compileSchema(schema);
  return (object) =>
    deepFreeze(compiled === undefined ? object : (applyDefaults(object as unknown as JsonValue, compiled) as JsonObject & KubeObject));
}

/** The patch from the object to what the author returned. */
function changeOf(object: DeepReadonly<KubeObject>, returned: unknown, { where, schema }: AnswerParts): AdmissionAnswer {
  if (returned === undefined || returned === null) return allowed;
  // Before anything is read of it.
  if (typeof returned !== "object" || Array.isArray(returned))
    throw new TypeError(`${where} must return an object or nothing, not ${Array.isArray(returned) ? "a list" : typeof returned}`);
  const given = withoutUndefined(returned) as JsonObject;
  const before = object as unknown as JsonObject;
  const merged = mergedObject(before, given);
  const after = schema === undefined ? merged : keepUnknownFields(before, merged, schema);
  const patch = diffJsonPatch(before, after);
  return patch.length === 0 ? allowed : { isAllowed: true, patch };
}

/** A whole object names its kind and replaces everything; parts replace parts, and metadata field by field. */
function mergedObject(before: JsonObject, given: JsonObject): JsonObject {
  const isWhole = given["kind"] === before["kind"] && given["apiVersion"] === before["apiVersion"];
  if (isWhole) return given;
  const [old, now] = [before["metadata"], given["metadata"]];
  const metadata = isJsonObject(old) && isJsonObject(now) ? { ...old, ...now } : (now ?? old);
  return {
    ...before,
    ...given,
    ...(before["apiVersion"] === undefined ? {} : { apiVersion: before["apiVersion"] }),
    ...(before["kind"] === undefined ? {} : { kind: before["kind"] }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
