/** File names are kebab-case and describe the content, which names such as "utils" do not. */
import type { Finding, House } from "../house.ts";

const refused: readonly string[] = ["util", "utils", "helper", "helpers", "common", "types", "misc", "shared-utils", "lib"];

export function names(house: House): Finding[] {
  return [...house.packages.flatMap((pkg) => pkg.files), ...house.yard].flatMap(({ path }) => {
    const words = path
      .split("/")
      .slice(path.startsWith("packages/") ? 2 : 0)
      .map((part) => part.replace(/\.(?:test|contract|d)?\.?[a-z]*$/, ""));
    // A benchmark is named after its subject, which may be types.
    const vague = path.startsWith("bench/") ? undefined : words.find((word) => refused.includes(word));
    if (vague !== undefined) return [{ rule: "names", path, message: `"${vague}" is too vague; name the file after the noun it exports` }];
    const file = words.at(-1) ?? "";
    return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(file) ? [] : [{ rule: "names", path, message: `file names are kebab-case; "${file}" is not` }];
  });
}
