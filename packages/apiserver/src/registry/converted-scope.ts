/**
 * Managed fields of objects that a webhook converts. The merge is a pure function, so it runs again after each conversion that it turns
 * out to need.
 */
import { apiVersionOf, assert, encodeJson } from "@drover/machinery";
import type { ApplyScope, JsonObject } from "@drover/machinery";
import type { ApplyScopes } from "./apply-scopes.ts";
import type { Resource } from "./resource.ts";

/** Each manager's version needs the objects before and after, and pruning a few more. */
const conversionsMax = 100;

/** Ends a run that needs a conversion. */
class NeedsConversion extends Error {
  override readonly name = "NeedsConversion";
  readonly key: string;
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(key: string, object: JsonObject, apiVersion: string) {
    super(`${apiVersion} is needed`);
    this.key = key;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/** Calls `work` with the scope of a resource; several times if a webhook converts its objects. Rejects with a `StatusError`. */
export function withApplyScope<T>(
  resource: Resource,
  subresource: string,
  scopes: ApplyScopes,
  work: (scope: ApplyScope) => T,
): T | Promise<T> {
  const scope = scopes.of(resource, subresource);
  const { webhookConversion } = resource;
  if (webhookConversion === undefined) return work(scope);
  const known = new Map<string, JsonObject>();
  const convert: ApplyScope["convert"] = (object, apiVersion) => {
    if (scope.typeOf(apiVersion) === undefined) return undefined;
    const key = `${apiVersion} ${encodeJson(object)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    throw new NeedsConversion(key, object, apiVersion);
  };
  const run = async (): Promise<T> => {
    for (let count = 0; ; count++) {
      assert(count <= conversionsMax, `${apiVersionOf(resource.kind)}: managed fields need too many conversions`);
      try {
        return work({ ...scope, convert });
      } catch (error) {
        if (!(error instanceof NeedsConversion)) throw error;
        const [converted] = await webhookConversion.convert([error.object], error.apiVersion);
        known.set(error.key, converted ?? error.object);
      }
    }
  };
  return run();
}
