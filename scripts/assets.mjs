/**
 * Builds what the conformance tests compare with, into .assets: the oracle (conformance/oracle, needs Go).
 * Without Go it says so and succeeds; the tests that need it then name it as the reason they were skipped.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const assets = join(root, ".assets");
mkdirSync(assets, { recursive: true });

if (spawnSync("go", ["version"]).status !== 0) {
  process.stdout.write("Go is not at hand: the oracle is not built, and its tests will be skipped.\n");
} else {
  const { status } = spawnSync("go", ["build", "-o", join(assets, "oracle"), "."], {
    cwd: join(root, "conformance", "oracle"), stdio: "inherit", env: { ...process.env, CGO_ENABLED: "0" },
  });
  if (status !== 0) process.exit(status ?? 1);
  process.stdout.write("Built .assets/oracle.\n");
}
