/** Options of a write, parsed from the query and validated. */
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

/** Validated options of a write. */
export interface CheckedWriteOptions extends Omit<UpdateOptions, "dryRun" | "fieldManager"> {
  readonly dryRun: boolean;
  /** Given by the client, or derived from its user agent. */
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

/** Throws a 422 about invalid options. */
export function refuseInvalidOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new StatusError(newInvalid({ group: "meta.k8s.io", kind }, "", errors));
}

/** Parses options from a query. Throws a 400 for a malformed number. */
export function parseOptions<T>(query: Query, parse: (query: Query) => T): T {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof QueryError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}

const managerMax = 128;

/** The user agent up to its first slash, printable characters only. */
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
