/**
 * The version of a server: the document at `/version`.
 */
import type { JsonValue } from "@drover/machinery";
import { objectField, textField } from "./document-field.ts";

/** The server's version; fields it does not send are empty. */
export interface ServerVersion {
  /** "1". */
  readonly major: string;
  /** "36"; distributions write "36+". */
  readonly minor: string;
  /** The release that this server emulates, if any. */
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  /** "v1.36.3", possibly with a distribution's suffix: "v1.36.3-gke.100". */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** Decodes the document. */
export function decodeServerVersion(document: JsonValue): ServerVersion {
  const info = objectField(document, "version");
  const text = (name: string): string => textField(info[name], name);
  return {
    major: text("major"),
    minor: text("minor"),
    emulationMajor: text("emulationMajor"),
    emulationMinor: text("emulationMinor"),
    minCompatibilityMajor: text("minCompatibilityMajor"),
    minCompatibilityMinor: text("minCompatibilityMinor"),
    gitVersion: text("gitVersion"),
    gitCommit: text("gitCommit"),
    gitTreeState: text("gitTreeState"),
    buildDate: text("buildDate"),
    goVersion: text("goVersion"),
    compiler: text("compiler"),
    platform: text("platform"),
  };
}
