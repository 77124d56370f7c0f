/** The sources that users run: what the tests of reference pages search for metrics, reasons and log lines. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** All TypeScript sources of packages/*\/src below `root`, without tests and test helpers. */
export function sourceFiles(root: string): readonly SourceFile[] {
  return readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
        .map((file) => `packages/${name}/src/${file.replaceAll("\\", "/")}`)
        .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/\/(?:testing|faults|histories)\//.test(path)),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
