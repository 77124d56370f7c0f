/** The pod security policy of a namespace, from its labels. */
import { fieldInvalid, fieldKey, getOwn } from "@drover/machinery";
import type { DeepReadonly, FieldError, KubeObject } from "@drover/machinery";

/** From permissive to strict. */
export const levels = ["privileged", "baseline", "restricted"] as const;
export type PodSecurityLevel = (typeof levels)[number];

/** The minor version of Kubernetes whose checks apply: 25 is v1.25. */
export type PodSecurityVersion = number | "latest";

export interface LevelVersion {
  readonly level: PodSecurityLevel;
  readonly version: PodSecurityVersion;
}

/** What is enforced, recorded in the audit log, and warned about. */
export interface PodPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Errors of the labels. An invalid label enforces "restricted", and audits and warns about nothing. */
  readonly errors: readonly FieldError[];
}

/** Prefix of the labels, and of the annotations of audit events. */
export const labelPrefix = "pod-security.kubernetes.io/";

const privileged: LevelVersion = { level: "privileged", version: "latest" };

/** The policy of a namespace without labels: everything is allowed. */
export const openPolicy: PodPolicy = { enforce: privileged, audit: privileged, warn: privileged, errors: [] };

/** Prints "restricted:v1.25". */
export const printLevelVersion = ({ level, version }: LevelVersion): string =>
  `${level}:${version === "latest" ? version : `v1.${version}`}`;

export const isSameLevelVersion = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.version === b.version;

/** Positive if `a` is stricter. */
export const compareLevels = (a: PodSecurityLevel, b: PodSecurityLevel): number => levels.indexOf(a) - levels.indexOf(b);

export const isOpen = ({ enforce, audit, warn, errors }: PodPolicy): boolean =>
  errors.length === 0 && [enforce, audit, warn].every(({ level }) => level === "privileged");

/** Returns the policy of a namespace with these labels. What is enforced is warned about too, unless a label says otherwise. */
export function policyOfLabels(labels: Readonly<Record<string, string>> | undefined): PodPolicy {
  const errors: FieldError[] = [];
  const read = <T>(label: string, parse: (text: string) => T | undefined, wanted: string, fallback: T): Read<T> => {
    const key = `${labelPrefix}${label}`;
    const text = getOwn(labels ?? {}, key);
    if (text === undefined) return { isSet: false, isValid: false, value: undefined };
    const value = parse(text);
    if (value === undefined) errors.push(fieldInvalid(fieldKey("metadata.labels", key), text, wanted));
    return { isSet: true, isValid: value !== undefined, value: value ?? fallback };
  };
  const level = (mode: string, fallback: PodSecurityLevel): Read<PodSecurityLevel> =>
    read(mode, parseLevel, `must be one of ${levels.join(", ")}`, fallback);
  const version = (mode: string): Read<PodSecurityVersion> =>
    read<PodSecurityVersion>(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"', "latest");
  const chosen = (found: Read<PodSecurityLevel>, { value = "latest" }: Read<PodSecurityVersion>): LevelVersion => ({
    level: found.value ?? "privileged",
    version: value,
  });
  // The order of the labels is that of their errors.
  const enforceLevel = level("enforce", "restricted");
  const enforce = chosen(enforceLevel, version("enforce"));
  const audit = chosen(level("audit", "privileged"), version("audit"));
  const warnLevel = level("warn", "privileged");
  const warnVersion = version("warn");
  const follows = !warnLevel.isSet && enforceLevel.isValid && enforce.level !== "privileged";
  const warn = follows
    ? { level: enforce.level, version: warnVersion.isSet ? (warnVersion.value ?? "latest") : enforce.version }
    : chosen(warnLevel, warnVersion);
  return { enforce, audit, warn, errors };
}

/** Returns the policy of a namespace. Namespaces without such labels share one. */
export function namespacePolicy({ metadata: { labels = {} } }: DeepReadonly<KubeObject>): PodPolicy {
  return Object.keys(labels).some((key) => key.startsWith(labelPrefix)) ? policyOfLabels(labels) : openPolicy;
}

interface Read<T> {
  readonly isSet: boolean;
  readonly isValid: boolean;
  /** Undefined for a missing label. */
  readonly value: T | undefined;
}

const parseLevel = (text: string): PodSecurityLevel | undefined => levels.find((level) => level === text);

function parseVersion(text: string): PodSecurityVersion | undefined {
  if (text === "latest") return text;
  const [, minor] = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text) ?? [];
  const number = Number(minor ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
