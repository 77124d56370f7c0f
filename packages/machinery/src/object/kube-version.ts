/** The order of API versions: stable before beta, beta before alpha, and higher numbers first. */

interface KubeVersion {
  /** 2 stable, 1 beta, 0 alpha. */
  readonly stability: number;
  readonly major: bigint;
  readonly minor: bigint;
}

const pattern = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const largestInt = 2n ** 63n - 1n;

/**
 * Compares versions by priority, the preferred one first: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1. Versions of another
 * form come last, alphabetically.
 *
 *     versions.toSorted(compareKubeVersions)[0]    // the version to prefer
 */
export function compareKubeVersions(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left !== right) return left === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return descending(left.stability, right.stability) || descending(left.major, right.major) || descending(left.minor, right.minor);
}

function parse(text: string): KubeVersion | undefined {
  const [, majorDigits, stage, minorDigits] = pattern.exec(text) ?? [];
  if (majorDigits === undefined) return undefined;
  const major = BigInt(majorDigits);
  const minor = BigInt(minorDigits ?? 0);
  // Kubernetes parses the numbers as 64-bit integers; with a longer one the version is "of another form".
  if (major > largestInt || minor > largestInt) return undefined;
  return { stability: stage === undefined ? 2 : stage === "beta" ? 1 : 0, major, minor };
}

function descending(a: number | bigint, b: number | bigint): -1 | 0 | 1 {
  return a > b ? -1 : a < b ? 1 : 0;
}
