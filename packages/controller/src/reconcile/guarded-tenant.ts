/** Keeps a failing `tenantOf` from losing keys. */
import type { Log, ObjectKey } from "@drover/machinery";

type TenantOf = (key: ObjectKey) => string;

/**
 * Returns the function, except that a key for which it throws, or returns no text, has the tenant "". Logs the first failure. Returns
 * anything but a function unchanged: the queue rejects it.
 */
export function guardedTenant(tenantOf: TenantOf | undefined, log: Log): TenantOf | undefined {
  if (typeof tenantOf !== "function") return tenantOf;
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
