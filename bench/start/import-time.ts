/** The time of an import in a process of its own, from the package as npm would unpack it. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export interface StartSample {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Copies the built package `drover` into `folder`, as npm would unpack it. */
export function installDrover(folder: string): void {
  const target = join(folder, "node_modules", "drover");
  mkdirSync(target, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const source = join(root, "packages", "drover");
  cpSync(join(source, "package.json"), join(target, "package.json"));
  cpSync(join(source, "dist"), join(target, "dist"), { recursive: true, filter: (path) => path !== join(source, "dist", "modules") });
}

/** Timed from inside, so that the start of Node does not count. @param folder - where `installDrover` put the package */
export function timeImport(door: string, { node, folder }: { readonly node: string; readonly folder: string }): StartSample {
  const code = `
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    await import(${JSON.stringify(door)});
    const [ms, { user, system }] = [performance.now() - start, process.cpuUsage(cpu)];
    process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
  `;
  return JSON.parse(execFileSync(node, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" })) as StartSample;
}
