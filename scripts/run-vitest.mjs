/** Shared by the commands for whole suites of conformance/: finds the real programs they need and runs vitest. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { clusterFolder } from "./asset-folder.mjs";
import { runChild } from "./run-child.mjs";
import { vitestCommand } from "./vitest-command.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The folder with the real programs. Exits with an error when one is missing: a run that was asked for must not succeed
 * without running.
 */
export const requireParts = (...programs) => {
  const folder = process.env.KUBEBUILDER_ASSETS || clusterFolder;
  const missing = programs.filter((program) => !existsSync(join(folder, program)));
  if (missing.length === 0) return folder;
  process.stderr.write(`The real parts are missing: ${missing.join(", ")} in ${folder}.
Build them with   npm run assets   (needs Go; about nine minutes the first time, kept in your cache folder),
or set KUBEBUILDER_ASSETS to a folder that has them.
`);
  process.exit(1);
};

/**
 * Runs vitest and exits with its status. Finally prints the file that tests wrote, whose path they find in the variable
 * named by `report`.
 */
export const runVitest = async (args, { env, report }) => {
  const folder = mkdtempSync(join(tmpdir(), "drover-report-"));
  const file = join(folder, "report.txt");
  writeFileSync(file, "");
  const { status } = await runChild([...vitestCommand, ...args], {
    cwd: root,
    env: { ...process.env, ...env, ...(report === undefined ? {} : { [report]: file }) },
  });
  process.stdout.write(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
};
