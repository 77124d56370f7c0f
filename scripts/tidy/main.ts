/** `npm run tidy`: checks the rules of the repository and prints each finding on a line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readHouse } from "./read-house.ts";
import { rules } from "./rules.ts";
import type { Ratchet } from "./rules/size.ts";

const root = join(import.meta.dirname, "..", "..");
const ratchet = JSON.parse(readFileSync(join(import.meta.dirname, "ratchet.json"), "utf8")) as Ratchet;
const house = readHouse(root);
const findings = rules(ratchet).flatMap((rule) => rule(house));

for (const { path, line, rule, message } of findings)
  process.stdout.write(`${path}${line === undefined ? "" : `:${line}`}: ${rule}: ${message}\n`);
const files = house.packages.reduce((sum, pkg) => sum + pkg.files.length, house.yard.length);
process.stdout.write(
  findings.length === 0
    ? `tidy: ${house.packages.length} packages, ${files} files, nothing to say\n`
    : `tidy: ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
