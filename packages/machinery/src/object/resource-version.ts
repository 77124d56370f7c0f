/**
 * Resource versions are text. Since Kubernetes 1.35 the text is a decimal number of any length, so two versions of the same
 * resource can be compared; a server that writes anything else (an aggregated one may) has opaque versions, which are only equal or
 * not.
 */

/** Whether a version can be compared: decimal digits without a leading zero. "0" means "any version" in requests and cannot. */
export function isComparableResourceVersion(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}

/**
 * Returns -1 when `a` is older than `b`, 1 when it is newer, 0 when they are equal, undefined when one is opaque. Assumes the same
 * resource of the same cluster; across resources the result is meaningless.
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  if (!isComparableResourceVersion(a) || !isComparableResourceVersion(b)) return undefined;
  if (a === b) return 0;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Returns the newest of the comparable versions, ignoring opaque and missing ones. Undefined when none is left. */
export function newestResourceVersion(versions: Iterable<string | undefined>): string | undefined {
  let newest: string | undefined;
  for (const version of versions) {
    if (version === undefined || !isComparableResourceVersion(version)) continue;
    if (newest === undefined || compareResourceVersions(newest, version) === -1) newest = version;
  }
  return newest;
}
