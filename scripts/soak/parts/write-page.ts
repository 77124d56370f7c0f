/** Writes docs/reliability.md. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Conditions } from "./reliability-page.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** Replaces the page by what `change` makes of it, given the present date and commit. */
export function writePage(change: (page: string, when: Pick<Conditions, "date" | "commit">) => string): void {
  const file = join(root, "docs", "reliability.md");
  const commit = execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim();
  const date = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  writeFileSync(file, change(readFileSync(file, "utf8"), { date, commit }));
}
