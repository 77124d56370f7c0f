/** Keeps a failing `tenantOf` from losing keys. */
import type { Log, ObjectKey } from "@drover/machinery";

/** Returns the function, except that a key for which it throws, or returns no text, has the tenant "". Logs the first failure. */
export function guardedTenant(tenantOf: (key: ObjectKey) => string, log: Log): (key: ObjectKey) => string {
  let isLogged = false;
  const failed = (key: ObjectKey, error: unknown): string => {
    if (!isLogged) log.error('tenantOf failed, the key shares a turn with others of the tenant ""', { key, error });
    isLogged = true;
    return "";
  };
  return (key) => {
    try {
      const tenant: unknown = tenantOf(key);
      return typeof tenant === "string" ? tenant : failed(key, new TypeError(`it returned ${typeof tenant}, not a text`));
    } catch (error) {
      return failed(key, error);
    }
  };
}
