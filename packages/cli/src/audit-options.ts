/** Options of the audit log, as kube-apiserver has them: `drover up` and `drover apiserver` share them. */

/** Options of the audit log, as those of kube-apiserver. */
export interface UpAudit {
  readonly policyFile: string;
  /** "-" is standard output. */
  readonly logPath: string;
  /** Size at which the file is rotated. @default 100 */
  readonly maxSizeMb: number;
  /** Rotated files to keep; 0 keeps all. @default 100 */
  readonly maxBackups: number;
  /** Age at which rotated files are removed; 0 is never. @default 366 */
  readonly maxAgeDays: number;
}

/** Reads the options by their names without dashes. Returns an error text for options that do not fit together. */
export function readAudit(last: (name: string) => string | undefined): UpAudit | undefined | string {
  const [policyFile, logPath] = [last("audit-policy-file"), last("audit-log-path")];
  const sizes = { "audit-log-maxsize": "100", "audit-log-maxbackup": "100", "audit-log-maxage": "366" };
  const numbers = Object.entries(sizes).map(([name, usual]) => ({ name, text: last(name) ?? usual }));
  if (policyFile === undefined || logPath === undefined) {
    const lone = [...(logPath === undefined ? ["audit-policy-file"] : ["audit-log-path"]), ...Object.keys(sizes)].find(
      (name) => last(name) !== undefined,
    );
    return lone === undefined ? undefined : `--${lone} has no effect alone: an audit log needs --audit-policy-file and --audit-log-path`;
  }
  const odd = numbers.find(({ text }) => !/^\d{1,6}$/.test(text));
  if (odd !== undefined) return `--${odd.name} needs a number from 0 to 999999, not "${odd.text}"`;
  const [maxSizeMb = 0, maxBackups = 0, maxAgeDays = 0] = numbers.map(({ text }) => Number(text));
  // As in kube-apiserver, no size is the default size.
  return { policyFile, logPath, maxSizeMb: maxSizeMb === 0 ? 100 : maxSizeMb, maxBackups, maxAgeDays };
}
