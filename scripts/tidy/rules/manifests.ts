/** All packages share one version, pin exact versions of dependencies, are ESM and run no scripts at install. */
import type { Finding, House } from "../house.ts";

const installScripts: readonly string[] = ["preinstall", "install", "postinstall", "prepare"];

export function manifests(house: House): Finding[] {
  const version = house.packages[0]?.manifest.version;
  return house.packages.flatMap(({ folder, manifest }) => {
    const findings: Finding[] = [];
    const say = (message: string): void => void findings.push({ rule: "manifests", path: `packages/${folder}/package.json`, message });
    if (manifest.version !== version) say(`version ${manifest.version} differs from ${version}; all packages share one`);
    if (manifest.type !== "module") say(`"type" must be "module"`);
    for (const script of installScripts.filter((name) => manifest.scripts?.[name] !== undefined))
      say(`"${script}" would run at install; remove it`);
    for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range)) say(`"${name}": "${range}" is not an exact version`);
    }
    return findings;
  });
}
