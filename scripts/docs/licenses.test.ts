import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const license = readFileSync(join(root, "LICENSE"), "utf8");

it("every package contains the license of the repository, which npm publishes with it", () => {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const without = folders.filter(
    (folder) =>
      existsSync(join(folder, "package.json")) &&
      (!existsSync(join(folder, "LICENSE")) || readFileSync(join(folder, "LICENSE"), "utf8") !== license),
  );
  expect(without).toEqual([]);
});
