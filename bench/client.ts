/**
 * `npm run bench -- client [requests]`: our client and @kubernetes/client-node against the same TLS server on this machine, in the same
 * run: handshakes, requests a second and CPU at 32 at once, time to import, packages and megabytes installed.
 *
 * Both are installed into a temporary folder as a user would get them, ours from packed tarballs, without running scripts; needs a
 * registry. Server and clients are processes of their own; rounds alternate, and medians are printed. Ours goes through the whole
 * standard stack (credentials, retry, metrics) and ends with a parsed object, as theirs does. Ends with 1 when a bound does not hold.
 */
import { execFileSync, fork } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const theirPackage = "@kubernetes/client-node@1.4.0";
const requests = Number(process.argv[3] ?? 2000);
const rounds = 3;
const importRounds = 5;
const concurrency = 32;

interface Measured {
  readonly microseconds: number;
  readonly cpuMicroseconds: number;
}
interface Counted {
  readonly handshakes: number;
  readonly requests: number;
}
interface Side {
  readonly name: "drover" | "client-node";
  readonly folder: string;
  /** What a program imports. */
  readonly door: string;
}

const outside = mkdtempSync(join(tmpdir(), "drover-bench-client-"));
const server = fork(join(import.meta.dirname, "client", "tls-server.ts"), { execArgv: process.execArgv });
try {
  const { url, ca } = await answer<{ readonly url: string; readonly ca: string }>();
  const sides = [installOurs(), installTheirs()];
  const sequential = new Map<string, Measured & Counted>();
  for (const side of sides) sequential.set(side.name, { ...measure(side, { url, ca, warmUp: 0, requests: 200, concurrency: 1 }), ...(await counts()) });
  const concurrent = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) concurrent.get(side.name)?.push(measure(side, { url, ca, warmUp: 500, requests, concurrency }));
  }
  print(sides, sequential, concurrent);
} finally {
  server.kill();
  rmSync(outside, { recursive: true, force: true });
}

function answer<T>(): Promise<T> {
  return new Promise((resolve, reject) => {
    server.once("message", (message) => resolve(message as T));
    server.once("exit", (code) => reject(new Error(`the bench server ended with code ${code}`)));
  });
}

function counts(): Promise<Counted> {
  const counted = answer<Counted>();
  server.send("count");
  return counted;
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function installOurs(): Side {
  const folder = newFolder("drover");
  execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  const packages = readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "package.json")));
  const tarballs = packages.map((name) => (JSON.parse(npm(["pack", "--json", "--pack-destination", folder], join(root, "packages", name))) as readonly { readonly filename: string }[])[0]?.filename ?? "");
  npm(["install", "--prefer-offline", ...tarballs.map((file) => `./${file}`)], folder);
  return { name: "drover", folder, door: "drover" };
}

function installTheirs(): Side {
  const folder = newFolder("client-node");
  npm(["install", theirPackage], folder);
  return { name: "client-node", folder, door: "@kubernetes/client-node" };
}

function newFolder(name: string): string {
  const folder = join(outside, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  copyFileSync(join(import.meta.dirname, "client", "measure.mjs"), join(folder, "measure.mjs"));
  return folder;
}

function measure({ name, folder }: Side, settings: Readonly<Record<string, unknown>>): Measured {
  return JSON.parse(execFileSync(process.execPath, ["measure.mjs", name, JSON.stringify(settings)], { cwd: folder, encoding: "utf8" })) as Measured;
}

function importMs({ folder, door }: Side): number {
  const code = `const start = performance.now(); await import(${JSON.stringify(door)}); process.stdout.write(String(performance.now() - start));`;
  return median(Array.from({ length: importRounds }, () => Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" }))));
}

/** Packages in node_modules, nested ones included, and the bytes of all files. */
function installed({ folder }: Side): { readonly packages: number; readonly megabytes: number } {
  const entries = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" });
  const isPackage = (path: string): boolean => /(?:^|node_modules\/)(?:@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(path) && hasName(join(folder, "node_modules", path));
  const bytes = entries.map((path) => statSync(join(folder, "node_modules", path))).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  return { packages: entries.filter((path) => isPackage(path.replaceAll("\\", "/"))).length, megabytes: bytes / 1e6 };
}

function hasName(manifest: string): boolean {
  return typeof (JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: unknown }).name === "string";
}

function print(sides: readonly Side[], sequential: ReadonlyMap<string, Measured & Counted>, concurrent: ReadonlyMap<string, readonly Measured[]>): void {
  const results = sides.map((side) => {
    const all = concurrent.get(side.name) ?? [];
    return { ...installed(side), importMs: importMs(side), one: sequential.get(side.name), perSecond: 1e6 / median(all.map(({ microseconds }) => microseconds)), cpu: median(all.map(({ cpuMicroseconds }) => cpuMicroseconds)) };
  });
  const rows: readonly (readonly [label: string, values: readonly number[], digits: number, bound?: number])[] = [
    ["200 GETs after one another over TLS: handshakes", results.map(({ one }) => one?.handshakes ?? Number.NaN), 0, 1],
    ["… milliseconds each, the first included", results.map(({ one }) => (one?.microseconds ?? Number.NaN) / 1000), 2],
    [`${concurrency} at once: requests a second`, results.map(({ perSecond }) => perSecond), 0],
    [`${concurrency} at once: CPU microseconds a request`, results.map(({ cpu }) => cpu), 0],
    ["import, milliseconds", results.map(({ importMs: ms }) => ms), 0, 100],
    ["packages installed", results.map(({ packages }) => packages), 0, 5],
    ["megabytes installed", results.map(({ megabytes }) => megabytes), 1, 5],
  ];
  const lines = rows.map(([label, values, digits, bound]) => {
    const holds = bound === undefined || Number((values[0] ?? Number.NaN).toFixed(digits)) <= bound;
    if (!holds) process.exitCode = 1;
    return `${label.padEnd(52)}${values.map((value) => value.toFixed(digits).padStart(14)).join("")}${bound === undefined ? "" : `   ${holds ? "≤" : "EXCEEDS"} ${bound}`}`;
  });
  process.stdout.write(`${"".padEnd(52)}${sides.map(({ name }) => name.padStart(14)).join("")}\n${lines.join("\n")}\nNode ${process.versions.node}; ${requests} requests a round, ${rounds} rounds, medians; ${theirPackage}\n`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
