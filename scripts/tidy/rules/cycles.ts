/** No file imports itself, directly or through other files; type imports count. */
import { resolveRelative, type Finding, type House, type SourceFile } from "../house.ts";

export function cycles(house: House): Finding[] {
  const files = [...house.packages.flatMap((pkg) => pkg.files), ...house.yard];
  const known = new Set(files.map((file) => file.path));
  const edges = new Map(files.map((file) => [file.path, neighbours(file).filter((path) => known.has(path))]));
  const state = new Map<string, "open" | "done">();
  const findings: Finding[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      findings.push({ rule: "cycles", path, message: `imports itself: ${circle.join(" → ")}; move the shared code into its own file` });
      return;
    }
    state.set(path, "open");
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, "done");
  };
  for (const { path } of files) visit(path, []);
  return findings;
}

const neighbours = (file: SourceFile): string[] =>
  file.imports.filter(({ specifier }) => specifier.startsWith(".")).map(({ specifier }) => resolveRelative(file.path, specifier));
