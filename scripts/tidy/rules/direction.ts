/** A package imports only what its manifest declares, the manifests follow the plan, and no relative import leaves a package. */
import { resolveRelative, type Finding, type House, type Package, type SourceFile } from "../house.ts";
import { mayImport, ourFolder, outsideWorld, publishedName } from "../plan.ts";

/** What every test may use without declaring it: the root's own tools. */
const testTools: readonly string[] = ["vitest", "fast-check"];

export function direction(house: House): Finding[] {
  return house.packages.flatMap((pkg) => [...checkManifest(pkg), ...pkg.files.flatMap((file) => checkFile(pkg, file))]);
}

function checkManifest(pkg: Package): Finding[] {
  const path = `packages/${pkg.folder}/package.json`;
  const allowed = mayImport.get(pkg.folder);
  if (allowed === undefined) {
    return [
      {
        rule: "direction",
        path,
        message: `package "${pkg.folder}" is not on the plan; add it to scripts/tidy/plan.ts and ARCHITECTURE.md`,
      },
    ];
  }
  const findings: Finding[] = [];
  if (pkg.manifest.name !== publishedName(pkg.folder)) {
    findings.push({ rule: "direction", path, message: `the name must be "${publishedName(pkg.folder)}", it is "${pkg.manifest.name}"` });
  }
  for (const name of declared(pkg)) {
    const folder = ourFolder(name);
    if (folder !== undefined && !allowed.includes(folder)) {
      findings.push({
        rule: "direction",
        path,
        message: `${pkg.folder} may not depend on ${folder}; it may depend on: ${allowed.join(", ") || "nothing of ours"}`,
      });
    }
  }
  return findings;
}

function checkFile(pkg: Package, file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  for (const { specifier, line } of file.imports) {
    const say = (message: string): void => void findings.push({ rule: "direction", path: file.path, line, message });
    if (specifier.startsWith(".")) {
      if (!resolveRelative(file.path, specifier).startsWith(`packages/${pkg.folder}/`))
        say(`"${specifier}" leaves the package; import the other package by its name`);
    } else if (specifier.startsWith("node:")) {
      if (!file.isTest && !isOutside(file.path)) say(`"${specifier}" is the outside world; take a Runtime or a Transport instead`);
    } else checkBareImport(pkg, file, specifier, say);
  }
  return findings;
}

function checkBareImport(pkg: Package, file: SourceFile, specifier: string, say: (message: string) => void): void {
  const name = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? specifier);
  if (name === pkg.manifest.name) return say(`"${specifier}" is this package itself; import the file`);
  const folder = ourFolder(specifier);
  const allowed = mayImport.get(pkg.folder) ?? [];
  if (folder !== undefined && !allowed.includes(folder))
    return say(`${pkg.folder} may not import ${folder}; it may import: ${allowed.join(", ") || "nothing of ours"}`);
  if (file.isTest && testTools.includes(name)) return;
  if (!declared(pkg).includes(name)) say(`"${name}" is not declared in packages/${pkg.folder}/package.json`);
}

const declared = ({ manifest }: Package): string[] =>
  [manifest.dependencies, manifest.peerDependencies, manifest.devDependencies].flatMap((group) => Object.keys(group ?? {}));

const isOutside = (path: string): boolean => outsideWorld.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
