/**
 * `npm start`: runs Drover's cluster and the examples. Arguments go to `drover up`; `--no-examples` leaves the examples
 * out.
 *
 *     npm start -- --nodes 5 --port 6443 --json --no-examples
 */
import { join } from "node:path";
import { runChild, tiedToThis } from "./run-child.mjs";

const words = process.argv.slice(2).filter((word) => word !== "--no-examples");
const hasExamples = words.length === process.argv.length - 2;
const folder = join("node_modules", ".cache", "drover", "start");
const examples = ["pod-node-logger", "frontend-recycler"];
const program = (name) => join(folder, "bin", `${name}.js`);

const { status } = await runChild([
  process.execPath,
  join("scripts", "bundle-program.mjs"),
  folder,
  "drover=packages/cli/src/main.ts",
  ...(hasExamples ? examples.map((name) => `${name}=examples/${name}/main.ts`) : []),
]);
if (status !== 0) process.exit(status);

const scene = hasExamples
  ? [
      "--apply",
      join("examples", "frontend.yaml"),
      "--greeting",
      join("examples", "greeting.txt"),
      ...examples.flatMap((name) => ["--run", `"${process.execPath}" ${program(name)}`]),
    ]
  : [];
// One helper thread for the engine: on two cores its default of four gets in the way of the main thread.
const cluster = await runChild([process.execPath, "--v8-pool-size=1", ...tiedToThis(), program("drover"), "up", ...scene, ...words]);
process.exit(cluster.status);
