/**
 * Adds to package-lock.json the optional platform packages that npm left out.
 *
 * When a registry mirror does not carry the binaries of every platform, `npm install` drops those optional entries and
 * `npm ci` then refuses the lockfile ("Missing: … from lock file"). An entry with its version, os and cpu is all `npm
 * ci` needs to know that it may skip the package on other platforms. Run it after `npm install` has changed the
 * lockfile.
 *
 * It then asks the registry for the integrity of every entry that has none, without which npm would install whatever it
 * gets, and fails if some are left. Run it with a registry that has all platforms: `npm_config_registry=https://… node
 * scripts/complete-lockfile.mjs`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const operatingSystems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "aix", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

const file = join(import.meta.dirname, "..", "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const added = [];

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const places = [`${parent}/node_modules/${name}`, `node_modules/${name}`];
    if (places.some((place) => place in lock.packages)) continue;
    const os = operatingSystems.find((word) => name.includes(word));
    const cpu = processors.find((word) => name.includes(word));
    if (cpu === undefined) continue;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[^\d]*/, ""),
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
    };
    added.push(name);
  }
}

/** Undefined if the registry does not have this version. */
const integrityOf = (place, version) => {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  try {
    const text = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity", "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const answer = JSON.parse(text);
    return typeof answer === "string" && answer.startsWith("sha512-") ? answer : undefined;
  } catch {
    return undefined;
  }
};

const unproven = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  if (!place.includes("node_modules/") || entry.link === true || entry.integrity !== undefined) continue;
  const integrity = integrityOf(place, entry.version);
  if (integrity === undefined) unproven.push(place);
  else {
    const { version, ...rest } = entry;
    lock.packages[place] = { version, integrity, ...rest };
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} optional platform packages added\n`);
if (unproven.length > 0) {
  process.stderr.write(
    `${unproven.length} without integrity, which the registry does not have:\n${unproven.map((place) => `  ${place}\n`).join("")}`,
  );
  process.exitCode = 1;
}
