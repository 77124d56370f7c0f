/** YAML as Kubernetes parses and prints it. Only what this file exports is public API. */
export type { DuplicateKey } from "./document.ts";
export { parseFirstYaml, parseYaml, parseYamlDocuments } from "./parse.ts";
export type { ParseYamlOptions } from "./parse.ts";
export { printYaml } from "./print.ts";
export { YamlError } from "./yaml-error.ts";
export type { Place } from "./yaml-error.ts";
