/**
 * `npm run bench -- start [rounds]`: the time of `import "drover"` and of its parts, of the `drover` command, and which modules of
 * Node each of them loads. DROVER_NODE names the program to measure, if it is another Node than this one.
 *
 * Every import has a process of its own and is timed from inside, so that the start of Node does not count; the command
 * is a whole process, less an empty one. Rounds alternate, and the table shows medians, because other programs take the
 * processor in between. Exits with 1 when a bound does not hold.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadedBuiltIns } from "../scripts/loaded-built-ins.mjs";
import { judge } from "./report/judge.ts";
import { median } from "./report/median.ts";
import { printTable } from "./report/table.ts";
import { installDrover, timeImport } from "./start/import-time.ts";
import type { StartSample } from "./start/import-time.ts";

const root = join(import.meta.dirname, "..");
const rounds = Number(process.argv[3] ?? 21);
const node = process.env["DROVER_NODE"] ?? process.execPath;
const doors = ["drover", "drover/cache", "drover/client", "drover/kinds", "drover/controller"];
/** Issue 18: an operator may restart often, and a command starts at every call. */
const importMsMax = 40;

execFileSync(process.execPath, [join("scripts", "with-setup.mjs"), "build"], { cwd: root, stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "drover-bench-start-"));
try {
  installDrover(folder);
  const imports = new Map(doors.map((door): [string, StartSample[]] => [door, []]));
  const empty: StartSample[] = [];
  const command: StartSample[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [door, samples] of round % 2 === 0 ? imports : [...imports].toReversed()) samples.push(timeImport(door, { node, folder }));
    empty.push(timeProcess(["-e", "0"]));
    command.push(timeProcess([join(root, "packages", "cli", "dist", "bin", "drover.js"), "--version"]));
  }
  print(imports, empty, command);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function timeProcess(args: readonly string[]): StartSample {
  // The processor time of ended children is that of the shell's `times`; Node does not report it.
  const start = performance.now();
  const { status, stderr } = spawnSync("bash", ["-c", '"$0" "$@" >/dev/null; times >&2', node, ...args], { cwd: folder, encoding: "utf8" });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  const [, children = ""] = stderr.trim().split("\n").slice(-2);
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return { ms, cpuMs: seconds.reduce((sum, each) => sum + each, 0) * 1000 };
}

function print(imports: ReadonlyMap<string, readonly StartSample[]>, empty: readonly StartSample[], command: readonly StartSample[]): void {
  const times = (samples: readonly StartSample[]): StartSample => ({
    ms: median(samples.map(({ ms }) => ms)),
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
  });
  const row = (label: string, { ms, cpuMs }: StartSample, fastest: number, loaded: string): readonly string[] => [
    label,
    ms.toFixed(1),
    fastest.toFixed(1),
    cpuMs.toFixed(1),
    loaded,
  ];
  const fastest = (samples: readonly StartSample[]): number => Math.min(...samples.map(({ ms }) => ms));
  const base = times(empty);
  const whole = times(command);
  printTable([
    ["", "ms", "fastest", "CPU ms", "loaded modules of Node"],
    ...[...imports].map(([door, samples]) =>
      row(`import "${door}"`, times(samples), fastest(samples), loadedBuiltIns(door, { cwd: folder, node }).join(", ") || "none"),
    ),
    row(
      "drover --version, above an empty process",
      { ms: whole.ms - base.ms, cpuMs: whole.cpuMs - base.cpuMs },
      fastest(command) - fastest(empty),
      "",
    ),
    row("an empty process", base, fastest(empty), ""),
  ]);
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  process.stdout.write(`Node ${version}, ${rounds} rounds, medians\n`);
  judge('import "drover"', times(imports.get("drover") ?? []).ms, "ms", { atMost: importMsMax });
}
