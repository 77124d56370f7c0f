/** `npm run example -- frontend-recycler [operator]`: runs one of examples/ on the cluster of the current kubeconfig. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

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
const { status } = spawnSync(process.execPath, [join("scripts", "bundle-program.mjs"), folder, `${name}=${entry}`], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const child = spawn(process.execPath, [join(folder, "bin", `${name}.js`), ...words], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void child.kill(signal));
child.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
