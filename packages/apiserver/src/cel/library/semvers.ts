/** `semver()`: versions like 1.2.3-beta.1, and their order. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { semverType } from "../check/signature.ts";
import { failure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import type { CelObject } from "../value/value.ts";

interface Semver {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly pre: readonly (bigint | string)[];
}

const semverValue = (version: Semver): CelObject => ({
  kind: "object",
  type: semverType,
  value: version,
  size: 1,
  equals: (other) => compare(version, other as Semver) === 0,
});
const semverOf = ({ value }: CelObject): Semver => value as Semver;

const fits = (digits: string): boolean => BigInt(digits) < 2n ** 64n;

/** Parses a version, or returns a failure. */
function read(text: string): Semver | CelFailure {
  if (text === "") return failure("Version string empty");
  const [major, minor, ...rest] = text.split(".");
  if (major === undefined || minor === undefined || rest.length === 0) return failure("No Major.Minor.Patch elements found");
  for (const [name, digits] of [
    ["major", major],
    ["minor", minor],
  ] as const) {
    const problem = numberProblem(name === "major" ? "Major" : "Minor", digits);
    if (problem !== undefined) return problem;
  }
  const [, patch = "", pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+([^]*))?$/.exec(rest.join(".")) ?? [];
  const problem = numberProblem("Patch", patch) ?? preProblem(pre) ?? buildProblem(build);
  if (problem !== undefined) return problem;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre: (pre ?? "")
      .split(".")
      .filter((part) => part !== "")
      .map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)),
  };
}

function numberProblem(name: string, digits: string): CelFailure | undefined {
  if (/\D/.test(digits)) return failure(`Invalid character(s) found in ${name.toLowerCase()} number "${digits}"`);
  if (digits.length > 1 && digits.startsWith("0")) return failure(`${name} number must not contain leading zeroes "${digits}"`);
  if (digits === "") return failure(`strconv.ParseUint: parsing "": invalid syntax`);
  return fits(digits) ? undefined : failure(`strconv.ParseUint: parsing "${digits}": value out of range`);
}

function preProblem(pre: string | undefined): CelFailure | undefined {
  for (const part of pre?.split(".") ?? []) {
    if (part === "") return failure("Prerelease is empty");
    if (/^\d+$/.test(part) && part.length > 1 && part.startsWith("0"))
      return failure(`Numeric PreRelease version must not contain leading zeroes "${part}"`);
    if (!/^[0-9A-Za-z-]+$/.test(part)) return failure(`Invalid character(s) found in prerelease "${part}"`);
  }
  return undefined;
}

function buildProblem(build: string | undefined): CelFailure | undefined {
  for (const part of build?.split(".") ?? []) {
    if (part === "") return failure("Build meta data is empty");
    if (!/^[0-9A-Za-z-]+$/.test(part)) return failure(`Invalid character(s) found in build meta data "${part}"`);
  }
  return undefined;
}

/** Also accepts a leading `v`, leading zeros and missing parts. */
function readLoosely(text: string): Semver | CelFailure {
  const [first = "", second, ...rest] = text.replace(/^v/, "").split(".");
  const parts = [first, second, rest.length === 0 ? undefined : rest.join(".")]
    .filter((part) => part !== undefined)
    .map((part) => {
      if (part.length <= 1) return part;
      const trimmed = part.replace(/^0+/, "");
      return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`;
    });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) return failure("short version cannot contain PreRelease/Build meta data");
  return read([...parts, "0", "0"].slice(0, 3).join("."));
}

function compare(a: Semver, b: Semver): -1 | 0 | 1 {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return a.pre.length === b.pre.length ? 0 : a.pre.length === 0 ? 1 : -1;
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === "bigint" ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

const made = (version: Semver | CelFailure): CelObject | CelFailure => ("message" in version ? version : semverValue(version));
const isOne = (version: Semver | CelFailure): boolean => !("message" in version);

/** The overloads. */
export const semverFunctions: readonly Overload[] = [
  overload("string_to_semver", "semver(string) semver", (text: string) => made(read(text))),
  overload("string_bool_to_semver", "semver(string, bool) semver", (text: string, loose: boolean) =>
    made(loose ? readLoosely(text) : read(text)),
  ),
  overload("is_semver_string", "isSemver(string) bool", (text: string) => isOne(read(text))),
  overload("is_semver_string_bool", "isSemver(string, bool) bool", (text: string, loose: boolean) =>
    isOne(loose ? readLoosely(text) : read(text)),
  ),
  overload(
    "semver_is_greater_than",
    "semver . isGreaterThan(semver) bool",
    (a: CelObject, b: CelObject) => compare(semverOf(a), semverOf(b)) > 0,
  ),
  overload(
    "semver_is_less_than",
    "semver . isLessThan(semver) bool",
    (a: CelObject, b: CelObject) => compare(semverOf(a), semverOf(b)) < 0,
  ),
  overload("semver_compare_to", "semver . compareTo(semver) int", (a: CelObject, b: CelObject) =>
    BigInt(compare(semverOf(a), semverOf(b))),
  ),
  ...(["major", "minor", "patch"] as const).map((name, index) =>
    overload(`semver_${name}`, `semver . ${name}() int`, (object: CelObject) => BigInt.asIntN(64, semverOf(object).numbers[index] ?? 0n)),
  ),
];
