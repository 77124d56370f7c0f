/** The options of a write, read from the query and judged. */
import {
  newBadRequest,
  newInvalid,
  parsePatchOptions,
  parseWriteOptions,
  QueryError,
  validatePatchOptions,
  validateWriteOptions,
} from "@drover/machinery";
import type { FieldError, PatchOptions, PatchType, Query, UpdateOptions } from "@drover/machinery";
import { firstHeader } from "../plain-request.ts";
import type { RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";

/** What a write is asked for, checked. */
export interface CheckedWriteOptions extends Omit<UpdateOptions, "dryRun" | "fieldManager"> {
  readonly dryRun: boolean;
  /** Named by the client, or made from its user agent. */
  readonly fieldManager: string;
}

export function createOptions(context: RequestContext): CheckedWriteOptions {
  return checked(context, parseWriteOptions(context.query), "CreateOptions", validateWriteOptions);
}

export function updateOptions(context: RequestContext): CheckedWriteOptions {
  return checked(context, parseWriteOptions(context.query), "UpdateOptions", validateWriteOptions);
}

export function patchOptions(context: RequestContext, type: PatchType): CheckedWriteOptions & { readonly force: boolean } {
  const options = parsePatchOptions(context.query);
  return {
    ...checked(context, options, "PatchOptions", (given: PatchOptions) => validatePatchOptions(given, type)),
    force: options.force ?? false,
  };
}

function checked<O extends UpdateOptions>(
  context: RequestContext,
  options: O,
  kind: string,
  validate: (options: O) => FieldError[],
): CheckedWriteOptions {
  refuseInvalidOptions(kind, validate(options));
  const { dryRun = [], fieldManager = "", fieldValidation } = options;
  return {
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager || managerFromUserAgent(context),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
  };
}

/** 422 about options, in the words of the server. */
export function refuseInvalidOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new StatusError(newInvalid({ group: "meta.k8s.io", kind }, "", errors));
}

/** Reads options from a query; a number that is none is a 400. */
export function parseOptions<T>(query: Query, parse: (query: Query) => T): T {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof QueryError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}

const managerMax = 128;

/** The user agent up to its first slash, as far as it can be printed. */
function managerFromUserAgent({ request }: RequestContext): string {
  const [product = ""] = firstHeader(request.headers, "user-agent").split("/");
  if (/^[ -~]*$/.test(product)) return product.slice(0, managerMax);
  let manager = "";
  for (const char of product) {
    if (/[\p{C}\p{Z}]/u.test(char) && char !== " ") continue;
    if (manager.length + char.length > managerMax) break;
    manager += char;
  }
  return manager;
}
