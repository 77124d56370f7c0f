/**
 * A package imports only what its manifest declares, the manifests follow the plan, and no relative import leaves a
 * package. Files for tests (test-files.ts) may import every package of the workspace, because they are neither built
 * nor published; in return no source file imports them.
 */
import { resolveRelative, type Finding, type House, type Package, type SourceFile } from "../house.ts";
import { mayImport, ourFolder, outsideWorld, publishedName } from "../plan.ts";
import { isPacked, testFiles } from "../test-files.ts";

export function direction(house: House): Finding[] {
  return house.packages.flatMap((pkg) => {
    const forTests = testFiles(pkg);
    return [...checkManifest(pkg), ...checkPacked(pkg, forTests), ...pkg.files.flatMap((file) => checkFile(pkg, file, forTests))];
  });
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
        message: `${pkg.folder} may not depend on ${folder}; it may depend on: ${allowed.join(", ") || "none of our packages"}`,
      });
    }
  }
  return findings;
}

/** Files for tests may import packages that the manifest does not declare, so npm must not publish them. */
const checkPacked = ({ folder, manifest }: Package, forTests: ReadonlySet<string>): Finding[] =>
  [...forTests]
    .filter((path) => isPacked(manifest, path.slice(`packages/${folder}/`.length)))
    .map((path) => ({
      rule: "direction",
      path,
      message: `only tests use this file, but npm would pack it; exclude it in "files" of the manifest with "!"`,
    }));

function checkFile(pkg: Package, file: SourceFile, forTests: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const isForTests = forTests.has(file.path);
  for (const { specifier, line } of file.imports) {
    const say = (message: string): void => void findings.push({ rule: "direction", path: file.path, line, message });
    if (specifier.startsWith(".")) {
      const target = resolveRelative(file.path, specifier);
      if (!target.startsWith(`packages/${pkg.folder}/`)) say(`"${specifier}" leaves the package; import the other package by its name`);
      else if (!isForTests && forTests.has(target)) say(`"${specifier}" is for tests only; source must not import it`);
    } else if (specifier.startsWith("node:")) {
      if (!isForTests && !isOutside(file.path)) say(`"${specifier}" is not allowed here; take a Runtime or a Transport instead`);
    } else checkBareImport(pkg, specifier, isForTests, say);
  }
  return findings;
}

function checkBareImport(pkg: Package, specifier: string, isForTests: boolean, say: (message: string) => void): void {
  const name = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? specifier);
  if (name === pkg.manifest.name) return say(`"${specifier}" is this package itself; import the file`);
  // The root of the workspace resolves what tests import, its own tools included.
  if (isForTests) return;
  const folder = ourFolder(specifier);
  const allowed = mayImport.get(pkg.folder) ?? [];
  if (folder !== undefined && !allowed.includes(folder))
    return say(`${pkg.folder} may not import ${folder}; it may import: ${allowed.join(", ") || "none of our packages"}`);
  if (!declared(pkg).includes(name)) say(`"${name}" is not declared in packages/${pkg.folder}/package.json`);
}

const declared = ({ manifest }: Package): string[] =>
  [manifest.dependencies, manifest.peerDependencies, manifest.devDependencies].flatMap((group) => Object.keys(group ?? {}));

const isOutside = (path: string): boolean => outsideWorld.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
