/** Builds what a benchmark compares: our packages as users install them, and the Go programs of a folder. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** @param packages - Go packages besides the one in `folder` @param outside - where the programs go */
export function buildSides({
  folder,
  packages = [],
  outside,
}: {
  readonly folder: string;
  readonly packages?: readonly string[];
  readonly outside: string;
}): void {
  execFileSync("npm", ["run", "-s", "build"], { cwd: root, stdio: "inherit" });
  execFileSync("go", ["build", "-o", `${outside}/`, ".", ...packages], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0" },
  });
}
