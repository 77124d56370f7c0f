/** Writes docs/reliability.md. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Conditions } from "./reliability-page.ts";

const root = join(import.meta.dirname, "..", "..", "..");

const commitOf = (): string => execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim();
/** Read when the soak starts: a run of hours may see others commit. */
const startedOn = commitOf();

/** Replaces the page by what `change` makes of it, given the present date and the commit that was measured. */
export function writePage(change: (page: string, when: Pick<Conditions, "date" | "commit">) => string): void {
  const file = join(root, "docs", "reliability.md");
  const endedOn = commitOf();
  const commit = startedOn === endedOn ? startedOn : `${startedOn}, which became ${endedOn} during the run`;
  const date = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  writeFileSync(file, change(readFileSync(file, "utf8"), { date, commit }));
}
