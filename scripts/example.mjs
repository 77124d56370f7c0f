/** `npm run example -- frontend-recycler [operator]`: runs one of examples/ on the cluster of the current kubeconfig. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runChild, tiedToThis } from "./run-child.mjs";

const [name = "", ...words] = process.argv.slice(2);
const entry = join("examples", name, "main.ts");
const known = readdirSync("examples").filter((folder) => existsSync(join("examples", folder, "main.ts")));
if (!known.includes(name)) {
  process.stderr.write(
    `npm run example -- NAME: there ${name === "" ? "are" : `is no example "${name}"; there are`} ${known.join(", ")}\n`,
  );
  process.exit(2);
}
const folder = join("node_modules", ".cache", "drover", "example", name);
const { status } = await runChild([process.execPath, join("scripts", "bundle-program.mjs"), folder, `${name}=${entry}`]);
if (status !== 0) process.exit(status);
const example = await runChild([process.execPath, ...tiedToThis(), join(folder, "bin", `${name}.js`), ...words]);
process.exit(example.status);
