/**
 * Writes THIRD-PARTY-NOTICES.txt beside a bundle: the licences of the packages in it, and of the data from Kubernetes.
 *
 *     writeNotices(folder, the bundler's output)
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

export const noticesFile = "THIRD-PARTY-NOTICES.txt";

const kubernetes = `Kubernetes (Apache-2.0)

The names and types of the Kubernetes API and its OpenAPI documents come from Kubernetes, https://github.com/kubernetes/kubernetes,
Copyright The Kubernetes Authors, under the Apache License 2.0; its text is in the file LICENSE of this package.
`;

/** Fails for a package without a licence: what may not be distributed must not be bundled. */
export function writeNotices(folder, output) {
  const sections = [...packagesIn(output)].toSorted().map(noticeOf);
  writeFileSync(
    join(folder, noticesFile),
    `This package contains code and data of others:\n\n${[kubernetes, ...sections].map((text) => `${"-".repeat(80)}\n\n${text.trim()}\n`).join("\n")}`,
  );
}

/** The folders of the packages that the modules belong to. */
function packagesIn(output) {
  const inner = new RegExp(`^.*[\\\\/]node_modules[\\\\/](?:@[^\\\\/]+[\\\\/])?[^\\\\/]+`);
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds).map((id) => id.replace(/^\0/, "").split("?")[0]);
  return new Set(modules.flatMap((id) => (id.includes(`${sep}node_modules${sep}`) ? (inner.exec(id) ?? []) : [])));
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i.test(file));
  if (files.length === 0) throw new Error(`${name} ${version} has no licence file and cannot be bundled: ${folder}`);
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
